import { baseName, type PosixPath, toFileUri } from "@idewire/core";
import {
  answerLimits,
  formatNotification,
  isObject,
  MAX_FRAME_BYTES,
  type RequestLifecycle,
} from "@idewire/core/internal";
import { type Call, type CloseReason, Peer } from "@idewire/core/rpc";
import { platform } from "@idewire/node-server/internal";
import { toNative } from "@idewire/node-server/internal/files";
import type { InitializeParams } from "vscode-languageserver-protocol";
import { readVersion } from "../../process/version.ts";
import { type ChildCommand, type CommandEnd, startCommand } from "../command/child-command.ts";
import { OutputLines } from "../command/output-lines.ts";
import {
  member,
  type PullCapability,
  readCapabilities,
  readPull,
  type ServerCapabilities,
} from "./capabilities.ts";
import { clientCapabilities } from "./client-capabilities.ts";
import { type DocumentFilter, readSelector } from "./document-selector.ts";
import { createLspTransport } from "./lsp-transport.ts";
import { nestSettings, type ServerSettings, sectionOf } from "./settings.ts";

const START_TIMEOUT_MS = 30_000;

/** How long to wait for the answer to `shutdown`. */
const SHUTDOWN_MS = 400;

/** More than any server needs; further registrations are ignored. */
const MAX_REGISTRATIONS = 1_000;

/** Older servers read the folder from two members that are now deprecated. */
type InitialParams = Omit<InitializeParams, "rootPath" | "rootUri"> & {
  readonly rootPath: string;
  readonly rootUri: string;
};

export interface ServerRunOptions {
  readonly command: string;
  /** For `initialize`; the options for the known server when left out. */
  readonly initializationOptions: object | undefined;
  /** Undefined if there are none. */
  readonly settings: ServerSettings | undefined;
  readonly folder: PosixPath;
  readonly startTimeoutMs: number | undefined;
  readonly maxMessageBytes: number | undefined;
  readonly onPublished: (params: unknown) => void;
  /** Diagnostics should be pulled again, or can be pulled now. */
  readonly onRefresh: () => void;
  /** A line of its stderr, or a message to its user. */
  readonly onLine: (line: string) => void;
}

interface Registration {
  readonly method: string;
  readonly options: unknown;
}

/** One run of a language server, from start to exit. */
export class ServerRun {
  readonly peer: Peer;
  /** Settles when the process has ended. */
  readonly closed: Promise<CloseReason>;
  readonly ended: Promise<CommandEnd>;
  readonly #options: ServerRunOptions;
  readonly #settings: ServerSettings | undefined;
  readonly #registrations = new Map<string, Registration>();
  #capabilities: ServerCapabilities | undefined;

  constructor(options: ServerRunOptions) {
    this.#options = options;
    this.#settings = options.settings && nestSettings(options.settings);
    const { command, folder, maxMessageBytes = MAX_FRAME_BYTES } = options;
    const child = startCommand(command, { cwd: toNative(folder), hasInput: true });
    this.#readErrors(child);
    const peerOptions = { lifecycle, ...answerLimits };
    this.peer = new Peer(createLspTransport(child, { maxMessageBytes }), peerOptions);
    this.closed = this.peer.closed;
    this.ended = child.ended;
    this.#answer();
  }

  /** Its capabilities; none before the handshake. */
  get capabilities(): ServerCapabilities {
    return this.#capabilities ?? readCapabilities(undefined);
  }

  get isReady(): boolean {
    return this.#capabilities !== undefined;
  }

  /** Its support for pulling diagnostics, if any. */
  get pull(): PullCapability | undefined {
    const registered = this.#registered("textDocument/diagnostic")[0];
    return this.capabilities.pull ?? readPull(registered?.options);
  }

  /** Whether it registered for changes of files that are not open. */
  get watchesFiles(): boolean {
    return this.#registered("workspace/didChangeWatchedFiles").length > 0;
  }

  /** The documents that the server has registered for; undefined if it has not registered. */
  get selector(): readonly DocumentFilter[] | undefined {
    const selectors = this.#registered("textDocument/didOpen").map(({ options }) =>
      readSelector(options),
    );
    if (selectors.length === 0 || selectors.includes(undefined)) return undefined;
    return selectors.flatMap((selector) => selector ?? []);
  }

  /**
   * Performs the handshake.
   * @throws RpcError or IdewireError when it refuses, exits, or does not answer
   */
  async initialize(): Promise<void> {
    const { folder, startTimeoutMs = START_TIMEOUT_MS, initializationOptions } = this.#options;
    const uri = toFileUri(folder, platform);
    const result = await this.peer.request(
      "initialize",
      {
        processId: process.pid,
        clientInfo: { name: "idewire", version: readVersion() },
        rootPath: toNative(folder),
        rootUri: uri,
        workspaceFolders: [{ uri, name: baseName(folder) }],
        capabilities: clientCapabilities,
        initializationOptions,
      } satisfies InitialParams,
      { timeoutMs: startTimeoutMs, silent: true },
    );
    this.#capabilities = readCapabilities(result);
    this.peer.notify("initialized", {});
    if (this.#settings === undefined) return;
    this.peer.notify("workspace/didChangeConfiguration", { settings: this.#settings });
  }

  /** Stops it in steps: `shutdown`, `exit`, the end of its input, SIGTERM, SIGKILL. */
  async end(): Promise<void> {
    try {
      if (!this.isReady) return;
      await this.peer.request("shutdown", undefined, { timeoutMs: SHUTDOWN_MS, silent: true });
      this.peer.notify("exit");
    } catch {
      // It has ended, or is about to be ended.
    } finally {
      this.peer.close();
      await this.closed;
    }
  }

  #registered(method: string): readonly Registration[] {
    return [...this.#registrations.values()].filter((one) => one.method === method);
  }

  #answer(): void {
    const { peer } = this;
    const { onPublished, onRefresh, onLine, folder } = this.#options;
    peer.handle("textDocument/publishDiagnostics", ({ params }) => onPublished(params));
    peer.handle("workspace/diagnostic/refresh", () => {
      onRefresh();
      return null;
    });
    peer.handle("workspace/configuration", ({ params }) => this.#configuration(params?.["items"]));
    peer.handle("workspace/workspaceFolders", () => [
      { uri: toFileUri(folder, platform), name: baseName(folder) },
    ]);
    peer.handle("client/registerCapability", (call) => this.#register(call));
    peer.handle("client/unregisterCapability", (call) => this.#unregister(call));
    peer.handle("workspace/applyEdit", () => ({ applied: false }));
    peer.handle("window/showDocument", () => ({ success: false }));
    for (const method of ["window/workDoneProgress/create", "window/showMessageRequest"]) {
      peer.handle(method, () => null);
    }
    peer.handle("window/showMessage", ({ params }) => {
      const message = params?.["message"];
      if (typeof message === "string") onLine(message.slice(0, 1_000));
    });
    const unread = ["window/logMessage", "telemetry/event", "$/progress", "$/logTrace"];
    for (const method of unread) peer.handle(method, () => undefined);
  }

  #configuration(items: unknown): unknown[] {
    if (!Array.isArray(items)) return [];
    const settings = this.#settings;
    if (settings === undefined) return items.map(() => null);
    return items.map((item) => sectionOf(settings, member(item, "section")));
  }

  #register({ params }: Call): null {
    const asked = params?.["registrations"];
    for (const one of Array.isArray(asked) ? asked : []) {
      const [id, method] = [member(one, "id"), member(one, "method")];
      if (typeof id !== "string" || typeof method !== "string") continue;
      if (this.#registrations.size >= MAX_REGISTRATIONS) break;
      this.#registrations.set(id, { method, options: member(one, "registerOptions") });
    }
    this.#options.onRefresh();
    return null;
  }

  #unregister({ params }: Call): null {
    // The misspelling is the protocol's own.
    const asked = params?.["unregisterations"];
    for (const one of Array.isArray(asked) ? asked : []) {
      if (isObject(one)) this.#registrations.delete(String(one["id"]));
    }
    return null;
  }

  #readErrors({ errors }: ChildCommand): void {
    const lines = new OutputLines(this.#options.onLine);
    errors.on("data", (chunk: Buffer) => lines.push(chunk));
    errors.on("end", () => lines.end());
  }
}

/** LSP's cancellation of a request; LSP uses these names for nothing else. */
const lifecycle: RequestLifecycle = {
  prepare: (params) => params,
  notice: () => undefined,
  cancel: (id) => formatNotification("$/cancelRequest", { id }),
  report: () => undefined,
};
