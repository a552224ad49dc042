import { createServer } from "node:net";

/** Below the ports that systems hand out unasked, so that nobody is given it by chance meanwhile. */
const [FIRST, LAST] = [20_000, 32_000];

/** A port that nobody listens on, and that a server can have again after it has closed. */
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
