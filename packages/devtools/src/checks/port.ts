import type { Platform } from "@idewire/core";
import type { Transport } from "@idewire/core/rpc";

/** An attempt to open the server's WebSocket; as an agent does by default. */
export interface ConnectAttempt {
  /** The token of the discovery file when left out. */
  readonly token?: "wrong" | "missing";
  /** `/` when left out. */
  readonly path?: string;
  /** `mcp` when left out. */
  readonly protocol?: string;
  /** None when left out: agents send none. */
  readonly origin?: string;
  /** The address itself when left out. */
  readonly host?: string;
}

/** The outcome of an attempt. */
export type ConnectOutcome =
  | {
      readonly kind: "open";
      /** The caller must set its listeners in the same turn. */
      readonly transport: Transport;
      /** Sends a ping of RFC 6455; settles with its pong. */
      readonly ping: () => Promise<void>;
      /** Ends the connection without a close frame, as a crash does. */
      readonly cut: () => void;
    }
  /** 101, with an answer that no client can use. */
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "refused"; readonly status: number }
  /** No HTTP response. */
  | { readonly kind: "silent"; readonly message: string };

/** The discovery file of the server, without its token. */
export interface DiscoveryFacts {
  readonly path: string;
  /** The port in its name; undefined when there is none. */
  readonly port: number | undefined;
  /** Its content without the token; undefined when it is not JSON. */
  readonly content: unknown;
  /** The length of the token; undefined when there is none. */
  readonly tokenLength: number | undefined;
  /** Permission bits; undefined if the system has none. */
  readonly mode: number | undefined;
  readonly directoryMode: number | undefined;
  /** Whether its process is running; undefined when it names none. */
  readonly pidAlive: boolean | undefined;
  /** The real path of each folder of the file; undefined when it does not exist. */
  readonly realPaths: Readonly<Record<string, string | undefined>>;
}

/** An agent over HTTP. */
export interface HttpAgent {
  /** The id of its dialect, such as `gemini`. */
  readonly id: string;
  /** Its name for people. */
  readonly title: string;
  /** A folder of the editor, native; undefined if none is known. */
  readonly folder: string | undefined;
}

/** How an MCP server is reached: `sse` is HTTP with SSE, of 2024-11-05. */
export type CheckedTransport = "stdio" | "http" | "sse";

/** An HTTP request that no client would send, or whose response is judged by its status and headers. */
export interface HttpProbe {
  readonly method: "GET" | "POST" | "DELETE";
  /** The server's own address when left out. */
  readonly url?: string;
  /** Undefined removes a header that is sent by default: `accept`, `content-type`. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  /** The person's when left out. */
  readonly credentials?: "none" | "wrong";
}

/** The response to a probe, as far as it was read: a stream ends with its first message. */
export type HttpAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: "silent"; readonly message: string };

/** The known facts about an MCP server before it is checked. */
export interface ServerAccess {
  /** Its address; undefined for a program. */
  readonly url?: string;
  /** Whether the address is one of this machine. */
  readonly isLocal?: boolean;
  /** Sends one HTTP request; never rejects. Missing for a program. */
  exchange?(probe: HttpProbe): Promise<HttpAnswer>;
  /** How long the program has after the end of its input, before it is ended. */
  readonly endMs?: number;
  /** The end of the program's output on stderr; empty for none. */
  stderrTail?(): string;
}

/** Access to a live server and to the known facts about it. */
export interface CheckPort {
  /** Never rejects. */
  connect(attempt: ConnectAttempt): Promise<ConnectOutcome>;
  /** The agent of an endpoint with MCP over HTTP; absent for Claude Code's endpoint. */
  readonly agent?: HttpAgent;
  /** Set for an MCP server, in place of an editor. */
  readonly server?: ServerAccess;
  /** How the server's machine writes paths. */
  readonly platform: Platform;
  readonly discovery?: DiscoveryFacts;
  /** Whether a file with this native path exists; missing if that cannot be determined. */
  fileExists?(path: string): Promise<boolean>;
}
