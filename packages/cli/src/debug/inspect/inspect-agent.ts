import type { Transport } from "@idewire/core/rpc";
import { recordTransport } from "@idewire/devtools/trace";
import type { IdeConnection } from "@idewire/node-server";
import { connectIde } from "@idewire/node-server";
import { type EditorAtPort, isAtPort } from "@idewire/node-server/internal";
import { readVersion } from "../../process/version.ts";
import type { InspectLog } from "./inspect-log.ts";
import { type EditorInspection, withoutToken } from "./inspection.ts";
import type { TargetOptions } from "./target.ts";

/** The editor, and how it is found again. */
export interface InspectAgentOptions {
  readonly target: EditorAtPort;
  readonly search: TargetOptions;
  readonly log: InspectLog;
}

/**
 * Connects to an editor as an agent, and logs all messages of both. Reconnects when the editor restarts.
 * @throws as {@link connectIde}
 */
export async function openInspectAgent(options: InspectAgentOptions): Promise<EditorInspection> {
  const { target, search, log } = options;
  log.hide(target.token);
  let current = target;
  let wire: Transport | undefined;
  const { port, lockFile, ...find } = search;
  const isNamed = port !== undefined || lockFile !== undefined;
  const ide = await connectIde({
    ...find,
    ...(port !== undefined && { env: { ...find.env, CLAUDE_CODE_SSE_PORT: String(port) } }),
    name: "idewire-inspect",
    version: readVersion(),
    choose(editors) {
      const real = editors.filter(isAtPort).filter(({ inspects }) => inspects === undefined);
      const same = real.filter((editor) => editor.lockFile === current.lockFile);
      const [next] = same.length > 0 ? same : isNamed ? [current] : real;
      if (next === undefined) return [];
      log.hide(next.token);
      current = next;
      return [next];
    },
    wrapTransport(transport) {
      wire = recordTransport(transport, {
        ...{ log, ch: log.name(), sends: "agent>ide", protocol: "mcp" },
      });
      return wire;
    },
  });
  emit(ide, log);
  return {
    ...{ mode: "agent", log },
    get editor() {
      return withoutToken(current);
    },
    send(frame) {
      if (ide.editor === undefined || wire === undefined) return false;
      wire.send(frame);
      return true;
    },
    close: () => ide.close(),
  };
}

function emit(ide: IdeConnection, log: InspectLog): void {
  const connected = (): void => {
    const { name = "", port = 0, tools = [] } = ide.editor ?? {};
    log.print(`Connected to ${name} on port ${port}, which has ${tools.length} tools.`);
  };
  connected();
  ide.on("connected", connected);
  ide.on("disconnected", ({ code, reason }, retryInMs) => {
    const why = reason === "" ? "" : `: ${reason}`;
    const next = retryInMs === undefined ? "" : " Looking for it again.";
    log.print(`The editor has disconnected (${code}${why}).${next}`);
  });
  ide.on("retryFailed", ({ message }, retryInMs) => {
    const [why = ""] = message.split("\n");
    const next = retryInMs === undefined ? "" : ` Again in ${Math.round(retryInMs / 1000)} s.`;
    log.print(`${why}.${next}`.replace("..", "."));
  });
}
