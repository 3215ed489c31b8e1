// What leaves the page: pictures, films, links; and the report that comes in to be compared.
import { h } from "./dom";
import { download, Film, fileName } from "./film";
import { toHash, type Look } from "./link";
import { readReport, type Report } from "./report";
import type { Stage } from "./stage";

/** What saving needs of the page. */
export interface Subject {
  title(): string;
  look(): Look;
  play(on: boolean): void;
  rewind(): void;
}

const sayable = (error: unknown) => (error instanceof Error ? error.message : String(error));

export class Saving {
  /** A line of text over the picture. */
  readonly notice = h("div", { class: "notice", id: "notice", role: "status", hidden: true });
  private film: Film | null = null;
  private timer = 0;

  constructor(private readonly stage: Stage | null, private readonly subject: Subject) {}

  get isFilming(): boolean {
    return this.film !== null;
  }

  async copyLink(): Promise<void> {
    location.hash = toHash(this.subject.look());
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("Link copied: it shows this time from here.");
    } catch {
      this.say("The page's address now shows this time from here.");
    }
  }

  async picture(): Promise<void> {
    if (!this.stage) return;
    try {
      download(await this.stage.picture(), `${fileName(this.subject.title())}.png`);
    } catch (error) {
      this.say(sayable(error));
    }
  }

  startFilm(): void {
    if (!this.stage || this.film) return;
    this.subject.play(false);
    this.subject.rewind();
    this.stage.keepSharp = true;
    this.film = new Film(this.stage.renderer.domElement);
    this.say("Taking a film; pause ends it.", true);
    this.subject.play(true);
  }

  async endFilm(): Promise<void> {
    const film = this.film;
    if (!film) return;
    this.film = null;
    if (this.stage) this.stage.keepSharp = false;
    const blob = await film.stop();
    this.notice.hidden = true;
    if (blob.size) download(blob, `${fileName(this.subject.title())}.webm`);
    else this.say("This browser gave no film.");
  }

  /** Asks for a file with another report. */
  chooseOther(compare: (other: Report) => void): void {
    const input = h("input", { type: "file", id: "other", accept: ".json,application/json" });
    input.addEventListener("change", async () => {
      try {
        compare(readReport(await input.files![0].text()));
      } catch (error) {
        this.say(sayable(error));
      }
    });
    input.click();
  }

  private say(text: string, stays = false): void {
    this.notice.textContent = text;
    this.notice.hidden = false;
    clearTimeout(this.timer);
    if (!stays) this.timer = window.setTimeout(() => { this.notice.hidden = true; }, 3500);
  }
}
