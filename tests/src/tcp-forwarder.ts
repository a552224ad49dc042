import { type AddressInfo, connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

/** Forwards one port to another, as ssh or a container's published port does. */
export async function openForwarder(
  target: number,
  from: { readonly host?: string; readonly port?: number } = {},
): Promise<number> {
  const { host = "127.0.0.1", port = 0 } = from;
  const server = createServer((near) => {
    const far = connect({ host: "127.0.0.1", port: target });
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(port, host);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
