import type { Platform, Transport } from "@idewire/core";

/** An attempt to open the server's WebSocket; an agent's own when all is left out. */
export interface ConnectAttempt {
  /** That of the discovery file when left out. */
  readonly token?: "wrong" | "missing";
  /** `/` when left out. */
  readonly path?: string;
  /** `mcp` when left out. */
  readonly protocol?: string;
  /** None when left out: agents have none. */
  readonly origin?: string;
  /** The address itself when left out. */
  readonly host?: string;
}

/** What became of an attempt. */
export type ConnectOutcome =
  | {
      readonly kind: "open";
      /** Listened to in the turn in which this comes. */
      readonly transport: Transport;
      /** Sends a ping of RFC 6455; settles with its pong. */
      ping(): Promise<void>;
      /** Ends the connection without a close frame, as a crash does. */
      cut(): void;
    }
  /** 101, and an answer that no client can take. */
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "refused"; readonly status: number }
  /** No HTTP at all. */
  | { readonly kind: "silent"; readonly message: string };

/** What is known of the file that leads agents to the server; the token is not in it. */
export interface DiscoveryFacts {
  readonly path: string;
  /** By its name; undefined when that is none. */
  readonly port: number | undefined;
  /** What the file holds, without the token; undefined when it is not JSON. */
  readonly content: unknown;
  /** Characters of the token; undefined when there is none. */
  readonly tokenLength: number | undefined;
  /** Permission bits; undefined where there are none. */
  readonly mode: number | undefined;
  readonly directoryMode: number | undefined;
  /** Whether the process that it names exists; undefined when it names none. */
  readonly pidAlive: boolean | undefined;
  /** What each folder is really called, by the name that the file has; undefined when it is not there. */
  readonly realPaths: Readonly<Record<string, string | undefined>>;
}

/** A live server, and what is known around it: the way to it is another's business. */
export interface CheckPort {
  /** Never rejects. */
  connect(attempt: ConnectAttempt): Promise<ConnectOutcome>;
  /** How the server's machine writes its paths. */
  readonly platform: Platform;
  readonly discovery?: DiscoveryFacts;
  /** Whether there is a file with this native path; left out where nobody can look. */
  fileExists?(path: string): Promise<boolean>;
}
