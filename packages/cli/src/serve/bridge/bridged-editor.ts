import { clearTimeout, setTimeout } from "node:timers";
import type { PathMap, Unsubscribe } from "@idewire/core";
import { Emitter } from "@idewire/core";
import { BackOff, describeValue, shellQuote } from "@idewire/core/internal";
import { IdewireError, type Params, type RequestOptions, ToolFailure } from "@idewire/core/rpc";
import type { CallToolResult, Implementation } from "@idewire/core/server";
import type {
  ConnectedEditor,
  EditorSelection,
  FoundEditor,
  IdeConnection,
} from "@idewire/node-server";
import { connectIde } from "@idewire/node-server";
import { mapArguments } from "@idewire/node-server/internal";
import type { Environment } from "@idewire/node-server/internal/files";

/** The editor of a bridge. */
export interface BridgedEditorOptions extends Implementation {
  /** The native folder of the editor. */
  readonly cwd: string;
  readonly env: Environment;
  readonly pathMap?: PathMap | undefined;
  /** A part of the editor's name, or its port, to choose among several for the folder. */
  readonly pick?: string | undefined;
}

interface BridgedEditorEvents {
  /** The editor has connected or reconnected. */
  came(editor: ConnectedEditor): void;
  went(name: string): void;
  /** Its tools have changed while it was connected. */
  tools(): void;
  selection(): void;
  /** Its diagnostics have changed, if the editor reports that. */
  diagnostics(): void;
  /** Several editors are for the folder; the chosen one first. */
  several(editors: readonly FoundEditor[]): void;
}

const LONGEST_DELAY_MS = 5_000;

/** The editor of a folder, while it is running. The caller closes it. */
export class BridgedEditor {
  readonly #options: BridgedEditorOptions;
  readonly #events = new Emitter<BridgedEditorEvents>();
  readonly #backOff = new BackOff({
    startsAtOnce: true,
    maxDelayMs: LONGEST_DELAY_MS,
    random: Math.random,
  });
  #ide: IdeConnection | undefined;
  #trying: Promise<void> | undefined;
  #isClosed = false;
  /** Why no editor is connected. */
  #why = "The search for an editor has not started yet";
  /** Resolves when the editor has had time to send its selection. */
  #selectionSent: Promise<void> = Promise.resolve();
  /** Whether the connected editor has notified a change of its diagnostics. */
  #notifiesDiagnostics = false;

  constructor(options: BridgedEditorOptions) {
    this.#options = options;
  }

  /** Undefined while it is disconnected. */
  get editor(): ConnectedEditor | undefined {
    return this.#ide?.editor;
  }

  on<E extends keyof BridgedEditorEvents>(event: E, listener: BridgedEditorEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /** Whether the editor notifies changes of a tool's result. */
  notifiesOf(tool: string): boolean {
    return tool === "getDiagnostics" && this.#notifiesDiagnostics;
  }

  /**
   * Looks for the editor, now and until it is found.
   * @returns after the first attempt: why there is none; undefined if there is one, or the bridge was closed
   */
  async start(): Promise<string | undefined> {
    await this.#try();
    return this.editor === undefined && !this.#isClosed ? this.#why : undefined;
  }

  /**
   * The selection, once a new connection has sent it.
   * @throws ToolFailure with the remedy, when there is no editor
   */
  async readSelection(): Promise<EditorSelection | undefined> {
    await this.#demand();
    await this.#selectionSent;
    return this.#ide?.selection;
  }

  /**
   * Calls a tool of the editor.
   * @throws ToolFailure with the remedy, when there is none, or when it disconnects meanwhile
   */
  async call(name: string, args: Params, options: RequestOptions): Promise<CallToolResult> {
    const { ide, editor } = await this.#demand();
    try {
      return await ide.callTool(name, mapArguments(args, this.#options.pathMap), options);
    } catch (error) {
      if (!(error instanceof IdewireError) || !GONE.has(error.code)) throw error;
      const what = `${editor.name} was closed during ${name}: the outcome is unknown`;
      throw new ToolFailure(`${what}. Open the editor again, check, and then call again.`);
    }
  }

  /** Waits for a pending handshake, which may be long if the editor hangs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#backOff.cancel();
    await this.#trying;
    await this.#ide?.close();
  }

  /** The editor, after another attempt to find a disconnected one. */
  async #demand(): Promise<{ readonly ide: IdeConnection; readonly editor: ConnectedEditor }> {
    if (this.editor === undefined) await this.#try();
    const ide = this.#ide;
    const { editor } = this;
    if (ide === undefined || editor === undefined) throw new ToolFailure(this.#why);
    return { ide, editor };
  }

  #try(): Promise<void> {
    this.#trying ??= this.#connect()
      .then((ide) => this.#adopt(ide))
      .catch((error: Error) => {
        this.#why = error.message;
        this.#tryLater();
      })
      .finally(() => {
        this.#trying = undefined;
      });
    return this.#trying;
  }

  #tryLater(): void {
    if (!this.#isClosed) this.#backOff.schedule(() => void this.#try());
  }

  #connect(): Promise<IdeConnection> {
    const { pick: _, ...search } = this.#options;
    return connectIde({ ...search, reconnect: false, choose: (editors) => this.#choose(editors) });
  }

  /** @throws IdewireError `no-editor` when there are editors, but not the chosen one */
  #choose(editors: readonly FoundEditor[]): readonly FoundEditor[] {
    const { pick, cwd } = this.#options;
    const chosen = pick === undefined ? editors : editors.filter((each) => isPicked(each, pick));
    if (chosen.length > 1) this.#events.emit("several", chosen);
    if (chosen.length > 0 || editors.length === 0) return chosen;
    const others = editors.map(({ name, port }) => `${name} on port ${port}`).join("; ");
    const why = `No running editor for ${cwd} has ${describeValue(pick)} in its name, or as its port`;
    throw new IdewireError("no-editor", `${why}.\nRunning: ${others}`);
  }

  async #adopt(ide: IdeConnection): Promise<void> {
    const { editor } = ide;
    if (this.#isClosed || editor === undefined) return ide.close();
    this.#ide = ide;
    this.#selectionSent = firstSelection(ide);
    this.#notifiesDiagnostics = false;
    this.#backOff.succeed();
    ide.on("disconnected", () => {
      this.#ide = undefined;
      if (this.#isClosed) return;
      this.#why = explainAway(editor.name, this.#options.cwd);
      this.#events.emit("went", editor.name);
      this.#tryLater();
    });
    ide.on("selection", () => this.#events.emit("selection"));
    ide.on("tools", () => this.#events.emit("tools"));
    ide.on("notification", (method) => {
      if (method !== "diagnostics_changed") return;
      this.#notifiesDiagnostics = true;
      this.#events.emit("diagnostics");
    });
    this.#events.emit("came", editor);
  }
}

/** Editors send their state some 300 ms after the handshake; one without a selection sends nothing. */
const TELLING_MS = 600;

function firstSelection(ide: IdeConnection): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, TELLING_MS);
    const stop = ide.on("selection", done);
    function done() {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
}

const GONE: ReadonlySet<string> = new Set(["closed", "lost"]);

function isPicked({ name, port }: FoundEditor, pick: string): boolean {
  return String(port) === pick || name.toLowerCase().includes(pick.toLowerCase());
}

function explainAway(name: string, cwd: string): string {
  return `${name} was closed. Open it again for ${cwd}, or start another: idewire serve ${shellQuote(cwd)}`;
}
