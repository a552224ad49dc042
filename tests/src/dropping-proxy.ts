import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy that forwards requests and upgrades without unknown headers. */
export async function openProxy(target: number): Promise<number> {
  const proxy = createServer((client) => {
    client.on("error", () => client.destroy());
    client.once("data", (head) => {
      const key = /sec-websocket-key: (\S+)/i.exec(head.toString())?.[1] ?? "";
      const headers = {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": key,
        "Sec-WebSocket-Protocol": "mcp",
      };
      const upstream = request({ port: target, host: "127.0.0.1", headers });
      upstream.on("error", () => client.destroy());
      upstream.once("upgrade", ({ headers: answered }, socket) => {
        const lines = Object.entries(answered).map(([name, value]) => `${name}: ${String(value)}`);
        client.write(
          ["HTTP/1.1 101 Switching Protocols", "Via: 1.1 squid", ...lines, "", ""].join("\r\n"),
        );
        socket.on("error", () => client.destroy());
        socket.pipe(client).pipe(socket);
      });
      upstream.end();
    });
  });
  proxy.listen(0, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  await new Promise((resolve) => proxy.once("listening", resolve));
  return (proxy.address() as AddressInfo).port;
}
