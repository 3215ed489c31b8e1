// Numbers for people.

/** About `digits` significant digits, without a useless tail. */
export function number(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return "\u2013";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e9 || size < 1e-4) {
    const [mantissa, exponent] = x.toExponential(Math.max(digits - 2, 1)).split("e");
    return `${Number(mantissa)}\u2009\u00d7\u200910${superscript(Number(exponent))}`.replace("-", "\u2212");
  }
  return String(Number(x.toPrecision(digits))).replace("-", "\u2212");
}

function superscript(n: number): string {
  const marks = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
  return String(n).replace(/[-\d]/g, (c) => (c === "-" ? "\u207b" : marks[Number(c)]));
}

/** 12,345,678 with thin separators. */
export function count(n: number): string {
  return n.toLocaleString("en-US");
}

/** Rounded down: a time on the page is no later than the proven one. */
export function time(t: number, digits = 6): string {
  const nearest = t.toFixed(digits);
  return Number(nearest) > t ? (t - 0.5 * 10 ** -digits).toFixed(digits) : nearest;
}

/** Rounded up. */
export function timeAbove(t: number, digits = 6): string {
  const nearest = t.toFixed(digits);
  return Number(nearest) < t ? (t + 0.5 * 10 ** -digits).toFixed(digits) : nearest;
}

/** The number of so many significant digits at or below x. */
export function below(x: number, digits: number): number {
  const nearest = Number(x.toPrecision(digits));
  if (!(nearest > x)) return nearest;
  return Number((x - 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(x))) - digits + 1)).toPrecision(digits));
}

export function vector(v: readonly number[], digits = 5): string {
  const size = Math.max(...v.map(Math.abs));
  // Digits after the point as the largest coordinate allows, so that all of them mean the same.
  const decimals = Math.max(digits - 1 - Math.floor(Math.log10(size || 1)), 1);
  if (size >= 1e9 || size < 1e-3 && size > 0) return `(${v.map((x) => number(x, digits)).join(", ")})`;
  return `(${v.map((x) => String(Number(x.toFixed(decimals))).replace("-", "\u2212")).join(", ")})`;
}

/** Milliseconds in the unit that reads best. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${number(ms / 1000, 3)} s`;
  if (ms >= 1) return `${number(ms, 3)} ms`;
  return `${number(ms * 1000, 3)} \u00b5s`;
}

export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** At most `length` characters: the middle goes, since names differ at their ends. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.ceil((length - 1) * 0.4);
  return `${text.slice(0, head)}\u2026${text.slice(text.length - (length - 1 - head))}`;
}
