// Starts the page: one report, or two beside each other.
import { Comparison } from "./compare";
import { h } from "./dom";
import { Page } from "./page";
import { readReports } from "./report";

function start(): void {
  const app = document.getElementById("app")!;
  const fail = (error: unknown) =>
    app.replaceChildren(h("p", { class: "failure", id: "failure" }, error instanceof Error ? error.message : String(error)));
  try {
    const reports = readReports(document.getElementById("report")!.textContent ?? "");
    const compare = (other: typeof reports[0]) => {
      (window as unknown as { toccata: unknown }).toccata = new Comparison(app, [reports[0], other]);
    };
    if (reports.length === 2) compare(reports[1]);
    else (window as unknown as { toccata: unknown }).toccata = new Page(app, reports[0], compare);
  } catch (error) {
    fail(error);
  }
}

start();
