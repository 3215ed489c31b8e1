// Colours of what is drawn, for both themes. Bodies differ in hue and in lightness.

export interface Palette {
  top: string; bottom: string;  // background
  bodies: string[];
  contact: string; edgeEdge: string; closest: string; path: string; box: string; wire: string; measure: string;
}

export const grey = 5;  // its place among the colours of bodies

export const light: Palette = {
  top: "#fbfcfd", bottom: "#dfe5ec",
  bodies: ["#f0843c", "#4f86b8", "#4fa68a", "#a06cc0", "#c9a227", "#7c8794", "#cf5f80", "#5cadc4"],
  contact: "#d9144a", edgeEdge: "#6a28d9", closest: "#0b7a75", path: "#b4431a", box: "#33506b", wire: "#101820", measure: "#0f172a",
};

export const dark: Palette = {
  top: "#1e242c", bottom: "#0d1014",
  bodies: ["#f59a56", "#6a9fd0", "#62bd9e", "#b58ad4", "#dcb842", "#98a4b2", "#e0799a", "#74c4da"],
  contact: "#ff3d6e", edgeEdge: "#b78bff", closest: "#38d6c9", path: "#ffc08a", box: "#9fc3e6", wire: "#05070a", measure: "#ffffff",
};
