// The ending of a question, in a word or two.
import { h } from "./dom";
import type { Report, Result } from "./report";

const statusNames: Record<Result["status"], string> = {
  contact: "contact", separated: "no contact", overlap_at_start: "touching at the start", out_of_budget: "undecided",
  failed: "not answered",
};

/** Bodies at rest have no start: they touch, or they are apart. */
const restingNames: Partial<Record<Result["status"], string>> = { overlap_at_start: "touching", separated: "apart" };

export const isTimed = (report: Report) =>
  report.query !== "distance" && report.query !== "intersect" && report.query !== "penetration";

export function hasContact(result: Result | undefined): boolean {
  return result !== undefined && (result.status === "contact" || result.status === "overlap_at_start");
}

/** The sentence of an answer stands in the report; this is for a pill or a row. */
export function statusName(report: Report, result: Result): string {
  if (result.inside) return isTimed(report) ? "inside at the start" : "inside";
  if (result.depth && result.depth[0] > 0) return "overlapping";
  return (isTimed(report) ? undefined : restingNames[result.status]) ?? statusNames[result.status];
}

export function statusPill(report: Report, result: Result): HTMLElement {
  const kind = result.inside ? "overlap_at_start" : result.status;
  return h("span", { class: `pill ${kind}`, id: "status" }, statusName(report, result));
}
