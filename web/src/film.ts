// Saving what is seen: a picture as PNG, a film as WebM.
import { h } from "./dom";

export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = h("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name for a file, from a title. */
export function fileName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9.]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "toccata";
}

export function canFilm(canvas: HTMLCanvasElement): boolean {
  return typeof MediaRecorder !== "undefined" && typeof canvas.captureStream === "function";
}

/** Records the canvas from now until stop(), which gives the film. */
export class Film {
  private readonly recorder: MediaRecorder;
  private readonly chunks: Blob[] = [];

  constructor(canvas: HTMLCanvasElement) {
    const types = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
    const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type));
    this.recorder = new MediaRecorder(canvas.captureStream(30), { mimeType, videoBitsPerSecond: 12_000_000 });
    this.recorder.addEventListener("dataavailable", (event) => {
      if (event.data.size) this.chunks.push(event.data);
    });
    this.recorder.start(500);
  }

  stop(): Promise<Blob> {
    return new Promise((done) => {
      this.recorder.addEventListener("stop", () => done(new Blob(this.chunks, { type: "video/webm" })));
      this.recorder.stop();
    });
  }
}
