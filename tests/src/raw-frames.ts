import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { wireFrame } from "./wire-frame.ts";

/** A client's text frame or a part of one; masked with zeros, so that its text remains readable. */
export function frame(text: string, { first = true, last = true } = {}): Buffer {
  const payload = Buffer.from(text);
  return wireFrame({ opcode: first ? 1 : 0, payload, isFinal: last, mask: Buffer.alloc(4) });
}

/** A TCP connection that requests an upgrade and stores the received bytes. */
export class RawSocket {
  readonly socket: Socket;
  received = "";

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      this.received += bytes.toString("latin1");
    });
  }

  /** @param follows bytes sent in the same segment as the upgrade */
  static async open(
    port: number,
    token: string,
    follows: Buffer = Buffer.alloc(0),
  ): Promise<RawSocket> {
    const raw = new RawSocket(connect({ host: "127.0.0.1", port }));
    await new Promise<void>((resolve) => raw.socket.once("connect", () => resolve()));
    const lines = [
      "GET / HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
      "Sec-WebSocket-Protocol: mcp",
      `X-Claude-Code-Ide-Authorization: ${token}`,
    ];
    raw.socket.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), follows]));
    return raw;
  }
}
