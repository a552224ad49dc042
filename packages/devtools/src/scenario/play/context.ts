import { createIdeServer, type IdeServer, type Platform, type PosixPath } from "@idewire/core";
import { formatNotification, systemClock } from "@idewire/core/internal";
import { type Clock, CloseCode, type Params, type Transport } from "@idewire/core/rpc";
import type { PageCommentTag } from "../../page-comment-tags.ts";
import type { SimulatedAgent } from "../../simulation/simulated-agent.ts";
import { exactJson } from "../../trace/exact-json.ts";
import type { FrameInterceptor } from "../../trace/faults/fault-injector.ts";
import type { Direction } from "../../trace/format/trace-event.ts";
import type { ScenarioIde } from "../editor/scenario-ide.ts";
import { ScriptedIde } from "../editor/scripted-ide.ts";
import { memoryFiles, type WorkspaceFiles } from "../editor/workspace-files.ts";
import {
  type Scenario,
  type ScenarioActions,
  type ScenarioAgentActions,
  scenarioFiles,
} from "../file/model.ts";

/** An agent by script, and the wire between it and the editor. */
export interface SimulatedEnds {
  readonly agent: Pick<SimulatedAgent, "answerInTerminal" | "call" | "request">;
  connect(options: ScenarioAgentActions["connect"]): Promise<void>;
  disconnect(code?: number): void;
  /** Proposes a text for a file of the workspace. */
  propose(path: string, text: string): void;
  setFaults(createInterceptor: (() => FrameInterceptor) | undefined): void;
  send(dir: Direction, raw: string): void;
  closeEditor(): void;
}

/** A comment beside the code; its line counts from 1. */
export interface ScenarioComment {
  readonly path: string;
  readonly line: number;
  readonly tag: PageCommentTag;
  readonly text: string;
}

/** What a scenario is played on: the editor and its connections. */
export interface ScenarioContext {
  readonly ide: ScenarioIde;
  /** Sends a notification to every agent. */
  notify(method: string, params: Params | undefined): void;
  /** Closes all connections. */
  drop(): Promise<void>;
  /** Stops the editor and starts it again. */
  restart(how: ScenarioActions["restart"]): Promise<void>;
  /** Missing where the agent is not simulated. */
  readonly simulation?: SimulatedEnds;
  /** Adds a comment beside the code; false when that failed. Missing where there are none. */
  comment?(comment: ScenarioComment): boolean | Promise<boolean>;
}

/** A context in memory: agents connect over any transport, and tokens have no meaning. */
export interface MemoryContext extends ScenarioContext {
  readonly ide: ScriptedIde;
  /** Serves one agent. */
  open(transport: Transport): void;
  close(): void;
}

/** The options of {@link createMemoryContext}. */
export interface MemoryContextOptions {
  /** `/workspace` when left out. */
  readonly folder?: PosixPath;
  readonly platform?: Platform;
  /** Those of the scenario's header, in memory, when left out. */
  readonly files?: WorkspaceFiles;
  readonly clock?: Clock;
  /** Returns the time in milliseconds; the system's clock when left out. */
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
    files: options.files ?? memoryFiles(scenarioFiles(scenario.header)),
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
  const frame = formatNotification(method, params, exactJson);
  for (const { connection } of sessions) connection.peer.send(frame);
}

/** Closes all connections as a closing editor does: the agents may reconnect. */
export async function dropAll(sessions: Sessions): Promise<void> {
  const ended = [...sessions].map((session) => session.closed);
  for (const session of sessions) session.close(CloseCode.GoingAway, "dropped");
  await Promise.all(ended);
}
