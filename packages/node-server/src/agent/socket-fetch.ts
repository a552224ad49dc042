import { type IncomingMessage, request } from "node:http";
import type { Fetch } from "@idewire/http/internal";

/** Statuses for which `Response` does not accept a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` that sends each request over a connection of its own: to the port of its URL, or to a socket of the file
 * system (on Windows a pipe). Its failures are those of Node's sockets. Bodies of requests must be strings. A response's body is read only as
 * fast as the caller reads it; aborting the signal ends the connection.
 */
export function createSocketFetch(socketPath?: string): Fetch {
  return (url, { method = "GET", headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const { host, hostname, port, pathname, search } = new URL(url);
      const place =
        socketPath === undefined
          ? { host: hostname.replace(/^\[|\]$/g, ""), port: port || 80 }
          : { socketPath };
      const sent = request(
        {
          ...{ ...place, method, path: pathname + search, agent: false },
          headers: { ...Object.fromEntries(new Headers(headers)), host },
          ...(signal && { signal }),
        },
        (message) => {
          try {
            resolve(toResponse(message));
          } catch (error) {
            // A status that `Response` does not accept.
            message.destroy();
            reject(new Error(`no response: HTTP ${message.statusCode}`, { cause: error }));
          }
        },
      );
      sent.on("error", reject);
      // Node reports an unrequested upgrade neither as a response nor as an error.
      sent.on("close", () => reject(new Error("the server closed the connection")));
      sent.end(typeof body === "string" ? body : undefined);
    });
}

function toResponse(message: IncomingMessage): Response {
  // It may break off while it is not being read.
  message.on("error", () => {});
  const { statusCode: status = 0 } = message;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const isEmpty = WITHOUT_BODY.has(status);
  if (isEmpty) message.resume();
  return new Response(isEmpty ? null : toBody(message), { status, headers });
}

function toBody(message: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        message.destroy();
      },
    },
    // Nothing is read before it is requested.
    { highWaterMark: 0 },
  );
}
