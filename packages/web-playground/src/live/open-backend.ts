import { EventLog } from "@idewire/devtools/trace";
import type { PageModel } from "../state/page-model.ts";
import { PageFolder } from "./page-folder.ts";

/** Connects to the backend, a folder or an inspection. */
export async function openBackend(model: PageModel, behind: string): Promise<void> {
  if (behind === "inspect") {
    const { Inspector } = await import("../inspect/views.ts");
    model.showInspector(new Inspector(model), new EventLog());
  } else {
    model.showLive(new PageFolder(model), new EventLog());
  }
}
