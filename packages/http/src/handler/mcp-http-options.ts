import type { HttpLimits } from "./http-limits.ts";
import type { Admission, AuthorizationRefusal, RequestHead } from "./request-head.ts";
import type { ResourceMetadata } from "./resource-metadata.ts";

/** How the legacy era (MCP before 2026-07-28) is served. */
export type LegacyMode = "sessions" | "stateless" | "off";

export type Authorized<Context> = Admission<Context> | AuthorizationRefusal;

/** Given to each tool; optional where its type allows undefined. */
type WithContext<Context> = undefined extends Context
  ? { readonly context?: Context }
  : { readonly context: Context };

/** The authorization of an endpoint, exactly one of these. */
export type AccessOptions<Context> =
  | (WithContext<Context> & {
      /** The token expected in `Authorization: Bearer`: at least 16 bytes. */
      readonly token: string;
    })
  | (WithContext<Context> & {
      /** Allows every client that reaches the endpoint to use it. */
      readonly access: "anyone";
    })
  | {
      readonly context?: undefined;
      /**
       * Determines the caller of every request from its head; no body is read before. An error that it throws is a
       * bug, and the client gets a 500.
       */
      authorize(this: void, head: RequestHead): Authorized<Context> | Promise<Authorized<Context>>;
    }
  | {
      readonly context?: undefined;
      /** The result of `protectResource`: accepts tokens of an authorization server. */
      readonly resourceServer: ResourceServer<Context>;
    };

/** An MCP server that an authorization server issues tokens for. */
export interface ResourceServer<Context> {
  authorize(this: void, head: RequestHead): Authorized<Context> | Promise<Authorized<Context>>;
  /** Served to everybody at the well-known paths of RFC 9728. */
  readonly resourceMetadata: ResourceMetadata;
}

/** The options of an endpoint besides its authorization. */
export interface ServingOptions {
  /**
   * The names by which a client may call this machine, in lower case and without a port, beside
   * `localhost`, `127.0.0.1` and `[::1]`: others are refused with 403, against DNS rebinding.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * The origins of web pages that may call, as browsers write them; `"own"` is the endpoint's own. By
   * default that alone; others are refused with 403. To those named here preflights are answered, and their
   * browsers show them the answers.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * How clients before MCP 2026-07-28 are served: with `sessions`, by default; `stateless`, where nothing is kept
   * between two requests, so that the server cannot send its clients requests or notifications outside of a call;
   * or not at all.
   */
  readonly legacy?: LegacyMode;
  /**
   * The path of HTTP+SSE, the transport of MCP 2024-11-05, for clients that support no other; not served by
   * default.
   */
  readonly ssePath?: string;
  readonly limits?: Partial<HttpLimits>;
  /** Called with the error of a bug in a handler; it must not throw. */
  readonly onerror?: (error: Error) => void;
}

/** How an MCP server is offered over HTTP. */
export type McpHandlerOptions<Context> = ServingOptions & AccessOptions<Context>;
