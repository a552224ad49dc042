import type { InspectedServers } from "@idewire/devtools/internal";
import type { EditorAtPort } from "@idewire/node-server/internal";
import type { InspectLog } from "./inspect-log.ts";

/** The inspected editor, without its token. */
export type InspectedEditor = Omit<EditorAtPort, "token" | "pathMap">;

/** An inspection of the traffic with an editor or with MCP servers. The caller closes it. */
export type Inspection = EditorInspection | ServerInspection;

/** An inspection of the traffic between an agent and an editor. */
export interface EditorInspection {
  /** `proxy` is between agents and the editor; `agent` is an agent itself. */
  readonly mode: "proxy" | "agent";
  readonly log: InspectLog;
  /** As last found. */
  readonly editor: InspectedEditor;
  /** Where agents find the inspection if it is a proxy. */
  readonly proxy?: { readonly port: number; readonly lockFile: string };
  /** As an agent: sends any frame to the editor; false when it is not connected. */
  readonly send?: (frame: string) => boolean;
  close(): Promise<void>;
}

/** An inspection of MCP servers, as their client. */
export interface ServerInspection {
  readonly mode: "server";
  readonly log: InspectLog;
  readonly servers: InspectedServers;
  close(): Promise<void>;
}

/** The editor without its token, for display. */
export function withoutToken({ token: _, pathMap: __, ...editor }: EditorAtPort): InspectedEditor {
  return editor;
}
