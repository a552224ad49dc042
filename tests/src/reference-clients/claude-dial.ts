import { WebSocket } from "ws";

export type DialOutcome =
  | { readonly kind: "open"; readonly socket: WebSocket }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "no-subprotocol"; readonly detail: string }
  | { readonly kind: "unreachable"; readonly detail: string };

export interface DialOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly userAgent: string;
  /** The real client waits 30 s. */
  readonly timeoutMs: number;
}

const maxMessageBytes = 16 * 1024 * 1024;

/** An upgrade with the headers of the published client: no Origin, `mcp`, deflate offered. */
export function dial(options: DialOptions): Promise<DialOutcome> {
  const socket = new WebSocket(options.url, ["mcp"], {
    perMessageDeflate: true,
    maxPayload: maxMessageBytes,
    handshakeTimeout: options.timeoutMs,
    headers: {
      "User-Agent": options.userAgent,
      ...(options.token === undefined ? {} : { "X-Claude-Code-Ide-Authorization": options.token }),
    },
  });
  return new Promise((resolve) => {
    socket.once("unexpected-response", (request, response) => {
      request.destroy();
      resolve({ kind: "refused", status: response.statusCode ?? 0 });
    });
    socket.once("open", () => {
      // Frames that came with the upgrade's answer wait until the caller listens.
      socket.pause();
      resolve({ kind: "open", socket });
    });
    socket.on("error", (error) => {
      const protocol = /subprotocol/i.test(error.message);
      resolve({ kind: protocol ? "no-subprotocol" : "unreachable", detail: error.message });
    });
  });
}
