import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The built server in a separate process. The caller closes it. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts the build of everything-server.ts on a free port.
 * @param flags additional flags
 */
export async function startEverything(flags: readonly string[] = []): Promise<RunningServer> {
  const script = fileURLToPath(new URL("../dist/everything-server.js", import.meta.url));
  const child = spawn(process.execPath, [script, "--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), exited]);
  const [, url] = /^Listening at (.*)$/.exec(String(line)) ?? [];
  if (url === undefined) throw new Error(`The server did not start: ${line}`);
  return {
    url,
    async close() {
      child.kill();
      await exited;
    },
  };
}
