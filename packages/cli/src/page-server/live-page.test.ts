import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import { FrameIndex, PageClient, servePage } from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { openFolderHost } from "../folder-host/index.ts";
import { FolderLog } from "./folder-log.ts";
import { livePageHandlers } from "./live-page.ts";

const TIMEOUT = { timeout: 60_000 };

/** A folder, and the other end of the wire to its page; `take` is the page's handler of events. */
async function openLive(take: () => unknown = () => ({})) {
  const root = temporaryFolder("idewire-live-");
  writeFileSync(join(root, "a.md"), "# A\n");
  symlinkSync("/etc/hostname", join(root, "link.md"));
  const host = await openFolderHost(root);
  const log = new FolderLog(host);
  const [page, server] = createMemoryTransportPair();
  const served = new Peer(server);
  servePage(
    served,
    livePageHandlers(served, "key", {
      host,
      log,
      env: {},
      createLink: () => "link",
      again: () => "idewire serve --web",
      hasComments: false,
    }),
  );
  const peer = new Peer(page);
  const events: TraceEvent[] = [];
  const chunks: number[] = [];
  peer.handle("live/events", ({ params }) => {
    const received = (params?.["events"] ?? []) as TraceEvent[];
    chunks.push(received.length);
    events.push(...received);
    return take();
  });
  const joined = new Promise<number>((resolve) => {
    peer.handle("live/joined", ({ params }) => resolve(Number(params?.["rowsBefore"])));
  });
  onTestFinished(async () => {
    peer.close();
    log.close();
    await host.close();
  });
  return { root, host, log, peer, events, chunks, joined };
}

test("a page that joins late gets the editor's current state, and then its events", async () => {
  const { root, host, peer, events, joined } = await openLive();
  const path = join(root, "a.md") as Parameters<typeof host.open>[0];
  await host.edit(path, "# Unsaved\n");
  expect(await peer.request("live/join")).toMatchObject({ key: "key", folder: root });
  await joined;
  const changes = events.flatMap((event) => (event.ev === "editor" ? [event.change] : []));
  expect(changes).toContainEqual({
    ...{ kind: "text", path: "a.md", text: "# Unsaved\n", unsaved: true },
  });
  expect(changes).toContainEqual({ kind: "opened", path: "a.md" });
  const before = events.length;
  await peer.request("editor/edit", { path: "a.md", text: "# More\n" });
  // The changes arrive before the answer.
  expect(events.slice(before)).toContainEqual(
    expect.objectContaining({
      change: { kind: "text", path: "a.md", text: "# More\n", unsaved: true },
    }),
  );
});

test("a slow page has one batch in flight, and then gets the editor's current state", async () => {
  let go: () => void = () => {};
  let taken: unknown = {};
  const { root, host, log, peer, events, chunks, joined } = await openLive(() => taken);
  const path = join(root, "a.md") as Parameters<typeof host.open>[0];
  await host.open(path);
  await peer.request("live/join");
  await joined;
  const kinds = () => events.flatMap((event) => (event.ev === "editor" ? [event.change.kind] : []));
  expect(kinds()).toContain("opened");
  const asked = new AbortController();
  const diff = host.openDiff?.(
    {
      ...{ id: "d1" as never, session: "s1" as never, title: "t", proposed: "# B\n" },
      ...{ path, oldPath: path, outsideWorkspace: false },
    },
    asked.signal,
  );
  await vi.waitFor(() => expect(kinds()).toContain("review-opened"), TIMEOUT);
  taken = new Promise<object>((resolve) => {
    go = () => resolve({});
  });
  log.log.append({ ev: "frame", ch: "c1", dir: "agent>ide", raw: "first" });
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ raw: "first" }), TIMEOUT);
  const before = chunks.length;
  expect(host.answerDiff("d1" as never, { kind: "rejected" })).toBe(true);
  await diff;
  await host.closeTab?.("a.md");
  await log.flush();
  for (let count = 0; count < 50_000; count += 1) {
    log.log.append({ ev: "frame", ch: "c1", dir: "agent>ide", raw: "{}" });
  }
  const act = peer.request("editor/open", { path: "a.md" });
  await log.flush();
  expect(chunks.length).toBe(before);
  taken = {};
  go();
  await act;
  expect(Math.max(...chunks)).toBeLessThanOrEqual(500);
  const notes = events.filter((event) => event.ev === "transcript").map(({ text }) => text);
  expect(notes).toEqual([expect.stringMatching(/^\d+ events are not shown:/)]);
  const changes = events.flatMap((event) => (event.ev === "editor" ? [event.change] : []));
  expect(changes).toContainEqual({
    kind: "review-closed",
    id: "d1",
    outcome: "rejected",
    by: "script",
  });
  expect(changes.filter(({ kind }) => kind === "review-opened")).toHaveLength(1);
  // Even now, the changes of a request arrive before its answer.
  const last = changes.findLast(({ kind }) => kind === "opened" || kind === "closed");
  expect(last).toEqual({ kind: "opened", path: "a.md" });
});

test.each(["../outside.md", "link.md", "/etc/hostname", "a/../../b.md"])(
  "a page cannot reach files outside the folder: %s",
  async (path) => {
    const { peer } = await openLive();
    for (const verb of ["open", "revert", "keepUnsaved", "mention"]) {
      await expect(peer.request(`editor/${verb}`, { path }), verb).rejects.toThrow(
        /outside the workspace folder|does not exist/,
      );
    }
    await expect(peer.request("editor/edit", { path, text: "x" })).rejects.toThrow();
  },
);

test("a page gets the outcome of each command: saved or the reason, closed or not", async () => {
  const { root, peer } = await openLive();
  const page = new PageClient(peer);
  const path = "a.md";
  await page.command({ do: "edit", path, text: "# Mine\n", over: "# A\n" });
  expect(await page.command({ do: "close", path })).toEqual({ value: false });
  writeFileSync(join(root, path), "# Theirs\n");
  const { value } = await page.command({ do: "save", path });
  expect(value).toMatchObject({
    saved: false,
    message: expect.stringContaining("changed on disk"),
  });
  await page.command({ do: "keepUnsaved", path });
  expect(await page.command({ do: "save", path })).toEqual({ value: { saved: true } });
  expect(readFileSync(join(root, path), "utf8")).toBe("# Mine\n");
  await page.command({ do: "edit", path, text: "lost" });
  expect(await page.command({ do: "close", path, discard: true })).toEqual({ value: true });
  const lines = { start: 0, end: 0 };
  await expect(page.command({ do: "mention", path: "b.md", lines })).rejects.toThrow("b.md");
});

test("an invalid request of a page is refused naming the wrong member", async () => {
  const { peer } = await openLive();
  const command = (verb: string, params: object) => peer.request(`editor/${verb}`, { ...params });
  for (const verb of ["toString", "setDiagnostics"]) {
    await expect(command(verb, { files: [] })).rejects.toMatchObject({ code: -32_601 });
  }
  await expect(command("open", {})).rejects.toThrow("editor/open: path: expected string");
  await expect(command("open", { path: "" })).rejects.toThrow("path: expected 1 to 4096 units");
  await expect(command("open", { path: "a".repeat(4_097) })).rejects.toThrow("path: expected");
  await expect(command("edit", { path: "a.md", text: 1 })).rejects.toThrow("text");
  const tooLong = "x".repeat(4 * 1024 * 1024 + 1);
  for (const texts of [{ text: tooLong }, { text: "", over: tooLong }]) {
    await expect(command("edit", { path: "a.md", ...texts })).rejects.toThrow("text: expected");
  }
  await expect(command("answerDiff", { id: "d", answer: { kind: "yes" } })).rejects.toThrow("kind");
  await expect(command("open", { path: "a\0b" })).rejects.toThrow();
  const answer = { kind: "rejected" };
  expect(await command("answerDiff", { id: "gone", answer })).toEqual({ value: false });
});

describe("a reloaded page gets the log again", () => {
  const frame = (raw: string) => ({ ev: "frame", ch: "c1", dir: "agent>ide", raw }) as const;

  /** Connects an agent; its session stays listed, however long ago it was opened. */
  async function connect(log: FolderLog) {
    const [agent, editor] = createMemoryTransportPair();
    log.wrapTransport(editor, { dialect: "claude-code", port: undefined });
    agent.send("{}");
    await expect.poll(() => log.log.events.map(({ ev }) => ev)).toContain("open");
    return agent;
  }

  test("typing into a large file displaces no other event", async () => {
    const { root, host, log, peer, events, joined } = await openLive();
    const path = join(root, "a.md") as Parameters<typeof host.open>[0];
    log.log.append(frame("first"));
    const page = "x".repeat(1 << 20);
    for (let count = 0; count < 40; count += 1) await host.edit(path, `${page}${count}`);
    await log.flush();
    await peer.request("live/join");
    await joined;
    expect(events).toContainEqual(expect.objectContaining({ raw: "first" }));
    const texts = events.flatMap((event) =>
      event.ev === "editor" && event.change.kind === "text" ? [event.change.text.length] : [],
    );
    expect(texts.at(-1)).toBe(page.length + 2);
    expect(log.log.dropped).toBe(0);
  });

  test("all past events have their number and time, reviews and their ends included", async () => {
    const { root, host, log, peer, events, joined } = await openLive();
    const path = join(root, "a.md") as Parameters<typeof host.open>[0];
    await connect(log);
    await host.edit(path, "one\n");
    log.log.append(frame("{}"));
    const more = { path, oldPath: path, outsideWorkspace: false, title: "t", proposed: "b\n" };
    const asked = { id: "d1" as never, session: "s1" as never, ...more };
    const outcome = host.openDiff?.(asked, new AbortController().signal);
    await expect.poll(() => host.answerDiff("d1" as never, { kind: "rejected" })).toBe(true);
    await outcome;
    await host.edit(path, "two\n");
    await log.flush();
    await peer.request("live/join");
    await joined;
    expect(events).toEqual(log.log.events);
    expect(events.map(({ n }) => n)).toEqual(events.map((_, at) => at + 1));
  });

  test("dropped events are counted, and connected agents remain known", async () => {
    const { log, peer, events, joined } = await openLive();
    const whole = new FrameIndex();
    for (const event of log.log.events) whole.add(event);
    log.log.on("append", (event) => whole.add(event));
    const agent = await connect(log);
    for (let count = 0; count < 25_000; count += 1) log.log.append(frame(`${count}`));
    const { dropped } = log.log;
    expect(dropped).toBeGreaterThan(0);
    await peer.request("live/join");
    const late = new FrameIndex(await joined);
    for (const event of events) late.add(event);
    const output = events.flatMap((event) => (event.ev === "transcript" ? [event.text] : []));
    expect(output).toEqual([`The first ${dropped} events are no longer stored.`]);
    expect(events).toContainEqual(expect.objectContaining({ ev: "open", ch: "c1" }));
    const { last } = log.log;
    const from = last - events.length + 1;
    expect(events.map(({ n }) => n)).toEqual(events.map((_, at) => from + at));
    expect(events.at(-1)).toEqual(log.log.at(last));
    // A page that joins late numbers its rows like one that was there from the beginning.
    expect(late.numberOf(last)).toBe(whole.numberOf(last));
    agent.close();
    await vi.waitFor(
      () => expect(events).toContainEqual(expect.objectContaining({ ev: "close", ch: "c1" })),
      TIMEOUT,
    );
  });
});
