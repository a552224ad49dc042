import { spawn } from "node:child_process";
import { once } from "node:events";

export interface PagerOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Terminates the pager. */
  readonly signal: AbortSignal;
}

/** How many lines are written at a time, so that quitting after the first page is cheap. */
const CHUNK = 500;

/**
 * Shows lines in the person's pager, `$PAGER` or else less, as git does: with colours, and without waiting if
 * everything fits on the screen.
 * @returns false when there is no pager
 */
export async function showInPager(
  lines: Iterable<string>,
  { env, signal }: PagerOptions,
): Promise<boolean> {
  const pager = env["PAGER"] ?? "less";
  if (pager === "" || pager === "cat" || process.platform === "win32") return false;
  const child = spawn("/bin/sh", ["-c", pager], {
    stdio: ["pipe", "inherit", "inherit"],
    env: { LESS: "FRX", ...env },
    signal,
  });
  const ended = new Promise<number | undefined>((resolve) => {
    child.once("error", () => resolve(127));
    child.once("exit", (code) => resolve(code ?? undefined));
  });
  // The person may quit before everything is written.
  child.stdin.on("error", () => {});
  void provider(lines, child.stdin, ended);
  return (await ended) !== 127;
}

async function provider(
  lines: Iterable<string>,
  stdin: NodeJS.WritableStream & { readonly destroyed?: boolean },
  ended: Promise<unknown>,
): Promise<void> {
  let chunk: string[] = [];
  const flush = async () => {
    const text = chunk.join("");
    chunk = [];
    if (!stdin.write(text)) await Promise.race([once(stdin, "drain").catch(() => {}), ended]);
  };
  for (const text of lines) {
    chunk.push(`${text}\n`);
    if (chunk.length < CHUNK) continue;
    await flush();
    if (stdin.destroyed === true) return;
  }
  await flush();
  stdin.end();
}
