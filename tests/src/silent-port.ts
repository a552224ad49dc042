import { createServer } from "node:net";

/** Below the ephemeral ports, so that no other program gets it by chance. */
const [FIRST, LAST] = [20_000, 32_000];

/** A port without a listener, which a server can reuse after closing. */
export async function silentPort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
