import type { PageModel } from "./page-model.ts";

/** The text of the frame that is event number `n` of what is shown. */
export function rawOf({ log }: Pick<PageModel, "log">, n: number): string {
  const event = log.at(n);
  return event?.ev === "frame" ? event.raw : "";
}
