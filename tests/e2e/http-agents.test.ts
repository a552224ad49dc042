import { join } from "node:path";
import { gemini } from "@idewire/core";
import type { Transport } from "@idewire/core/rpc";
import { InMemoryEditor, posixPath } from "@idewire/core/testing";
import { type ListenIdeOptions, listenIde } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import { openFixture } from "../src/reference-clients/context.ts";
import { GeminiClient, geminiProfile } from "../src/reference-clients/gemini-client.ts";

const MIB = 1 << 20;

async function openContext(options: ListenIdeOptions = {}) {
  const { env, workspace } = openFixture();
  const folder = { path: posixPath(workspace), name: "work" };
  const editor = new InMemoryEditor({ name: "Test Editor", version: "1", folder });
  const share = { level: "all" } as const;
  const listener = await listenIde(editor, { dialects: [gemini], env, share, ...options });
  onTestFinished(() => listener.close());
  const start = async () => {
    const agent = new GeminiClient(geminiProfile, { env, cwd: workspace });
    onTestFinished(() => agent.exit());
    expect(await agent.enable(), agent.problem).toBe(true);
    return agent;
  };
  return { editor, listener, start, pathOf: (name: string) => posixPath(join(workspace, name)) };
}

/** Records the methods that pass through a transport, and its close. */
function openNotebook() {
  const lines: string[] = [];
  const note = (who: string, frame: string) => {
    const { method = "result" } = JSON.parse(frame) as { readonly method?: string };
    lines.push(`${who} ${method}`);
  };
  const wrapTransport = (inner: Transport): Transport => {
    lines.push("opened");
    const outer: Transport = {
      ...{ onframe: undefined, onclose: undefined, ondrain: undefined, bufferedAmount: 0 },
      send(frame, about) {
        note("editor", frame);
        inner.send(frame, about);
      },
      close: (code, reason) => inner.close(code, reason),
    };
    inner.onframe = (frame) => {
      note("agent", frame);
      outer.onframe?.(frame);
    };
    inner.onclose = (reason) => lines.push(`closed ${reason.code}`);
    return outer;
  };
  return { lines, wrapTransport };
}

test("a transport wrapper receives each message of an agent over HTTP, in order", async () => {
  const { lines, wrapTransport } = openNotebook();
  const { start, editor, pathOf, listener } = await openContext({ wrapTransport });
  editor.writeFile(pathOf("a.md"), "one\n");
  editor.open(pathOf("a.md"));
  const agent = await start();
  expect(lines.slice(0, 6)).toEqual([
    "opened",
    "agent initialize",
    "editor result",
    "agent notifications/initialized",
    "agent tools/list",
    "editor result",
  ]);
  await agent.until("the state", () => agent.active !== undefined);
  const answer = agent.openDiff(pathOf("a.md"), "two\n");
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  editor.answerDiff(editor.shownDiffs[0]?.id ?? "", { kind: "accepted", text: "two\n" });
  await answer;
  expect(lines).toContain("agent tools/call");
  expect(lines).toContain("editor ide/contextUpdate");
  expect(lines).toContain("editor ide/diffAccepted");
  expect(lines.filter((line) => line === "opened")).toHaveLength(1);
  await listener.close();
  expect(lines.at(-1)).toMatch(/^closed/);
});

test("an agent whose pending diffs hold too much memory is disconnected, others are not", async () => {
  const { start, editor, pathOf, listener } = await openContext({
    limits: { maxClientBytes: 4 * MIB },
  });
  const [greedy, other] = [await start(), await start()];
  void other.openDiff(pathOf("small.md"), "small\n").catch(() => undefined);
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  const reasons: string[] = [];
  listener.on("disconnected", (_, { reason }) => reasons.push(reason));
  for (const name of ["a.md", "b.md", "c.md"]) {
    void greedy.propose(pathOf(name), "x".repeat(1.5 * MIB)).catch(() => undefined);
  }
  await expect.poll(() => reasons).toEqual(["More than 4 MiB are held for this client"]);
  await expect.poll(() => editor.shownDiffs.map(({ path }) => path)).toEqual([pathOf("small.md")]);
});

test("a body counts while it is read, and is refused beyond the budget", async () => {
  const { start, editor, pathOf } = await openContext({ limits: { maxClientBytes: 2 * MIB } });
  const agent = await start();
  await expect(agent.openDiff(pathOf("a.md"), "x".repeat(3 * MIB))).rejects.toThrow();
  expect(editor.shownDiffs).toEqual([]);
});
