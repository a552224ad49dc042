import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

/** A client's WebSocket frame, byte by byte; masked with zeros, so that its text stays readable. */
export function frame(text: string, { first = true, last = true } = {}): Buffer {
  const payload = Buffer.from(text);
  const opening = (last ? 0x80 : 0) | (first ? 0x1 : 0);
  const { length } = payload;
  const head = length < 126 ? Buffer.alloc(2) : Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = opening;
  if (length < 126) head[1] = 0x80 | length;
  else if (length < 65_536) {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 0x80 | 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

/** A TCP connection that asks for a WebSocket; what comes back is kept as it comes. */
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

  /** @param follows bytes that leave in the same segment as the request for the upgrade */
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
