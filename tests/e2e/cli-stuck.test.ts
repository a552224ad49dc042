import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openStage } from "../src/twins/scene.ts";
import { openPlace } from "../src/twins/serve-scene.ts";
import { sleep } from "../src/twins/wire.ts";

const bin = fileURLToPath(new URL("../../packages/node-server/bin/idewire.js", import.meta.url));

const isWindows = process.platform === "win32";

/** A lock file whose reader waits for ever, as on a dead disk; the result lets it go on. */
function blockStart(lockFolder: string): () => void {
  mkdirSync(lockFolder, { recursive: true });
  const path = join(lockFolder, "12345.lock");
  execFileSync("mkfifo", [path]);
  return () => closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
}

test.skipIf(isWindows)(
  "a start that hangs is given up at the first signal; what it opens later is closed",
  async () => {
    const stage = openStage();
    const unblock = blockStart(stage.lockFolder);
    const run = new CliRun(stage, { args: ["serve", "--json"] });
    await sleep(300);
    run.signal("SIGTERM");
    const code = await Promise.race([run.exited, sleep(1_000)]);
    run.signal("SIGTERM");
    const { exits } = run;
    unblock();
    expect([code, exits]).toEqual([143, [143]]);
    await sleep(500);
    expect(readdirSync(stage.lockFolder)).toEqual(["12345.lock"]);
    expect(run.output).toBe("");
  },
);

for (const [count, signal] of [
  [1, "SIGTERM"],
  [2, "SIGINT"],
] as const) {
  test.skipIf(isWindows)(`a process whose start hangs ends after ${count} ${signal}`, async () => {
    const { folder, env } = openPlace();
    blockStart(join(env.CLAUDE_CONFIG_DIR ?? "", "ide"));
    const serve = spawn(process.execPath, [bin, "serve", folder, "--json"], { env: { ...env } });
    onTestFinished(() => void serve.kill("SIGKILL"));
    const exited = once(serve, "exit");
    await sleep(1_500);
    const start = performance.now();
    for (let sent = 0; sent < count; sent++) {
      serve.kill(signal);
      await sleep(200);
    }
    expect(await exited).toEqual([null, signal]);
    expect(performance.now() - start).toBeLessThan(count === 1 ? 3_000 : 1_500);
  });
}
