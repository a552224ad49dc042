import { EventLog } from "@idewire/devtools/trace";
import type { PageModel } from "../state/page-model.ts";
import { LiveSocket } from "./live-socket.ts";
import { PageFolder } from "./page-folder.ts";

/** Connects to the backend: a folder, an inspection, or an inspection in this page itself. */
export async function openBackend(model: PageModel, behind: string): Promise<void> {
  if (behind === "inspect") {
    const { Inspector } = await import("../inspect/views.ts");
    const inspector = new Inspector(model, (listener) => new LiveSocket(listener));
    model.showInspector(inspector, new EventLog());
  } else if (behind === "in-page") {
    const { openInPage } = await import("../inspect/in-page/open-in-page.ts");
    openInPage(model);
  } else {
    model.showLive(new PageFolder(model), new EventLog());
  }
}
