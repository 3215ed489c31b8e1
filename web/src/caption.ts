// A few words at a place of the picture.
import type { Content } from "./content";
import { h } from "./dom";
import type { Stage } from "./stage";

export class Caption {
  private readonly element = h("div", { class: "measure", id: "caption", hidden: true });

  constructor(stage: Stage, content: Content, view: HTMLElement) {
    view.append(this.element);
    stage.afterRender.push(() => {
      const caption = content.caption();
      this.element.hidden = caption === null;
      if (!caption) return;
      const { x, y } = stage.project(caption.at);
      this.element.textContent = caption.text;
      this.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(18px, 40%)`;
    });
  }
}
