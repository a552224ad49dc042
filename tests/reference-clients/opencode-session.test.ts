import { expect, onTestFinished, test } from "vitest";
import { OpencodeClient } from "../src/reference-clients/opencode-client.ts";
import { readMentionedLines } from "../src/reference-clients/opencode-notes.ts";
import type { Workspace } from "../src/reference-clients/serve-context.ts";
import {
  openWorkspace,
  startClient,
  startServe,
  write,
} from "../src/reference-clients/serve-context.ts";
import { span } from "../src/reference-clients/wire.ts";

function startOpencode(workspace: Workspace): OpencodeClient {
  const { env, folder } = workspace;
  const client = OpencodeClient.start({ env, cwd: folder, retryFactor: 0.05 });
  onTestFinished(() => client.exit());
  return client;
}

async function openServedSession() {
  const workspace = openWorkspace("home");
  const serve = startServe(workspace);
  const { port } = await serve.event("listening");
  const client = startOpencode(workspace);
  await client.untilReady();
  return { workspace, serve, client, port };
}

// "without a subprotocol and without `Origin`" (docs/clients/opencode.md, Connection).
test("opencode connects without a sub-protocol, and its name is shown", async () => {
  const { workspace, serve, client } = await openServedSession();
  expect(await serve.event("initialized")).toMatchObject({ agent: "opencode", version: "0.0.0" });
  const filePath = write(workspace, "a.txt", "one\n");
  await serve.do({ do: "select", path: filePath, range: span(0, 0, 0, 3) });
  await client.until("the selection", () => client.context);
  expect(client.state).toBe("ready");
  expect(client.transcript.received().filter((frame) => frame.id !== undefined)).toHaveLength(1);
  expect(client.violations).toEqual([]);
});

// "The model reads `Note: The user selected #2-3 from", "or "The user opened the file"
// (docs/clients/opencode.md, Notifications).
test("its prompts contain a selection made before or after it connected", async () => {
  const workspace = openWorkspace("home");
  const serve = startServe(workspace);
  await serve.event("listening");
  const filePath = write(workspace, "ä b 🙂.txt", "zero\none\ntwo\nthree\n");
  await serve.do({ do: "select", path: filePath, range: span(2, 0, 3, 5) });
  const client = startOpencode(workspace);
  await client.untilReady();
  await client.until("the selection", () => client.context);
  expect(client.prompt()).toEqual([
    `<system-reminder>Note: The user selected #3-4 from "${filePath}": two\nthree</system-reminder>`,
  ]);
  await serve.do({ do: "select", path: filePath, range: span(0, 0, 0, 4) });
  await client.until("the next", () => client.prompt()[0]?.includes("#1 from"));
  await serve.do({ do: "open", path: write(workspace, "other.txt", "x") });
  await client.until("the file", () => client.prompt()[0]?.includes("opened the file"));
  // "a notification that clears the selection in Claude Code is ignored" (docs/clients/opencode.md, Notifications).
  await serve.do({ do: "clearSelection" });
  await client.until("nothing", () => client.prompt()[0]?.includes('opened the file ""'));
  expect(client.transcript.dropped()).toEqual([]);
});

// "`at_mentioned` needs a number for `lineStart` and `lineEnd`" (docs/clients/opencode.md, Notifications).
test("mentions always have both lines, those of a whole file too", async () => {
  const { serve, client, workspace } = await openServedSession();
  const filePath = write(workspace, "src/a.txt", "zero\none\ntwo");
  await serve.do({ do: "mention", path: filePath, lines: { start: 1, end: 2 } });
  await serve.do({ do: "mention", path: filePath });
  await client.until("both", () => client.mentions.length === 2);
  const text = "zero\none\ntwo";
  const read = client.mentions.map((mention) => readMentionedLines(mention, text));
  expect(read).toEqual(["one\ntwo", text]);
  expect(client.mentions[0]).toEqual({ filePath, lineStart: 2, lineEnd: 3 });
  expect(client.transcript.dropped()).toEqual([]);
});

test("it reconnects after a drop, and receives the selection again", async () => {
  const { serve, client, workspace } = await openServedSession();
  const filePath = write(workspace, "a.txt", "zero\none\n");
  await serve.do({ do: "select", path: filePath, range: span(0, 0, 0, 4) });
  await client.until("the selection", () => client.context);
  const before = client.transcript.received("selection_changed").length;
  await serve.do({ do: "drop" });
  await client.until("the second connection", () => client.transcript.connection === 2);
  await client.until(
    "the selection again",
    () => client.transcript.received("selection_changed").length > before,
  );
  expect(client.violations).toEqual([]);
});

// "after `kill -9` it connects again by itself, with the selection" (docs/clients/opencode.md, With idewire).
test("a killed server is found again", async () => {
  const { serve, client, workspace, port } = await openServedSession();
  serve.kill("SIGKILL");
  await serve.exited;
  const again = startServe(workspace);
  expect(await again.event("listening")).toMatchObject({ port });
  await client.until(
    "back",
    () => client.transcript.connection > 1 && client.state === "ready",
    20_000,
  );
});

test("both clients share one editor", async () => {
  const { serve, client, workspace } = await openServedSession();
  const claude = await startClient(workspace);
  await claude.untilReady();
  const filePath = write(workspace, "a.txt", "zero\none\n");
  await serve.do({ do: "select", path: filePath, range: span(1, 0, 1, 3) });
  await client.until("opencode", () => client.prompt()[0]?.includes("#2 from"));
  await claude.until("claude", () => claude.badge);
  expect((await claude.prompt()).context).toContain("lines 2 to 2");
  const edit = claude.edit(filePath, "new");
  await serve.event("diff-opened");
  client.exit();
  await serve.event("disconnected");
  await serve.do({ do: "diff", answer: "accept" });
  expect(await edit.result).toMatchObject({ by: "ide", written: "new" });
  expect(claude.violations).toEqual([]);
  expect(client.violations).toEqual([]);
});
