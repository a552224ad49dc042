import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { openStage } from "./twins/scene.ts";

/** A program in the place of the system's, which opens what a person is to see. */
export interface Opener {
  /** What makes the command use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Its argument; undefined until it was called. */
  opened(): string | undefined;
}

/**
 * Writes down its argument, and goes on until the test ends.
 * @param then a line of shell that it ends with, in which `$1` is the argument
 */
export function fakeOpener(then?: string): Opener {
  const stage = openStage();
  const said = join(stage.root, "opened");
  const hold = stage.file("hold", "");
  onTestFinished(() => rmSync(hold, { force: true }));
  const wait = `while [ -e '${hold}' ]; do sleep 0.1; done`;
  const script = `#!/bin/sh\necho "$1" > '${said}.new'; mv '${said}.new' '${said}'\n${then ?? wait}\n`;
  const opener = stage.file("xdg-open", script);
  chmodSync(opener, 0o755);
  return {
    env: { DISPLAY: ":9", PATH: `${dirname(opener)}:${process.env["PATH"] ?? ""}` },
    opened: () => (existsSync(said) ? readFileSync(said, "utf8").trim() : undefined),
  };
}

/** What every user of this machine can read of its processes, and what their own users can. */
export function readProcesses(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => [
      readOrNothing(`/proc/${pid}/cmdline`),
      readOrNothing(`/proc/${pid}/environ`),
    ]);
}

/** It may have ended meanwhile. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
