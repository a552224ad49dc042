import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { listenIde } from "@idewire/node-server";
import { build } from "esbuild";
import { openFolderHost } from "idewire/folder-host";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openWorkspace, type Workspace, write } from "../src/reference-clients/serve-context.ts";

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

async function serveSelection(workspace: Workspace): Promise<void> {
  const file = write(workspace, "a.txt", "one\ntwo\nthree\n");
  const host = await openFolderHost(workspace.folder);
  onTestFinished(() => host.close());
  const listener = await listenIde(host, { env: workspace.env, resume: false });
  onTestFinished(() => listener.close());
  const start = { line: 1, character: 0 };
  await host.select(file as Parameters<typeof host.select>[0], {
    start,
    end: { line: 1, character: 3 },
  });
}

/** Runs the client and suspends it once for `stoppedMs`; resolves to the selection that it received. */
async function runBusy(
  workspace: Workspace,
  stopAfterMs: number,
  stoppedMs: number,
): Promise<unknown> {
  const args = [program, workspace.folder, JSON.stringify(workspace.env), String(stopAfterMs)];
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

describe("Claude Code receives the selection on a machine that is too busy to run it", () => {
  test.each([600, 1_500])("some time after tools/list, for %i ms", async (stoppedMs) => {
    const known = await Promise.all(
      [0, 5, 15, 30].map(async (afterMs) => {
        const workspace = openWorkspace();
        await serveSelection(workspace);
        return { afterMs, known: await runBusy(workspace, afterMs, stoppedMs) };
      }),
    );
    const selected = expect.objectContaining({
      context: expect.objectContaining({ text: "two" }),
      times: 1,
    });
    expect(known).toEqual([0, 5, 15, 30].map((afterMs) => ({ afterMs, known: selected })));
  });

  test("even when it is stopped for longer than the server waits: the selection is sent again", async () => {
    const workspace = openWorkspace();
    await serveSelection(workspace);
    const known = await runBusy(workspace, 0, 6_500);
    expect(known).toMatchObject({ context: { text: "two" } });
  });
});
