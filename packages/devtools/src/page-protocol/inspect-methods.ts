import type { Direction } from "../trace/format/trace-event.ts";
import type { Nothing } from "./methods.ts";

/** The subject of an inspection: an editor, or MCP servers. */
export type InspectionFacts = EditorInspectionFacts | ServerInspectionFacts;

/** An inspected editor. */
export interface EditorInspectionFacts {
  /** `proxy` is between agents and the editor; `agent` is an agent itself, and may send frames. */
  readonly mode: "proxy" | "agent";
  readonly editor: {
    readonly name: string;
    readonly host: string;
    readonly port: number;
    readonly pid?: number | undefined;
    /** A native path, as the folders are. */
    readonly lockFile: string;
    readonly folders: readonly string[];
  };
  /** Where agents find the inspection when it is a proxy. */
  readonly proxy?: { readonly port: number; readonly lockFile: string };
}

/** MCP servers whose client is idewire. */
export interface ServerInspectionFacts {
  readonly mode: "server";
  readonly servers: readonly InspectedServerFacts[];
}

/** An MCP server of an inspection. */
export interface InspectedServerFacts {
  /** Unique among the servers of the inspection. */
  readonly name: string;
  /** The words after an action of `idewire mcp`: a URL, or `--` and a command. */
  readonly shell: string;
  /** Its address or its program; that of a vault is not shown. */
  readonly target?:
    | { readonly url: string }
    | { readonly command: string; readonly args: readonly string[] };
  readonly state: "connecting" | "open" | "closed";
  /** Why it is not connected. */
  readonly problem?: string;
  /** The address at which the person is to log in, while it waits for that. */
  readonly login?: string;
  /** The name of its newest connection in the log. */
  readonly ch?: string;
  /** Its answer to the handshake. */
  readonly info?: ServerInfo;
  /** Its questions to the person, oldest first. */
  readonly questions: readonly ServerQuestion[];
  /** The URIs that it gets as roots. */
  readonly roots: readonly string[];
  /** The URIs of the resources whose changes it reports. */
  readonly subscriptions: readonly string[];
}

/** A server's description of itself. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
  readonly era: "legacy" | "modern";
  readonly instructions?: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** A request of a server that the person answers. */
export interface ServerQuestion {
  /** Unique among the questions of the server. */
  readonly id: number;
  readonly method: "sampling/createMessage" | "elicitation/create";
  readonly params: Readonly<Record<string, unknown>>;
}

/** The view of an MCP app, as it is served. */
export interface OpenedApp {
  /** The path of its document, on the page's own server; its origin is opaque all the same. */
  readonly path: string;
  /** Its connection in the log. */
  readonly ch: string;
  /** The content security policy with which it is served. */
  readonly policy: string;
  /** Its requests that are refused: invalid domains, permissions. */
  readonly refused: readonly string[];
}

/** Further methods of the page of an inspection. */
export interface InspectMethods {
  /**
   * Sends a frame verbatim to the editor, or to the server of a connection; `sent` is false when that is not
   * connected.
   */
  "inspect/send": {
    params: { readonly frame: string; readonly ch?: string };
    result: { readonly sent: boolean };
  };
  /**
   * Sends a request to a server; answered when it has ended. Its id in the log comes before, as the event
   * `inspect/sent`, and its answer is in the log; `failure` says why there is none.
   */
  "inspect/request": {
    params: {
      readonly server: string;
      /** Chosen by the page; `inspect/sent` and `inspect/cancel` have it too. */
      readonly key: string;
      readonly method: string;
      /** Its parameters as JSON text, in which long numbers keep their spelling. */
      readonly json?: string;
    };
    result: { readonly failure?: string };
  };
  /** Cancels a request that is not answered yet. */
  "inspect/cancel": {
    params: { readonly server: string; readonly key: string };
    result: Nothing;
  };
  /** Answers a question of a server; without a result it is declined. */
  "inspect/answer": {
    params: {
      readonly server: string;
      readonly question: number;
      readonly result?: Readonly<Record<string, unknown>>;
    };
    result: Nothing;
  };
  /** Changes the settings that a server receives from its client. */
  "inspect/settings": {
    params: {
      readonly server: string;
      /** URIs. */
      readonly roots?: readonly string[];
      /** The lowest level of the log messages to send. */
      readonly level?: string;
      /** A resource whose changes are to be reported, or no longer. */
      readonly subscribe?: { readonly uri: string; readonly on: boolean };
    };
    result: Nothing;
  };
  /** Connects to a server, again if it was connected. */
  "inspect/connect": { params: { readonly server: string }; result: Nothing };
  /**
   * Reads the view of an MCP app and serves it for a frame of the page, until the page closes it or has opened
   * many others.
   */
  "inspect/app": {
    params: { readonly server: string; readonly uri: string };
    result: OpenedApp;
  };
  /** Logs a message between a view and the page, as a frame. */
  "inspect/app-frame": {
    params: {
      readonly ch: string;
      /** `agent>ide` is from the view to the page. */
      readonly dir: Direction;
      readonly frame: string;
    };
    result: Nothing;
  };
  /** Stops serving a view. */
  "inspect/app-close": { params: { readonly ch: string }; result: Nothing };
}
