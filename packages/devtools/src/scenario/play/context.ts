import { createIdeServer, type IdeServer, type Platform, type PosixPath } from "@idewire/core";
import { systemClock } from "@idewire/core/internal";
import { type Clock, CloseCode, type Params, type Transport } from "@idewire/core/rpc";
import { ScriptedIde } from "../editor/scripted-ide.ts";
import { memoryFiles, type WorkspaceFiles } from "../editor/workspace-files.ts";
import type { Scenario, ScenarioActions } from "../file/model.ts";

/** What a scenario is played on: the editor and its connections. */
export interface ScenarioContext {
  readonly ide: ScriptedIde;
  /** Sends a notification to every agent. */
  notify(method: string, params: Params | undefined): void;
  /** Cuts all connections. */
  drop(): Promise<void>;
  /** Stops the editor and starts it again. */
  restart(how: ScenarioActions["restart"]): Promise<void>;
}

/** A context in memory: agents connect over any transport, and tokens have no meaning. */
export interface MemoryContext extends ScenarioContext {
  /** Serves one agent. */
  open(transport: Transport): void;
  close(): void;
}

/** What {@link createMemoryContext} starts from. */
export interface MemoryContextOptions {
  /** `/workspace` when left out. */
  readonly folder?: PosixPath;
  readonly platform?: Platform;
  /** Those of the scenario's header, in memory, when left out. */
  readonly files?: WorkspaceFiles;
  readonly clock?: Clock;
  /** A source of milliseconds; the system's when left out. */
  readonly now?: () => number;
}

/** Sets up a scenario without a socket and without a disk. */
export function createMemoryContext(
  scenario: Scenario,
  options: MemoryContextOptions = {},
): MemoryContext {
  const { clock = systemClock, platform = "posix" } = options;
  const ide = new ScriptedIde(scenario, {
    folder: options.folder ?? ("/workspace" as PosixPath),
    platform,
    files: options.files ?? memoryFiles(scenario.header.files),
    clock,
    now: options.now ?? (() => performance.now()),
  });
  const { host, dialect, share, log } = ide;
  const listen = (): IdeServer => {
    const opened = createIdeServer({ host, dialect, share, clock, platform });
    opened.events.on("ready", () => log.add({ kind: "ready" }));
    return opened;
  };
  let server = listen();
  return {
    ide,
    open: (transport) => void server.open(ide.watch(transport)),
    notify: (method, params) => notifyAll(server.sessions, method, params),
    drop: () => dropAll(server.sessions),
    restart: async () => {
      server.close();
      server = listen();
    },
    close: () => server.close(),
  };
}

type Sessions = IdeServer["sessions"];

/** Sends a notification to every connected agent. */
export function notifyAll(sessions: Sessions, method: string, params: Params | undefined): void {
  for (const { connection } of sessions) connection.peer.notify(method, params);
}

/** Closes all connections as an editor that goes away does: the agents may reconnect. */
export async function dropAll(sessions: Sessions): Promise<void> {
  const ended = [...sessions].map((session) => session.closed);
  for (const session of sessions) session.close(CloseCode.GoingAway, "dropped");
  await Promise.all(ended);
}
