// A long list of records: sorted, filtered, with a histogram. Only the rows in sight are in the page.
import { h, s } from "./dom";
import * as format from "./format";

export interface Column {
  name: string;   // a word, for the filter: time<0.4
  title: string;
  width: string;  // of a grid track
  number?: (row: number) => number;  // NaN: none
  text: (row: number) => string;
}

interface Condition { column: Column; operator: string; value: number }

const rowHeight = 26;
const spare = 6;  // rows above and below those in sight
const bins = 24;

const operators: Record<string, (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b,
};

export class Table {
  readonly element: HTMLElement;
  private readonly rows = h("div", { class: "rows", tabindex: 0, role: "grid" });
  private readonly spacer = h("div", { class: "spacer" });
  private readonly head = h("div", { class: "table-head", role: "row" });
  private readonly input = h("input", { type: "search", class: "filter", spellcheck: "false", autocomplete: "off" });
  private readonly tally = h("span", { class: "tally" });
  private readonly histogram = s("svg", { class: "histogram", viewBox: "0 0 320 62", preserveAspectRatio: "none", role: "img" });
  private readonly caption = h("div", { class: "histogram-caption" });
  private readonly chip = h("button", { class: "word chip", title: "Take all again", hidden: true });
  private readonly tracks: string;
  private readonly numbers = new Map<Column, Float64Array>();
  private order: Uint32Array;  // the rows shown, in their order
  private sortColumn: Column | null = null;
  private descending = false;
  private measured: Column | undefined;  // the column of the histogram
  private range: { column: Column; low: number; high: number } | null = null;
  private chosen = -1;
  private height = 400;  // of the rows in sight; kept, and the place of the scroll, too: to ask lays out the page
  private scrolled = 0;

  constructor(private readonly count: number, private readonly columns: Column[], private readonly noun: string, private readonly choose: (row: number) => void) {
    this.order = Uint32Array.from({ length: count }, (_, i) => i);
    this.tracks = columns.map((column) => column.width).join(" ");
    // What is wider than its place is scrolled sideways, head and rows together.
    const least = columns.reduce((sum, column) => sum + Number(/(\d+)px/.exec(column.width)![1]) + 6, 8);
    for (const part of [this.head, this.spacer]) part.style.minWidth = `max(100%, ${least}px)`;
    this.measured = columns.find((column) => column.name === "time") ?? columns.find((column) => column.number && column.name !== "number");
    const example = this.measured?.name;
    this.input.placeholder = example ? `Filter: words, or ${example}<0.5` : "Filter";
    this.input.setAttribute("aria-label", `Filter ${noun}s`);
    this.input.addEventListener("input", () => {
      this.scrollTo(0);
      this.update();
    });
    this.chip.addEventListener("click", () => this.setRange(null));
    this.rows.addEventListener("scroll", () => {
      this.scrolled = this.rows.scrollTop;
      this.drawRows();
    });
    this.rows.addEventListener("keydown", (event) => this.key(event));
    this.rows.append(this.head, this.spacer);
    this.element = h("div", { class: "table" },
      h("div", { class: "filter-line" }, this.input, this.chip, this.tally), this.caption, this.histogram, this.rows);
    new ResizeObserver(([entry]) => {
      this.height = Math.max(entry.contentRect.height - rowHeight, rowHeight);  // less the head, which stays
      this.drawRows();
    }).observe(this.rows);
    this.drawHead();
    this.update();
  }

  private values(column: Column): Float64Array {
    let values = this.numbers.get(column);
    if (!values) {
      values = Float64Array.from({ length: this.count }, (_, row) => column.number!(row));
      this.numbers.set(column, values);
    }
    return values;
  }

  private drawHead(): void {
    this.head.style.gridTemplateColumns = this.tracks;
    this.head.replaceChildren(...this.columns.map((column) => {
      const sorted = column === this.sortColumn;
      const sign = sorted ? (this.descending ? " \u2193" : " \u2191") : "";
      return h("button", {
        class: `word ${column.number ? "number" : ""}`, "data-column": column.name, title: `Sort by ${column.title}`,
        "aria-sort": sorted ? (this.descending ? "descending" : "ascending") : "none", onclick: () => this.sortBy(column),
      }, column.title + sign);
    }));
  }

  /** Up, down, as they came. */
  private sortBy(column: Column): void {
    if (column !== this.sortColumn) [this.sortColumn, this.descending] = [column, false];
    else if (!this.descending) this.descending = true;
    else this.sortColumn = null;
    if (column.number && column.name !== "number") this.measured = column;
    this.drawHead();
    this.scrollTo(0);
    this.update();
  }

  /** "word time<0.4": all of it must hold. */
  private conditions(): { words: string[]; numbers: Condition[] } {
    const words: string[] = [];
    const numbers: Condition[] = [];
    const text = this.input.value.toLowerCase().replace(/\s*(<=|>=|<|>|=)\s*/g, "$1");
    for (const token of text.split(/\s+/).filter(Boolean)) {
      const match = /^([a-z_]+)(<=|>=|<|>|=)(-?[\d.]+(?:e[-+]?\d+)?)$/.exec(token);
      const column = match && this.columns.find((one) => one.number && one.name.startsWith(match[1]));
      if (column) numbers.push({ column, operator: match[2], value: Number(match[3]) });
      else words.push(token);
    }
    return { words, numbers };
  }

  private setRange(range: Table["range"]): void {
    this.range = range;
    this.update();
  }

  private update(): void {
    const { words, numbers } = this.conditions();
    let kept: number[] | Uint32Array = Array.from({ length: this.count }, (_, i) => i);
    for (const { column, operator, value } of numbers) {
      const values = this.values(column);
      const holds = operators[operator];
      kept = kept.filter((row) => holds(values[row], value));
    }
    for (const word of words) kept = kept.filter((row) => this.columns.some((column) => column.text(row).toLowerCase().includes(word)));
    this.drawHistogram(kept);
    if (this.range) {
      const { column, low, high } = this.range;
      const values = this.values(column);
      kept = kept.filter((row) => values[row] >= low && values[row] <= high);
    }
    this.order = Uint32Array.from(kept);
    if (this.sortColumn) this.sort(this.sortColumn);
    const all = this.order.length === this.count;
    this.tally.textContent = all ? format.count(this.count) : `${format.count(this.order.length)} of ${format.count(this.count)}`;
    this.chip.hidden = !this.range;
    if (this.range) this.chip.textContent = `${this.range.column.title} ${format.number(this.range.low, 3)} \u2013 ${format.number(this.range.high, 3)} \u00d7`;
    this.spacer.style.height = `${rowHeight * this.order.length}px`;
    this.scrolled = Math.max(0, Math.min(this.scrolled, rowHeight * this.order.length - this.height));
    this.drawRows();
  }

  private sort(column: Column): void {
    const sign = this.descending ? -1 : 1;
    if (column.number) {
      const values = this.values(column);
      // Rows without a number come last, either way.
      this.order.sort((a, b) => {
        const [x, y] = [values[a], values[b]];
        if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
        return sign * (x - y) || a - b;
      });
    } else {
      const texts = Array.from({ length: this.count }, (_, row) => column.text(row));
      this.order.sort((a, b) => sign * (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0) || a - b);
    }
  }

  private drawHistogram(kept: ArrayLike<number>): void {
    const column = this.measured;
    this.histogram.replaceChildren();
    this.caption.textContent = "";
    if (!column) return;
    const values = this.values(column);
    const finite = Array.from(kept).map((row) => values[row]).filter(Number.isFinite);
    let [low, high] = [Infinity, -Infinity];
    for (const value of finite) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (!(high > low)) {
      this.caption.textContent = finite.length ? `${column.title}: ${format.number(low, 4)} everywhere` : `no ${this.noun} has a ${column.title}`;
      return;
    }
    const counts = new Array<number>(bins).fill(0);
    for (const value of finite) ++counts[Math.min(Math.floor(((value - low) / (high - low)) * bins), bins - 1)];
    const top = Math.max(...counts);
    const edge = (i: number) => low + ((high - low) * i) / bins;
    const width = 320 / bins;
    for (const [i, count] of counts.entries()) {
      const height = count ? Math.max((58 * count) / top, 1.5) : 0;
      const [from, to] = [edge(i), i === bins - 1 ? high : edge(i + 1)];
      const bar = s("g", { class: "bin", onclick: () => this.setRange({ column, low: from, high: to }) },
        s("title", {}, `${format.number(from, 4)} to ${format.number(to, 4)}: ${format.count(count)}`),
        s("rect", { x: i * width, y: 0, width, height: 62, class: "touch" }),
        s("rect", { x: i * width + 1, y: 61 - height, width: width - 2, height, class: "column" }));
      this.histogram.append(bar);
    }
    this.caption.replaceChildren(h("span", {}, format.number(low, 4)), h("span", {}, `${this.noun}s by ${column.title}, most ${format.count(top)}`), h("span", {}, format.number(high, 4)));
  }

  private drawRows(): void {
    const first = Math.max(0, Math.floor(this.scrolled / rowHeight) - spare);
    const last = Math.min(this.order.length, Math.ceil((this.scrolled + this.height) / rowHeight) + spare);
    const shown: HTMLElement[] = [];
    for (let i = first; i < last; ++i) {
      const row = this.order[i];
      shown.push(h("div", {
        class: "row", role: "row", "data-row": row, "aria-selected": String(row === this.chosen),
        style: `top:${i * rowHeight}px;grid-template-columns:${this.tracks}`, onclick: () => this.pick(row),
      }, ...this.columns.map((column) => h("span", column.number ? { class: "number" } : {}, column.text(row)))));
    }
    this.spacer.replaceChildren(...shown);
  }

  private pick(row: number): void {
    this.select(row);
    this.choose(row);
  }

  /** Marks a row and brings it into sight. */
  select(row: number): void {
    this.chosen = row;
    const at = this.order.indexOf(row);
    if (at >= 0) {
      const top = at * rowHeight;
      if (top < this.scrolled) this.scrollTo(top);
      else if (top + rowHeight > this.scrolled + this.height) this.scrollTo(top + rowHeight - this.height);
    }
    this.drawRows();
  }

  private scrollTo(top: number): void {
    this.scrolled = top;
    requestAnimationFrame(() => { this.rows.scrollTop = top; });
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (!step || !this.order.length) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.order.indexOf(this.chosen);
    this.pick(this.order[Math.min(Math.max(at + step, 0), this.order.length - 1)]);
  }
}
