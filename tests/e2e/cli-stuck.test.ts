import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { exitOf } from "../src/exit-of.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { until } from "../src/reference-clients/transcript.ts";

const bin = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));

const isWindows = process.platform === "win32";

/** A pipe on which a read never ends, as on a dead disk. */
function makePipe(folder: string): string {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  return pipe;
}

interface Blocked {
  readonly isBlocked: () => boolean;
  /** A lock file was published. */
  readonly isPublished: () => boolean;
  unblock: () => void;
}

/** Makes the listing of folders hang until it is unblocked. */
function blockStart(): Blocked {
  const { readdir, rename } = fs.promises;
  let isBlocked = false;
  let isPublished = false;
  let unblock = (): void => undefined;
  const unblocked = new Promise<void>((resolve) => {
    unblock = resolve;
  });
  const patch = (patched: Pick<typeof fs.promises, "readdir" | "rename">) => {
    Object.assign(fs.promises, patched);
    syncBuiltinESMExports();
  };
  const blocking = async (path: string) => {
    isBlocked ||= /ide(wire)?$/.test(path);
    await unblocked;
    return readdir(path);
  };
  const watched: typeof rename = async (from, to) => {
    await rename(from, to);
    isPublished ||= String(to).endsWith(".lock");
  };
  patch({ readdir: blocking as typeof readdir, rename: watched });
  onTestFinished(() => patch({ readdir, rename }));
  return { isBlocked: () => isBlocked, isPublished: () => isPublished, unblock };
}

/** In a separate process, makes the listing of folders hang in a thread that cannot be stopped. */
function blockingModule(pipe: string): string {
  const code = `import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    fs.promises.readdir = (path) => {
      if (/ide(wire)?$/.test(path)) console.error("blocked");
      return fs.promises.readFile(${JSON.stringify(pipe)});
    };
    syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

test.skipIf(isWindows)(
  "a start that hangs is abandoned at the first signal; resources opened later are closed",
  async () => {
    const fixture = openFixture();
    const { isBlocked, isPublished, unblock } = blockStart();
    const run = new CliRun(fixture, { args: ["serve", "--json"] });
    await until("the start hangs", isBlocked);
    run.signal("SIGTERM");
    const code = await run.exited;
    run.signal("SIGTERM");
    const { exits } = run;
    unblock();
    expect([code, exits]).toEqual([143, [143]]);
    await until("the start has continued", isPublished);
    await expect.poll(() => fs.readdirSync(fixture.lockFolder)).toEqual([]);
    expect(run.output).toBe("");
  },
);

for (const [count, signal] of [
  [1, "SIGTERM"],
  [2, "SIGINT"],
] as const) {
  test.skipIf(isWindows)(`a process whose start hangs ends after ${count} ${signal}`, async () => {
    const { folder, env, fixture } = openWorkspace();
    const args = [
      "--import",
      blockingModule(makePipe(fixture.root)),
      bin,
      "serve",
      folder,
      "--json",
    ];
    const serve = spawn(process.execPath, args, { env: { ...env } });
    const exited = exitOf(serve);
    await once(serve.stderr, "data");
    for (let sent = 0; sent < count; sent++) serve.kill(signal);
    expect(await exited).toEqual([null, signal]);
  });
}
