// A button that opens a small list of things to do or to switch.
import { h, icon } from "./dom";

export interface MenuItem {
  id: string;
  label: string;
  key?: string;
  act(): void;
  pressed?(): boolean;  // of switches
  hidden?(): boolean;
}

export class Menu {
  readonly button: HTMLButtonElement;
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "menu-list", role: "menu", hidden: true });
  private readonly entries: { item: MenuItem; element: HTMLButtonElement }[];

  constructor(id: string, title: string, path: string, items: MenuItem[], extra?: HTMLElement) {
    this.button = h("button", { id, title, "aria-label": title, "aria-haspopup": "menu", "aria-expanded": "false", onclick: () => this.open(this.list.hidden) }, icon(path));
    this.entries = items.map((item) => ({
      item,
      element: h("button", {
        id: item.id, class: "menu-item", role: item.pressed ? "menuitemcheckbox" : "menuitem",
        onclick: () => {
          item.act();
          if (item.pressed) this.update();
          else this.open(false);
        },
      }, h("span", {}, item.label), item.key && h("kbd", {}, item.key)),
    }));
    this.list.append(...this.entries.map(({ element }) => element));
    if (extra) this.list.append(extra);
    this.element = h("div", { class: "menu" }, this.button, this.list);
    document.addEventListener("pointerdown", (event) => {
      if (!this.element.contains(event.target as Node)) this.open(false);
    });
    this.element.addEventListener("keydown", (event) => this.keyIn(event));
    this.update();
  }

  private keyIn(event: KeyboardEvent): void {
    if (this.list.hidden) return;
    if (event.key === "Escape") {
      this.open(false);
      this.button.focus();
      event.stopPropagation();
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    event.stopPropagation();
    const shown = this.entries.map(({ element }) => element).filter((element) => !element.hidden);
    const now = shown.indexOf(document.activeElement as HTMLButtonElement);
    shown[(now + (event.key === "ArrowDown" ? 1 : shown.length - 1) + (now < 0 && event.key === "ArrowUp" ? 1 : 0)) % shown.length]?.focus();
  }

  open(on: boolean): void {
    this.list.hidden = !on;
    this.button.setAttribute("aria-expanded", String(on));
    if (on) this.update();
  }

  update(): void {
    for (const { item, element } of this.entries) {
      element.hidden = item.hidden?.() ?? false;
      if (item.pressed) element.setAttribute("aria-checked", String(item.pressed()));
    }
  }
}
