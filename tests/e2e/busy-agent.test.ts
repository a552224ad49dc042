import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { listenIde } from "@idewire/node-server";
import { openFolderHost } from "@idewire/node-server/folder-host";
import { build } from "esbuild";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openPlace, type Place, write } from "../src/reference-clients/serve-context.ts";

let program = "";

beforeAll(async () => {
  const outfile = join(import.meta.dirname, "..", "node_modules", ".busy-claude.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "../src/reference-clients/busy-claude.ts")],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  program = outfile;
});

async function serveSelection(place: Place): Promise<void> {
  const file = write(place, "a.txt", "one\ntwo\nthree\n");
  const host = await openFolderHost(place.folder);
  onTestFinished(() => host.close());
  const listener = await listenIde({ host, env: place.env, resume: false });
  onTestFinished(() => listener.close());
  const start = { line: 1, character: 0 };
  await host.select(file as Parameters<typeof host.select>[0], {
    start,
    end: { line: 1, character: 3 },
  });
}

/** Runs the client, stopped once for so long; resolves to what it knew of the selection. */
async function runBusy(place: Place, stopAfterMs: number, stoppedMs: number): Promise<unknown> {
  const args = [program, place.folder, JSON.stringify(place.env), String(stopAfterMs)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect(JSON.parse(String((await lines.next()).value))).toBe("stopped");
  await sleep(stoppedMs);
  child.kill("SIGCONT");
  const last = JSON.parse(String((await lines.next()).value));
  if (child.exitCode === null) await once(child, "exit");
  return last;
}

describe("Claude Code learns the selection on a machine that does not let it run", () => {
  test.each([600, 1_500])("some time after tools/list, for %i ms", async (stoppedMs) => {
    const known = await Promise.all(
      [0, 5, 15, 30].map(async (afterMs) => {
        const place = openPlace();
        await serveSelection(place);
        return { afterMs, known: await runBusy(place, afterMs, stoppedMs) };
      }),
    );
    const selected = expect.objectContaining({
      context: expect.objectContaining({ text: "two" }),
      times: 1,
    });
    expect(known).toEqual([0, 5, 15, 30].map((afterMs) => ({ afterMs, known: selected })));
  });

  test("nor for longer than anybody waits for a sign of life: then it is told again", async () => {
    const place = openPlace();
    await serveSelection(place);
    const known = await runBusy(place, 0, 6_500);
    expect(known).toMatchObject({ context: { text: "two" } });
  }, 60_000);
});
