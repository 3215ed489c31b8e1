// Building elements without a framework.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/** An element; properties that start with "on" are listeners, "class" and "data-" are attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Properties = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  assign(element, properties);
  for (const child of children) if (child) element.append(child);
  return element;
}

const svgSpace = "http://www.w3.org/2000/svg";
export function s(tag: string, properties: Properties = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(svgSpace, tag) as SVGElement;
  assign(element, properties);
  for (const child of children) if (child) element.append(child);
  return element;
}

function assign(element: Element, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** A 24 x 24 line icon. */
export function icon(path: string): SVGElement {
  return s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, s("path", { d: path }));
}

/** The text, in which no line breaks within "t = 0.5". */
export function wholeEquations(text: string): Node[] {
  return text.split(/(\S+ = \S+)/).map((part, i) => (i % 2 ? h("span", { class: "whole" }, part) : document.createTextNode(part)));
}
