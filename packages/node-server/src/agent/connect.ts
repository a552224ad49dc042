import { claudeCode, type Dialect, Emitter, type Unsubscribe } from "@idewire/core";
import { BackOff, coalesced, infoOf, Method, shellQuote } from "@idewire/core/internal";
import { CloseCode, IdewireError, type Params, type RequestOptions } from "@idewire/core/rpc";
import type { CallToolResult } from "@idewire/core/server";
import { type EditorSearch, type FoundEditor, findEditors } from "../discovery/find-editors.ts";
import type {
  ConnectedEditor,
  ConnectIdeOptions,
  IdeConnection,
  IdeConnectionEvents,
  ProposedDiff,
} from "./connect-options.ts";
import {
  callCloseAllDiffTabs,
  callCloseTab,
  callGetDiagnostics,
  callOpenDiff,
} from "./editor-calls.ts";
import {
  type EditorDiagnostics,
  type EditorSelection,
  type ProposedDiffAnswer,
  parseMention,
  parseSelection,
} from "./editor-messages.ts";
import { createEditorPaths, type EditorPaths, samePaths } from "./editor-paths.ts";
import { type AgentLink, openLink } from "./link.ts";

/**
 * Finds the editor for a working directory by the lock files, connects to it as an agent, and reconnects when it
 * restarts. If several match the directory, the one with the longest folder is tried first, then the newest.
 *
 * @throws IdewireError `no-editor` with the skipped editors and the reasons; `unreachable`, `unauthorized`,
 * `not-an-editor` and the like when the first attempt fails
 */
export async function connectIde(options: ConnectIdeOptions): Promise<IdeConnection> {
  const connection = new AgentConnection(options);
  await connection.open();
  return connection;
}

class AgentConnection implements IdeConnection {
  readonly closed: Promise<void>;
  selection: EditorSelection | undefined;
  readonly #options: ConnectIdeOptions;
  readonly #events = new Emitter<IdeConnectionEvents>();
  readonly #backOff: BackOff;
  readonly #call = (name: string, args: Params, options?: RequestOptions) =>
    this.callTool(name, args, options);
  readonly #listToolsAgain = coalesced(() => this.#listTools());
  #settleClosed: () => void = () => {};
  #isClosing = false;
  #target: FoundEditor | undefined;
  #link: AgentLink | undefined;
  #editor: ConnectedEditor | undefined;
  #paths: EditorPaths = samePaths;

  constructor(options: ConnectIdeOptions) {
    this.#options = options;
    this.#backOff = new BackOff({
      ...{ startsAtOnce: true, random: Math.random },
      ...options.reconnect,
    });
    this.closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
  }

  get #dialect(): Dialect {
    return this.#options.dialect ?? claudeCode;
  }

  get editor(): ConnectedEditor | undefined {
    return this.#editor;
  }

  on<E extends keyof IdeConnectionEvents>(event: E, listener: IdeConnectionEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  async callTool(name: string, args?: Params, options?: RequestOptions): Promise<CallToolResult> {
    if (this.#link === undefined) throw new IdewireError("closed", "The editor is away");
    return this.#link.client.callTool(name, args, options);
  }

  async openDiff(diff: ProposedDiff, signal?: AbortSignal): Promise<ProposedDiffAnswer> {
    const filePath = this.#paths.toEditor(diff.filePath);
    return callOpenDiff(this.#call, { ...diff, filePath }, signal);
  }

  closeTab(tabName: string): Promise<void> {
    return callCloseTab(this.#call, tabName);
  }

  closeAllDiffTabs(): Promise<number | undefined> {
    return callCloseAllDiffTabs(this.#call);
  }

  async getDiagnostics(filePath?: string): Promise<readonly EditorDiagnostics[]> {
    return callGetDiagnostics(this.#call, filePath, this.#paths);
  }

  /** The first connection. */
  async open(): Promise<void> {
    const search = await findEditors({
      ...this.#options,
      format: this.#dialect.endpoint.discovery,
    });
    const editors = this.#order(search.editors);
    if (editors.length === 0) throw noEditor(search);
    await this.#openFirst(editors, search.cwd);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#backOff.cancel();
    const client = this.#link?.client;
    await client?.close(CloseCode.Normal);
    this.#settleClosed();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #order(editors: readonly FoundEditor[]): readonly FoundEditor[] {
    return this.#options.choose?.(editors) ?? editors;
  }

  /** Connects to the first one that accepts; throws the first error when none does. */
  async #openFirst(editors: readonly FoundEditor[], cwd: string): Promise<void> {
    let firstError: unknown;
    for (const editor of editors) {
      try {
        this.#adopt(editor, await this.#openLink(editor, cwd));
        return;
      } catch (error) {
        firstError ??= error;
      }
    }
    throw firstError;
  }

  #openLink(editor: FoundEditor, cwd: string): Promise<AgentLink> {
    const { pid, handshakeTimeoutMs, maxFrameBytes, wrapTransport } = this.#options;
    return openLink(editor, {
      endpoint: this.#dialect.endpoint,
      ...infoOf(this.#options),
      pid: pid ?? process.pid,
      cwd,
      handshakeTimeoutMs: handshakeTimeoutMs ?? 30_000,
      maxFrameBytes,
      ...(wrapTransport !== undefined && { wrapTransport }),
      onnotification: (method, params) => this.#receive(method, params),
    });
  }

  #adopt(target: FoundEditor, link: AgentLink): void {
    // It may have been closed during the handshake.
    if (this.#isClosing) {
      void link.client.close(CloseCode.Normal);
      return;
    }
    const { token: _, host: __, pathMap, ...facts } = target;
    this.#paths = createEditorPaths(pathMap);
    this.#target = target;
    this.#link = link;
    this.#editor = { ...facts, server: link.client.server, tools: link.tools };
    this.#backOff.succeed();
    void link.client.closed.then((reason) => {
      this.#link = undefined;
      this.#editor = undefined;
      this.selection = undefined;
      this.#events.emit("disconnected", reason, this.#retryLater());
    });
    this.#events.emit("connected", this.#editor);
  }

  /** Schedules the next attempt; undefined after the last one. */
  #retryLater(): number | undefined {
    const isOver = this.#isClosing || this.#options.reconnect === false;
    const delayMs = isOver ? undefined : this.#backOff.schedule(() => void this.#retry());
    if (delayMs === undefined) {
      this.#backOff.cancel();
      this.#settleClosed();
    }
    return delayMs;
  }

  async #retry(): Promise<void> {
    try {
      await this.#reopen();
    } catch (error) {
      if (this.#isClosing) return;
      this.#events.emit("retryFailed", error as Error, this.#retryLater());
    }
  }

  async #reopen(): Promise<void> {
    const { reconnect } = this.#options;
    const rereads = reconnect === false || reconnect?.rereadLockFiles !== false;
    if (rereads || this.#target === undefined) return this.open();
    const { cwd = process.cwd() } = this.#options;
    await this.#openFirst([this.#target], cwd);
  }

  #receive(method: string, params: Params | undefined): void {
    if (method === "selection_changed") {
      const change = parseSelection(params, this.#paths);
      if (change !== undefined) {
        this.selection = change.selection;
        this.#events.emit("selection", change.selection);
      }
    } else if (method === "at_mentioned") {
      const mention = parseMention(params, this.#paths);
      if (mention !== undefined) this.#events.emit("mention", mention);
    } else if (method === Method.ToolsListChanged) {
      this.#listToolsAgain();
    }
    this.#events.emit("notification", method, params);
  }

  async #listTools(): Promise<void> {
    const link = this.#link;
    const tools = await link?.client.listTools().catch(() => undefined);
    if (tools === undefined || this.#link !== link || this.#editor === undefined) return;
    this.#editor = { ...this.#editor, tools };
    this.#events.emit("tools", tools);
  }
}

/** Why there is no connection. */
export function noEditor({ cwd, files, directories }: EditorSearch): IdewireError {
  const passedOver = files.map(({ path, stale, elsewhere }) => {
    return `${path}: ${(stale ?? elsewhere)?.why ?? "not chosen"}`;
  });
  const looked = directories.map(({ path }) => path).join(" and ");
  const why =
    passedOver.length === 0 ? `There is no lock file in ${looked}` : passedOver.join("\n");
  const advice = `Start one: idewire serve ${shellQuote(cwd)}, or the editor with its plugin. idewire doctor explains more.`;
  return new IdewireError("no-editor", `No running editor is for ${cwd}.\n${why}\n${advice}`);
}
