// Paths of 24 x 24 line icons.
export const play = "M7 4.5v15l12.5-7.5z";
export const pause = "M7 5v14M17 5v14";
export const target = "M12 3v4M12 17v4M3 12h4M17 12h4M12 8.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7";
export const fit = "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5";
export const zoom = "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.5 15.5L21 21M10.5 7.5v6M7.5 10.5h6";
export const wireframe = "M12 3l9 16H3zM12 3v16M7.5 11h9M7.5 11l4.5 8l4.5-8";
export const ghosts = "M9 5h10v10H9zM5 9v10h10";
export const contact = "M12 12m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M14.5 9.5L20 4M20 4h-4M20 4v4";
export const path = "M4 19c3-10 6 2 9-5s4-9 7-9";
export const boxes = "M4 4h16v16H4zM4 12h16M12 4v8M8 12v8";
export const theme = "M12 4a8 8 0 1 0 8 8a6 6 0 0 1-8-8";
export const help = "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5";
export const up = "M12 20V4M12 4l-5 5M12 4l5 5";
