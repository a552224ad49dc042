import type { Dialect, Unsubscribe } from "@idewire/core";
import type { ToolDescription } from "@idewire/core/client";
import type { InitializeResult } from "@idewire/core/internal";
import type { Clock, CloseReason, Params, RequestOptions, Transport } from "@idewire/core/rpc";
import type { CallToolResult, Implementation } from "@idewire/core/server";
import type { FindEditorsOptions, FoundEditor } from "../discovery/find-editors.ts";
import type {
  EditorDiagnostics,
  EditorMention,
  EditorSelection,
  ProposedDiffAnswer,
} from "./editor-messages.ts";

/** How an agent finds its editor and stays connected. */
export interface ConnectIdeOptions extends Omit<FindEditorsOptions, "format">, Implementation {
  /** The family that it connects as; that of Claude Code when left out. It needs discovery files. */
  readonly dialect?: Dialect;
  /** The process id that the editor gets; that of this process when left out. */
  readonly pid?: number;
  /** Puts the editors that were found, best first, into the order in which they are tried. */
  readonly choose?: (editors: readonly FoundEditor[]) => readonly FoundEditor[];
  /** How it reconnects when the connection is lost; `false`: not at all. */
  readonly reconnect?: ReconnectOptions | false;
  /** 30,000: how long an editor has for the upgrade, and for each answer of the handshake. */
  readonly handshakeTimeoutMs?: number;
  /** Wraps the transport of each connection, for example to record it. */
  readonly wrapTransport?: (transport: Transport) => Transport;
  /** 16 MiB. A larger frame of the editor closes with 1009. */
  readonly maxFrameBytes?: number;
}

export interface ReconnectOptions {
  /** How many attempts in a row before giving up; unlimited when left out. */
  readonly maxTries?: number;
  /** 30,000: the longest pause; attempts begin at once, then after about 1, 2, 4, 8 … seconds. */
  readonly maxDelayMs?: number;
  /** The system's when left out. */
  readonly clock?: Clock;
  /** From 0 up to 1; spreads the attempts of many agents. */
  readonly random?: () => number;
  /**
   * Whether the lock files are read again, so that an editor is found on whatever port it comes
   * back; true when left out. Claude Code itself knows only the first port and token.
   */
  readonly rereadLockFiles?: boolean;
}

/** The editor at the other end. */
export interface ConnectedEditor {
  readonly lockFile: string;
  readonly name: string;
  /** Where it listens: at a port, or at a socket of the file system. */
  readonly port?: number;
  readonly socketPath?: string;
  readonly pid: number | undefined;
  readonly folders: readonly string[];
  /** Its `serverInfo`. */
  readonly server: InitializeResult;
  readonly tools: readonly ToolDescription[];
}

/** The events of an {@link IdeConnection}. */
export interface IdeConnectionEvents {
  /** Again, after a connection was lost. */
  connected(editor: ConnectedEditor): void;
  /** `retryInMs` is missing when it is over. */
  disconnected(reason: CloseReason, retryInMs: number | undefined): void;
  /** An attempt to reconnect has failed. */
  retryFailed(error: Error, retryInMs: number | undefined): void;
  /** The selection has changed; undefined if nothing is selected. */
  selection(selection: EditorSelection | undefined): void;
  mention(mention: EditorMention): void;
  /** The editor has other tools than before. */
  tools(tools: readonly ToolDescription[]): void;
  /** Every notification as it came, after the events above. */
  notification(method: string, params: Params | undefined): void;
}

/** A change that is proposed to the person. */
export interface ProposedDiff {
  /** Native and absolute. */
  readonly filePath: string;
  readonly newText: string;
  /** The title of the tab, by which it is closed; generated when left out. */
  readonly tabName?: string;
}

/** An agent's connection to an editor. The caller closes it. */
export interface IdeConnection {
  /** Undefined while the editor is away. */
  readonly editor: ConnectedEditor | undefined;
  /** The last one received; undefined when nothing is selected, and while the editor is away. */
  readonly selection: EditorSelection | undefined;
  /** Settles when no further try will be made. */
  readonly closed: Promise<void>;
  on<E extends keyof IdeConnectionEvents>(event: E, listener: IdeConnectionEvents[E]): Unsubscribe;
  /**
   * Calls any tool. A failure of the tool itself is a result with `isError`.
   * @throws RpcError when the editor does not have it; IdewireError `closed` while it is away
   */
  callTool(name: string, args?: Params, options?: RequestOptions): Promise<CallToolResult>;
  /**
   * Shows a change and waits, for hours if it must, for the person. The agent writes the file.
   * Aborting the signal closes the tab.
   * @throws ToolFailure when the editor cannot show it
   */
  openDiff(diff: ProposedDiff, signal?: AbortSignal): Promise<ProposedDiffAnswer>;
  closeTab(tabName: string): Promise<void>;
  /** Returns the number of closed diffs, if the editor reports it. */
  closeAllDiffTabs(): Promise<number | undefined>;
  /** Of one file by its native path, or of the workspace. */
  getDiagnostics(filePath?: string): Promise<readonly EditorDiagnostics[]>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
