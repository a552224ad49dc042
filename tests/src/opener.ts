import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { openFixture } from "./reference-clients/context.ts";
import { until } from "./reference-clients/transcript.ts";

/** A replacement of the system's opener. */
export interface Opener {
  /** The environment that makes the command use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Its argument; undefined before it is called. */
  opened(): string | undefined;
}

/**
 * Records its argument, and runs until the test ends.
 * @param command a line of shell that runs meanwhile, in which `$1` is the argument; its children are
 * terminated with the test
 */
export function fakeOpener(command = ":"): Opener {
  const fixture = openFixture();
  const output = join(fixture.root, "opened");
  const hold = fixture.file("hold", "");
  onTestFinished(async () => {
    rmSync(hold, { force: true });
    if (!existsSync(output)) return;
    await until("the opener to exit", () => existsSync(`${output}.end`));
    // The processes of a browser exit after their parent.
    const group = readFileSync(`${output}.end`, "utf8").trim();
    await until("its children to exit", () => !isAlive(group));
  });
  const run = `setsid sh '${fixture.file("command", `${command}\n`)}' "$1" &`;
  const lines = [
    ...["#!/bin/sh", `echo "$1" > '${output}.new'; mv '${output}.new' '${output}'`, run],
    ...[`while [ -e '${hold}' ]; do sleep 0.1; done`, "kill -- $! -$! 2>/dev/null; wait"],
    `echo $! > '${output}.new'; mv '${output}.new' '${output}.end'`,
  ];
  const opener = fixture.file("xdg-open", `${lines.join("\n")}\n`);
  chmodSync(opener, 0o755);
  return {
    env: { DISPLAY: ":9", PATH: `${dirname(opener)}:${process.env["PATH"] ?? ""}` },
    opened: () => (existsSync(output) ? readFileSync(output, "utf8").trim() : undefined),
  };
}

/** The process details that every user of this machine can read, and those that only their own user can. */
export function readProcesses(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => [
      readOrNothing(`/proc/${pid}/cmdline`),
      readOrNothing(`/proc/${pid}/environ`),
    ]);
}

/** Whether a process of the group still runs; zombies do not count. */
function isAlive(group: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readOrNothing(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [])
    .some(([state, , itsGroup]) => itsGroup === group && state !== "Z");
}

/** It may have exited meanwhile. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
