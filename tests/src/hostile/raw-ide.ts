import { createHash } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { AgentContext } from "../agent-context.ts";
import { until } from "../reference-clients/transcript.ts";

const ACCEPT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** One connection of a {@link RawIde}. */
export interface RawConnection {
  readonly socket: Socket;
  /** The received bytes, starting with the request. */
  readonly request: string;
  readonly received: () => Buffer;
}

/** An editor that sends exactly the given bytes; it has a lock file and a token. */
export class RawIde {
  readonly connections: RawConnection[] = [];
  readonly token: string;
  readonly lockFile: string;
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server, context: AgentContext, answer: string | undefined) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.token = `raw/token+of"the editor ${this.port}`;
    this.lockFile = context.lock(this.port, { authToken: this.token, ideName: "Raw" });
    server.on("connection", (socket) => this.#serve(socket, answer));
  }

  /** @param answer to the upgrade; a correct one when left out */
  static async open(context: AgentContext, answer?: string): Promise<RawIde> {
    const server = createServer({ allowHalfOpen: true });
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const ide = new RawIde(server, context, answer);
    onTestFinished(() => ide.close());
    return ide;
  }

  /** The connection number `index`, once it is open. */
  connection(index = 0): Promise<RawConnection> {
    return until(`connection ${index}`, () => this.connections[index]);
  }

  close(): void {
    this.#server.close();
    for (const { socket } of this.connections) socket.destroy();
  }

  #serve(socket: Socket, answer: string | undefined): void {
    let bytes = Buffer.alloc(0);
    let head = -1;
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (head !== -1) return;
      const end = bytes.indexOf("\r\n\r\n");
      if (end === -1) return;
      head = end + 4;
      const request = bytes.toString("latin1", 0, end);
      socket.write(answer ?? acceptOf(request));
      this.connections.push({ socket, request, received: () => bytes.subarray(head) });
    });
  }
}

function acceptOf(request: string): string {
  const key = /sec-websocket-key: (\S+)/i.exec(request)?.[1] ?? "";
  const accept = createHash("sha1").update(`${key}${ACCEPT}`).digest("base64");
  return [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    "Sec-WebSocket-Protocol: mcp",
    "X-Editor: raw",
    "",
    "",
  ].join("\r\n");
}
