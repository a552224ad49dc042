// The parts of Node's streams and sockets that public functions use, as interfaces of our own: users of our
// declarations need neither `@types/node` nor `@types/ws`.

/** A readable stream of Node's, such as `process.stdin`. */
export interface NodeReadable {
  readonly readable: boolean;
  pause(): unknown;
  resume(): unknown;
  on(event: "data" | "end" | "close" | "error", listener: () => void): unknown;
}

/** A writable stream of Node's, such as `process.stdout`. */
export interface NodeWritable {
  readonly writable: boolean;
  write(chunk: string): boolean;
  end(): unknown;
  on(event: "drain" | "close" | "error", listener: () => void): unknown;
}

/** A socket of `node:net`, under a WebSocket. */
export interface NodeSocket extends NodeWritable {
  cork(): void;
  uncork(): void;
}

/** A request of a `node:http` server. */
export interface NodeHttpRequest {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly rawHeaders: readonly string[];
}

/** The response to a request of `node:http`. */
export interface NodeHttpResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
}

/** A WebSocket of the library `ws`, either end. */
export interface WsWebSocket {
  readonly readyState: number;
  readonly bufferedAmount: number;
  readonly extensions: string;
  pause(): void;
  resume(): void;
  terminate(): void;
}

/** The request by which a WebSocket was opened. */
export interface NodeUpgradeRequest extends NodeHttpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: NodeSocket;
}

/** A server of the library `ws`. */
export interface WsWebSocketServer {
  on(
    event: "connection",
    listener: (webSocket: WsWebSocket, request: NodeUpgradeRequest) => void,
  ): unknown;
  off(
    event: "connection",
    listener: (webSocket: WsWebSocket, request: NodeUpgradeRequest) => void,
  ): unknown;
}
