import { clearTimeout, setTimeout } from "node:timers";
import type { PathMap, Unsubscribe } from "@idewire/core";
import { Emitter } from "@idewire/core";
import { BackOff, shellQuote } from "@idewire/core/internal";
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

/** Which editor a bridge leads to. */
export interface BridgedEditorOptions extends Implementation {
  /** The native folder that the editor is for. */
  readonly cwd: string;
  readonly env: Environment;
  readonly pathMap?: PathMap | undefined;
  /** A part of the name of the editor to take, or its port, where several are for the folder. */
  readonly pick?: string | undefined;
}

interface BridgedEditorEvents {
  /** It is there, for the first time or again. */
  came(editor: ConnectedEditor): void;
  went(name: string): void;
  /** Its tools have changed while it was there. */
  tools(): void;
  selection(): void;
  /** Its diagnostics have changed, where the editor says so. */
  diagnostics(): void;
  /** Several editors are for the folder, the one that is taken first. */
  several(editors: readonly FoundEditor[]): void;
}

const LONGEST_DELAY_MS = 5_000;

/** The editor of a folder, whenever it is there. The caller closes it. */
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
  /** Why there is none. */
  #why = "No editor has been looked for yet";
  /** Resolves when the editor has had the time to tell what is selected. */
  #told: Promise<void> = Promise.resolve();
  /** Whether the editor that is there has told of a change of its diagnostics. */
  #tellsDiagnostics = false;

  constructor(options: BridgedEditorOptions) {
    this.#options = options;
  }

  /** Undefined while it is away. */
  get editor(): ConnectedEditor | undefined {
    return this.#ide?.editor;
  }

  on<E extends keyof BridgedEditorEvents>(event: E, listener: BridgedEditorEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /** Whether the editor tells by itself when the result of a tool has changed. */
  tellsOf(tool: string): boolean {
    return tool === "getDiagnostics" && this.#tellsDiagnostics;
  }

  /**
   * Looks for the editor, and from then on for as long as it takes.
   * @returns after the first try: why there is none, or undefined where there is one or it is closed
   */
  async start(): Promise<string | undefined> {
    await this.#try();
    return this.editor === undefined && !this.#isClosed ? this.#why : undefined;
  }

  /**
   * What is selected, as soon as a new connection has told it.
   * @throws ToolFailure that says what to do, when there is no editor
   */
  async readSelection(): Promise<EditorSelection | undefined> {
    await this.#demand();
    await this.#told;
    return this.#ide?.selection;
  }

  /**
   * Calls a tool of the editor.
   * @throws ToolFailure that says what to do, when there is none, or when it goes in the middle
   */
  async call(name: string, args: Params, options: RequestOptions): Promise<CallToolResult> {
    const { ide, editor } = await this.#demand();
    try {
      return await ide.callTool(name, mapArguments(args, this.#options.pathMap), options);
    } catch (error) {
      if (!(error instanceof IdewireError) || !GONE.has(error.code)) throw error;
      const what = `${editor.name} was closed while ${name} was under way: what came of it is not known`;
      throw new ToolFailure(`${what}. Open the editor again, look, and then call again.`);
    }
  }

  /** Waits for a handshake that is under way, which an editor that hangs makes long. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#backOff.cancel();
    await this.#trying;
    await this.#ide?.close();
  }

  /** The editor, after one more look for one that is away. */
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

  /** @throws IdewireError `no-editor` when there are some, but not the one to take */
  #choose(editors: readonly FoundEditor[]): readonly FoundEditor[] {
    const { pick, cwd } = this.#options;
    const chosen = pick === undefined ? editors : editors.filter((each) => isPicked(each, pick));
    if (chosen.length > 1) this.#events.emit("several", chosen);
    if (chosen.length > 0 || editors.length === 0) return chosen;
    const others = editors.map(({ name, port }) => `${name} on port ${port}`).join("; ");
    const why = `No running editor for ${cwd} has ${JSON.stringify(pick)} in its name, or as its port`;
    throw new IdewireError("no-editor", `${why}.\nRunning: ${others}`);
  }

  async #adopt(ide: IdeConnection): Promise<void> {
    const { editor } = ide;
    if (this.#isClosed || editor === undefined) return ide.close();
    this.#ide = ide;
    this.#told = firstSelection(ide);
    this.#tellsDiagnostics = false;
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
      this.#tellsDiagnostics = true;
      this.#events.emit("diagnostics");
    });
    this.#events.emit("came", editor);
  }
}

/** An editor tells its state some 300 ms after the handshake; one that has none to tell is silent. */
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
