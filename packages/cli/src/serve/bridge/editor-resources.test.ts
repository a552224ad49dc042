import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { claudeCode, type Dialect, defaultSharePolicy, neovim } from "@idewire/core";
import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { listenIde } from "@idewire/node-server";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../../tests/src/temporary-folder.ts";
import { createBridge } from "./create-bridge.ts";

const DOCUMENTS = "idewire://editor/documents";
const DIAGNOSTICS = "idewire://editor/diagnostics";
const SELECTION = "idewire://editor/selection";
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

/** An editor, a bridge to it that looks for changes often, and a client of the bridge. */
async function open(era: "legacy" | "modern", dialect: Dialect = claudeCode) {
  const root = temporaryFolder("idewire-bridge-");
  const cwd = join(root, "work");
  mkdirSync(cwd);
  const env = { HOME: root };
  const host = fakeEditorHost();
  host.folders = [{ path: posixPath(cwd), name: "work" }];
  const share = { ...defaultSharePolicy, level: "all" } as const;
  const options = {
    env,
    dialects: [dialect],
    resume: false,
    share,
  } as const;
  const listener = await listenIde(host, options);
  onTestFinished(() => listener.close());
  const bridge = createBridge({ cwd, env, pollMs: 10 });
  onTestFinished(() => bridge.close());
  await bridge.editor.start();
  const connect = async () => {
    const [left, right] = createMemoryTransportPair();
    bridge.server.connect(left, { context: undefined });
    return McpClient.connect(right, { name: "t", version: "1", era });
  };
  const documents = vi.spyOn(host, "documents");
  const report = (message: string) =>
    host.setDiagnostics([
      { path: posixPath(join(cwd, "a.txt")), diagnostics: [{ message, severity: "error", range }] },
    ]);
  return {
    host,
    connect,
    report,
    client: await connect(),
    pollCount: () => host.callsOf("diagnostics").length,
    /** Waits for several polls, by subscribing to the open documents. */
    async meanwhile(client: McpClient) {
      const stop = await client.subscribeResource(DOCUMENTS, () => {});
      const before = documents.mock.calls.length;
      await vi.waitFor(
        () => expect(documents.mock.calls.length - before).toBeGreaterThan(5),
        20_000,
      );
      stop();
    },
  };
}

test.each(["legacy", "modern"] as const)(
  "the editor is polled only until a subscriber is notified of a change (%s)",
  async (era) => {
    const { client, connect, pollCount, meanwhile, report } = await open(era);
    await client.readResource(DIAGNOSTICS);
    await meanwhile(client);
    expect(pollCount()).toBe(1);
    const changed = vi.fn();
    const stop = await client.subscribeResource(DIAGNOSTICS, changed);
    report("bad");
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), 60_000);
    // After a notification, a client is notified again only once it has read.
    const other = await connect();
    const notified = pollCount();
    await meanwhile(other);
    expect(pollCount()).toBe(notified);
    await client.readResource(DIAGNOSTICS);
    report("worse");
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2), 60_000);
    stop();
    await client.readResource(DIAGNOSTICS);
    const later = await connect();
    await meanwhile(later);
    const stopped = pollCount();
    await meanwhile(later);
    expect(pollCount()).toBe(stopped);
  },
);

test.each(["legacy", "modern"] as const)(
  "no more polls are made for a client that disconnects silently (%s)",
  async (era) => {
    const { client, connect, pollCount, meanwhile } = await open(era);
    await client.subscribeResource(DIAGNOSTICS, () => {});
    await vi.waitFor(() => expect(pollCount()).toBeGreaterThan(3), 60_000);
    client.close();
    const later = await connect();
    await meanwhile(later);
    const stopped = pollCount();
    await meanwhile(later);
    expect(pollCount()).toBe(stopped);
  },
);

test("diagnostics are not polled from an editor that notifies of them", async () => {
  const { client, pollCount, meanwhile, report } = await open("legacy", neovim);
  const changed = vi.fn();
  await client.subscribeResource(DIAGNOSTICS, changed);
  await client.readResource(DIAGNOSTICS);
  report("bad");
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), 60_000);
  await client.readResource(DIAGNOSTICS);
  // The bridge may have polled before the editor's notification arrived.
  const isLeftAlone = async () => {
    const before = pollCount();
    await meanwhile(client);
    expect(pollCount()).toBe(before);
  };
  await vi.waitFor(isLeftAlone, 60_000);
  report("worse");
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2), 60_000);
});

test.each(["legacy", "modern"] as const)(
  "a selection is notified as it is made (%s)",
  async (era) => {
    const { client, host } = await open(era);
    const path = posixPath(join(host.folders[0]?.path ?? "", "a.txt"));
    let receivedAt = 0;
    await client.subscribeResource(SELECTION, () => {
      receivedAt = performance.now();
    });
    await client.readResource(SELECTION);
    receivedAt = 0;
    const began = performance.now();
    host.setSelection({ path, ranges: [{ ...range, text: "t" }], primary: 0 });
    await vi.waitFor(() => expect(receivedAt).toBeGreaterThan(0), { timeout: 20_000, interval: 5 });
    // The test allows five times the desired time.
    expect(receivedAt - began).toBeLessThan(1000);
  },
);

test("a bridge that could not start gives no reason for the missing editor", async () => {
  const cwd = temporaryFolder("idewire-bridge-");
  const { editor, close } = createBridge({ cwd, env: { HOME: cwd } });
  const why = editor.start();
  await close();
  expect(await why).toBeUndefined();
  const other = createBridge({ cwd, env: { HOME: cwd } });
  onTestFinished(() => other.close());
  expect(await other.editor.start()).toContain("No running editor is for");
});
