import {
  claudeCode,
  createIdeServer,
  type Dialect,
  type EditorCommand,
  type EditorHost,
  type IdeServer,
  type Platform,
  type PosixPath,
  runCommand,
  type ShareLevel,
  toNativePath,
  toPosixPath,
} from "@idewire/core";
import { type LegacyRevision, locateCommand, systemClock } from "@idewire/core/internal";
import { messageOf } from "@idewire/core/internal/base";
import { type Clock, CloseCode, ToolFailure, type Transport } from "@idewire/core/rpc";
import type { InMemoryEditor } from "@idewire/core/testing";
import { ScriptedAnswers } from "../scenario/editor/scripted-answers.ts";
import type { WorkspaceFiles } from "../scenario/editor/workspace-files.ts";
import type { FrameInterceptor } from "../trace/faults/fault-injector.ts";
import type { ActionEvent, Direction } from "../trace/format/trace-event.ts";
import { EventLog } from "../trace/recording/event-log.ts";
import { SimulatedAgent } from "./simulated-agent.ts";
import { createSimulatedEditor } from "./simulated-editor.ts";
import { createSimulatedWire, type SimulatedWire } from "./simulated-wire.ts";

/** The options of a simulation. */
export interface SimulationOptions {
  /** Texts by their paths in the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** `/home/me/vault` when left out. */
  readonly folder?: PosixPath;
  readonly platform?: Platform;
  readonly dialect?: Dialect;
  /** The name in the agent's `clientInfo`. */
  readonly agentName?: string;
  readonly share?: ShareLevel;
  readonly clock?: Clock;
  /** The time of the log; `performance.now` when left out. */
  readonly now?: () => number;
  /** How long a frame travels; 4 ms when left out. */
  readonly latencyMs?: number;
}

/** How an agent connects. */
export interface ConnectAgentOptions {
  readonly protocolVersion?: LegacyRevision;
  /** With a token that is not the editor's, so it is refused. */
  readonly wrongToken?: boolean;
}

/** The port of a simulated editor in the log. */
export const SIMULATED_PORT = 52_014;

/** An editor and an agent in one program, with every frame between them in a log. */
export class Simulation {
  readonly log: EventLog;
  readonly editor: InMemoryEditor;
  /** The part of the editor that agents see. */
  readonly host: EditorHost;
  readonly agent: SimulatedAgent;
  readonly clock: Clock;
  /** The files of the workspace as saved. */
  readonly files: WorkspaceFiles;
  /** Rules for the answers of tools. */
  readonly answers: ScriptedAnswers;
  readonly server: IdeServer;
  readonly #options: SimulationOptions;
  #wire: SimulatedWire | undefined;
  #faults: (() => FrameInterceptor) | undefined;
  #connections = 0;
  #proposals = 0;
  /** The agent read the lock file before its token changed. */
  #hasOldToken = false;

  constructor(options: SimulationOptions) {
    const { now, clock = systemClock, platform = "posix", dialect = claudeCode, share } = options;
    const folder = options.folder ?? ("/home/me/vault" as PosixPath);
    this.#options = options;
    this.clock = clock;
    this.log = new EventLog(now === undefined ? {} : { now });
    this.answers = new ScriptedAnswers(clock);
    const { editor, files, host } = createSimulatedEditor({
      ...{ folder, platform, files: options.files },
      onchange: (change) =>
        this.log.append({ ev: "editor", change }, this.#wire?.causeOf("ide>agent")),
    });
    this.editor = editor;
    this.files = files;
    this.host = host;
    this.server = createIdeServer({
      ...{ host, dialect: this.answers.wrap(dialect), platform, clock },
      share: { level: share ?? "all" },
    });
    this.log.append({ ev: "lock", what: "created", file: `${SIMULATED_PORT}.lock` });
    this.agent = new SimulatedAgent({
      clock,
      ...(options.agentName !== undefined && { name: options.agentName }),
      send: (text) => this.log.append({ ev: "transcript", text }, this.#wire?.causeOf("agent>ide")),
      write: (path, text) => this.#write(path, text),
    });
  }

  get connected(): boolean {
    return this.agent.connected;
  }

  /** Logs an action, performs it, and records it as the cause of the frames that follow. */
  perform<T>(who: ActionEvent["who"], text: string, act: () => T): T {
    const { n } = this.log.append({ ev: "action", who, text });
    this.#wire?.attribute(who === "person" ? "ide>agent" : "agent>ide", n);
    return act();
  }

  /** Connects the agent; settles when the handshake is complete, or has failed. */
  async connect(options: ConnectAgentOptions = {}): Promise<void> {
    this.#connections += 1;
    const ch = `c${this.#connections}`;
    const upgrade = { ev: "control", ch, dir: "agent>ide", op: "upgrade" } as const;
    const { n } = this.log.append({
      ...upgrade,
      text: `GET / HTTP/1.1 to 127.0.0.1:${SIMULATED_PORT}`,
    });
    const wire = createSimulatedWire({
      ...{ ch, log: this.log, clock: this.clock, protocol: "mcp" },
      latencyMs: this.#options.latencyMs ?? 4,
      ...(this.#faults !== undefined && { assess: this.#faults() }),
    });
    wire.attribute("agent>ide", n);
    this.#wire = wire;
    if (options.wrongToken === true || this.#hasOldToken) {
      const text = this.#hasOldToken
        ? "the token was changed since the agent read the lock file"
        : "the token is not the one in the lock file";
      // After the refusal it reads the file again.
      this.#hasOldToken = false;
      this.log.append({ ev: "control", ch, dir: "ide>agent", op: "refused", text });
      wire.ide.close(CloseCode.PolicyViolation, "Invalid or missing authentication token");
      return;
    }
    this.server.open(wire.ide);
    await this.agent.connect(wire.agent, options.protocolVersion).catch((error: unknown) => {
      const text = `Could not connect: ${messageOf(error)}`;
      this.log.append({ ev: "transcript", text });
    });
  }

  /** Connects an agent other than the simulated one, whose frames are not logged. */
  admit(transport: Transport): void {
    this.server.open(transport);
  }

  disconnect(code?: number, reason?: string): void {
    this.#wire?.agent.close(code, reason);
  }

  /** Closes the editor. */
  closeEditor(): void {
    this.#wire?.ide.close(CloseCode.GoingAway, "the editor was closed");
    this.log.append({ ev: "lock", what: "removed", file: `${SIMULATED_PORT}.lock` });
  }

  /** Restarts the editor; with a new token, an agent with the old one is refused, once. */
  restart(token: "same" | "new"): void {
    this.closeEditor();
    if (token === "new") this.log.append({ ev: "fault", text: "the editor has another token" });
    this.log.append({ ev: "lock", what: "created", file: `${SIMULATED_PORT}.lock` });
    this.#hasOldToken = token === "new";
  }

  /** Injects faults on this connection and on all later ones; undefined for none. */
  setFaults(createInterceptor: (() => FrameInterceptor) | undefined): void {
    this.#faults = createInterceptor;
    this.#wire?.setInterceptor(createInterceptor?.());
  }

  /** Sends a frame that neither end wrote. */
  send(dir: Direction, raw: string, by?: number): void {
    this.#wire?.inject(dir, raw, by);
  }

  /** Makes the agent propose a change of a file and wait for the answer. */
  propose(path: string, text: string): void {
    this.#proposals += 1;
    const title = `${path} (proposal ${this.#proposals})`;
    const change = { path: this.nativePath(path), text, title };
    this.agent.propose(change).catch((error: unknown) => {
      this.log.append({ ev: "transcript", text: `Abandoned the change: ${messageOf(error)}` });
    });
  }

  /**
   * Performs a command of the person, at once; paths are relative to the folder.
   * @throws ToolFailure when it is not possible
   */
  command(command: EditorCommand<string>): ReturnType<typeof runCommand> {
    return runCommand(
      this.editor,
      locateCommand(command, (path) => this.pathOf(path)),
      "page",
    );
  }

  pathOf(path: string): PosixPath {
    return `${this.editor.folders[0]?.path}/${path}` as PosixPath;
  }

  /**
   * The text of a file, unsaved first.
   * @throws ToolFailure when there is no such file
   */
  textOf(path: string): string {
    const text = this.editor.textOf(this.pathOf(path));
    if (text === undefined) throw new ToolFailure(`${path}: there is no such file`);
    return text;
  }

  /** The path of a file as the agent writes it. */
  nativePath(path: string): string {
    return toNativePath(this.pathOf(path), this.#options.platform ?? "posix");
  }

  /** Closes both ends; nothing is sent any more. */
  close(): void {
    this.#wire?.ide.close();
    this.server.close();
  }

  #write(native: string, text: string): void {
    const path = toPosixPath(native, this.#options.platform ?? "posix");
    if (path.ok) this.editor.writeFile(path.value, text);
  }
}
