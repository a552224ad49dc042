/**
 * The messages between the page and the Node side of the host. Both import this file, so it contains
 * only types and constants.
 */

/** A call of a Node function, answered once; the same over synchronous XHR and over the socket. */
export interface Call {
  readonly op:
    | "fs"
    | "fsSync"
    | "handle"
    | "kill"
    | "spawn"
    | "hash"
    | "vault"
    | "http"
    | "open"
    | "cli";
  readonly name: string;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: WireError };

/** A system error, with the members of Node's. */
export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | undefined;
  readonly errno?: number | undefined;
  readonly syscall?: string | undefined;
  readonly path?: string | undefined;
}

/** Bytes inside JSON. */
export interface WireBytes {
  readonly $bytes: string;
}

export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
}

export interface WireAddress {
  readonly address: string;
  readonly port: number;
  readonly family: string;
}

/** A port, or a socket of the file system. */
export type WirePlace =
  | { readonly port: number; readonly host?: string | undefined }
  | { readonly path: string };

/** From the page. Sockets that the page opens have odd ids, incoming ones even ids. */
export type FromPage =
  | { readonly t: "call"; readonly id: number; readonly call: Call }
  | {
      readonly t: "listen";
      readonly id: number;
      readonly kind: "http" | "net";
      readonly where: WirePlace;
      readonly options: Readonly<Record<string, unknown>>;
      /** Without a listener for upgrades, a server receives them as ordinary requests. */
      readonly takesUpgrades: boolean;
    }
  | { readonly t: "server-close"; readonly id: number }
  | { readonly t: "close-all"; readonly id: number }
  | { readonly t: "connect"; readonly id: number; readonly where: WirePlace }
  | { readonly t: "pause" | "resume" | "end" | "destroy"; readonly id: number }
  | { readonly t: "wanted"; readonly id: number }
  | {
      readonly t: "head";
      readonly id: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[]>>;
    }
  | { readonly t: "body"; readonly id: number; readonly bytes: string; readonly ack: number }
  | { readonly t: "body-end"; readonly id: number };

/** From the Node side. Bytes of sockets travel as binary frames: the id, then the bytes. */
export type FromNode =
  | { readonly t: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly t: "listening"; readonly id: number; readonly address: WireAddress }
  | { readonly t: "server-error"; readonly id: number; readonly error: WireError }
  | { readonly t: "server-closed"; readonly id: number }
  | {
      readonly t: "connection";
      readonly id: number;
      readonly socket: number;
      readonly remote: WireAddress;
    }
  | {
      readonly t: "request" | "upgrade";
      readonly id: number;
      readonly socket: number;
      readonly request: WireRequest;
      readonly exchange: number;
      readonly head: string;
    }
  | { readonly t: "wrote"; readonly id: number }
  | { readonly t: "connected"; readonly id: number; readonly remote: WireAddress }
  | { readonly t: "ended"; readonly id: number }
  | { readonly t: "closed"; readonly id: number; readonly hadError: boolean }
  | { readonly t: "failed"; readonly id: number; readonly error: WireError }
  | { readonly t: "body"; readonly id: number; readonly bytes: string }
  | { readonly t: "body-end" | "gone"; readonly id: number }
  | { readonly t: "acked"; readonly id: number; readonly ack: number }
  | { readonly t: "vault"; readonly paths: readonly string[] };

/** What the page receives when it starts. */
export interface Boot {
  readonly appVersion: string;
  readonly vaultPath: string;
  readonly vaultName: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly platform: string;
  readonly arch: string;
  readonly tmpdir: string;
  readonly hostname: string;
  readonly username: string;
  readonly uid: number;
  readonly release: string;
  readonly theme: Theme;
  readonly fsConstants: Readonly<Record<string, number>>;
  /** Public members of each class of obsidian.d.ts. */
  readonly declared: Readonly<Record<string, readonly string[]>>;
}

export type Theme = "light" | "dark" | "contrast";
