import { EventLog } from "@idewire/devtools/trace";
import type { PageModel } from "../../state/page-model.ts";
import { Inspector } from "../inspector.ts";
import { InPageLink } from "./in-page-link.ts";
import { openPageInspection } from "./page-inspection.ts";

/** Inspects the server that the fragment of the address names. */
export function openInPage(model: PageModel): void {
  window.addEventListener("hashchange", () => location.reload());
  const url = new URLSearchParams(location.hash.slice(1)).get("url") ?? "";
  const serve = openPageInspection(url);
  const inspector = new Inspector(model, (listener) => new InPageLink(listener, serve));
  model.showInspector(inspector, new EventLog());
}
