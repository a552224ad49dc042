import { EventLog } from "@idewire/devtools/trace";
import type { Session } from "../state/session.ts";
import { LiveFolder } from "./live-folder.ts";

/** Joins what is behind the page, a folder or an inspection. */
export async function openBehind(session: Session, behind: string): Promise<void> {
  if (behind === "inspect") {
    const { Inspector } = await import("../inspect/views.ts");
    session.showInspector(new Inspector(session), new EventLog());
  } else {
    session.showLive(new LiveFolder(session), new EventLog());
  }
}
