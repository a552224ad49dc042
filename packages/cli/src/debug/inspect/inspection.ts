import type { FoundEditor } from "@idewire/node-server";
import type { InspectLog } from "./inspect-log.ts";

/** The editor that is looked at, without its token. */
export type InspectedEditor = Omit<FoundEditor, "token" | "pathMap">;

/** An inspection of what an agent and an editor send. The caller closes it. */
export interface Inspection {
  /** `proxy` stands between agents and the editor; `agent` is an agent itself. */
  readonly mode: "proxy" | "agent";
  readonly log: InspectLog;
  /** As it was last found. */
  readonly editor: InspectedEditor;
  /** Where agents find it, when it stands in front of the editor. */
  readonly proxy?: { readonly port: number; readonly lockFile: string };
  /** As an agent: sends any frame to the editor; false when it is not connected. */
  readonly send?: (frame: string) => boolean;
  close(): Promise<void>;
}

/** What may be shown of an editor: no token. */
export function withoutToken({ token: _, pathMap: __, ...editor }: FoundEditor): InspectedEditor {
  return editor;
}
