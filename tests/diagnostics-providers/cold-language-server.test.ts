import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { claudeCodeSpec, createIdeServer, neovim } from "@idewire/core";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { RawEnd } from "@idewire/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  openFakeServer,
  type ProviderContext,
} from "../src/diagnostics-providers/provider-context.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const BAD = ["0:0 a bad word"];

/** The limit for answers of a warm server. */
const WARM_MS = 1_300;

/** A server that sends nothing until it is released, like one that loads a large project. */
async function openColdServer(files: Record<string, string> = {}) {
  const folder = temporaryFolder("idewire-cold-");
  const heldBy = join(folder, "loaded");
  const context = await openFakeServer({ heldBy }, { files, restartMs: 5 });
  return { ...context, release: () => writeFileSync(heldBy, "") };
}

/** The documents that the server has received, each with its process id. */
function givenBy({ lines }: ProviderContext): readonly (readonly [name: string, pid: number])[] {
  return lines.flatMap((line) => {
    const [, name, pid] = /given (\S+) as (\d+)/.exec(line) ?? [];
    return name === undefined ? [] : [[name, Number(pid)] as const];
  });
}

/** An edit of a file without earlier requests: its diagnostics before and after. */
async function firstEdit({ host, write, problems }: ProviderContext, name: string) {
  const [before] = (await host.diagnostics?.(await write(name, "fine"))) ?? [];
  expect(before?.diagnostics).toEqual([]);
  await write(name, "bad");
  return problems(name);
}

describe("a server is warm before the first edit", () => {
  test("because it receives a file of each language: the first that is not secret, hidden, built, a declaration or too long", async () => {
    const context = await openFakeServer(
      {},
      {
        files: {
          ".env.ts": "fine",
          ".hidden.ts": "fine",
          ".cache/a.ts": "fine",
          "a.config.ts": "fine",
          "a.d.ts": "fine",
          "b.ts": "x".repeat(1024 * 1024 + 1),
          "node_modules/c.ts": "fine",
          "notes.txt": "fine",
          "src/first.ts": "fine",
          "src/second.ts": "fine",
          "src/deep/style.css": "fine",
        },
      },
    );
    await context.until(() => expect(givenBy(context)).toHaveLength(2));
    await context.host.diagnostics?.(await context.write("asked.go", "fine"));
    await context.until(() => expect(givenBy(context).length).toBeGreaterThan(2));
    expect(givenBy(context).map(([name]) => name)).toEqual(["first.ts", "style.css", "asked.go"]);
  });

  test("so that its answer lists the problems", async () => {
    const context = await openColdServer({ "sample.ts": "bad" });
    await context.until(() => expect(givenBy(context)).toHaveLength(1));
    context.release();
    // No file has been requested.
    await context.until(() => expect(context.events).toEqual(["sample.ts"]));
    let edits = 0;
    await context.until(async () => {
      edits += 1;
      expect(await firstEdit(context, `edited-${edits}.ts`)).toEqual(BAD);
    });
  });

  test("also after a restart", async () => {
    const context = await openColdServer({ "sample.ts": "fine" });
    await context.until(() => expect(givenBy(context)).toHaveLength(1));
    const pid = givenBy(context)[0]?.[1] ?? 0;
    expect(pid).toBeGreaterThan(1);
    process.kill(pid, "SIGKILL");
    await context.until(() => expect(givenBy(context)).toHaveLength(2));
    expect(givenBy(context)[1]).toEqual(["sample.ts", expect.not.toBeOneOf([pid])]);
  });

  test("and is notified when that file changes or is deleted", async () => {
    const { write, problems, until, release } = await openColdServer({ "sample.ts": "bad" });
    release();
    await until(async () => expect(await problems("sample.ts")).toEqual(BAD));
    await write("sample.ts", "fine, bad no more: bad");
    await until(async () => expect(await problems("sample.ts")).toHaveLength(2));
    await write("sample.ts", "fine");
    await until(async () => expect(await problems("sample.ts")).toEqual([]));
  });
});

describe("a server that is cold at the first edit", () => {
  test("is waited for while the agent waits, and longer than one that is warm", async () => {
    const outcomes: (readonly string[])[] = [];
    // Retries, as a busy machine may be late.
    for (let trial = 1; trial <= 8 && outcomes.at(-1)?.length !== 1; trial++) {
      const context = await openColdServer();
      const edit = firstEdit(context, "a.ts");
      await context.until(() => expect(givenBy(context)).toHaveLength(1));
      await delay(WARM_MS + 200);
      context.release();
      outcomes.push(await edit);
    }
    expect(outcomes.at(-1)).toEqual(BAD);
  });

  test("delays an agent no longer than Claude Code waits: 2 s for the folder, 0.5 s for a file", async () => {
    const { host, write } = await openColdServer();
    const timeOf = async (ask: () => unknown) => {
      const before = performance.now();
      await ask();
      return performance.now() - before;
    };
    const path = await write("a.ts", "fine");
    await expect.poll(() => timeOf(() => host.diagnostics?.(path))).toBeLessThan(500);
    await expect.poll(() => timeOf(() => host.diagnostics?.())).toBeLessThan(2_000);
  });

  test("is reported with the next answer for the folder, as new", async () => {
    const context = await openColdServer();
    expect(await firstEdit(context, "a.ts")).toEqual([]);
    context.release();
    await context.until(async () => expect(await context.problems("a.ts")).toEqual(BAD));
  });

  test.each([
    ["neovim", neovim],
    ["claude-code-spec", claudeCodeSpec],
  ] as const)(
    "is reported as soon as it answers where the dialect has diagnostics_changed: %s",
    async (_, dialect) => {
      const context = await openColdServer();
      const [agentEnd, editorEnd] = createMemoryTransportPair();
      const session = createIdeServer({ host: context.host, dialect }).open(editorEnd);
      onTestFinished(() => agentEnd.close());
      const agent = new RawEnd(agentEnd);
      const clientInfo = { name: "claude-code", version: "2.1.330" };
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      agent.request(0, "initialize", params);
      agent.notify("notifications/initialized");
      await context.until(() => expect(session.ready).toBe(true));
      expect(await firstEdit(context, "a.ts")).toEqual([]);
      agent.frames.length = 0;
      context.release();
      await context.until(() => {
        const received = agent.frames.filter((frame) => frame.includes("diagnostics_changed"));
        expect(received.join()).toContain("a bad word");
      });
      expect(agent.frames.join()).toContain("a.ts");
    },
  );
});
