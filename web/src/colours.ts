// Colours of numbers: red, green and blue from 0 to 1, as they are seen.

export type Rgb = [number, number, number];

function between(stops: Rgb[], t: number): Rgb {
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  return [0, 1, 2].map((k) => stops[i][k] + (at - i) * (stops[i + 1][k] - stops[i][k])) as Rgb;
}

const belowZero: Rgb[] = [[0.09, 0.25, 0.55], [0.26, 0.55, 0.78], [0.90, 0.95, 0.98]];
const aboveZero: Rgb[] = [[0.99, 0.95, 0.88], [0.94, 0.62, 0.35], [0.62, 0.16, 0.10]];
const scale: Rgb[] = [[0.22, 0.20, 0.55], [0.16, 0.47, 0.64], [0.20, 0.68, 0.51], [0.80, 0.82, 0.25], [0.95, 0.52, 0.15], [0.80, 0.10, 0.15]];

/** From -1, deep inside, through 0, the surface, to 1. */
export function signedColor(t: number): Rgb {
  return t < 0 ? between(belowZero, 1 + t) : between(aboveZero, t);
}

/** From 0, the least, to 1, the most. */
export function scaleColor(t: number): Rgb {
  return between(scale, t);
}

/** A colour of its own for every number: hues a golden angle apart, in three degrees of brightness. */
export function cellColor(number: number): Rgb {
  const hue = (number * 0.61803398875) % 1;
  const bright = 0.72 + 0.1 * (Math.floor(number) % 3);
  const part = (shift: number) => {
    const x = Math.abs((((hue + shift) % 1) + 1) % 1 * 6 - 3) - 1;
    return bright * (0.42 + 0.58 * Math.min(Math.max(x, 0), 1));
  };
  return [part(0), part(2 / 3), part(1 / 3)];
}
