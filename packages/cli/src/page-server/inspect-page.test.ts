import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import { servePage } from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";
import { expect, onTestFinished, test, vi } from "vitest";
import { type EditorInspection, InspectLog } from "../debug/inspect/index.ts";
import { inspectPageHandlers } from "./inspect-page.ts";

const TIMEOUT = { timeout: 60_000 };

const editor = {
  ...{ name: "Editor", host: "127.0.0.1", port: 4001, pid: 1 },
  ...{ lockFile: "/x/4001.lock", folders: ["/x"] },
};

/** An inspection, and the other end of the wire to its page; `take` is the page's handler of events. */
function openPage(
  rest: Pick<EditorInspection, "mode"> & Partial<EditorInspection>,
  take: () => unknown = () => ({}),
) {
  const log = new InspectLog();
  const [page, server] = createMemoryTransportPair();
  const inspection = { log, editor, close: async () => undefined, ...rest };
  const served = new Peer(server);
  const shown = { key: "k", inspection, folder: "/x", createLink: () => "l", files: new Map() };
  servePage(served, inspectPageHandlers(served, shown));
  const peer = new Peer(page);
  onTestFinished(() => peer.close());
  const batches: (readonly TraceEvent[])[] = [];
  peer.handle("live/events", ({ params }) => {
    batches.push((params?.["events"] ?? []) as TraceEvent[]);
    return take();
  });
  const print = (raw: string) => log.append({ ev: "frame", ch: "c1", dir: "agent>ide", raw });
  return { log, peer, batches, print };
}

test("a page gets past and future events, and the editor that they concern", async () => {
  const { peer, batches, print } = openPage({ mode: "proxy", proxy: { port: 1, lockFile: "l" } });
  print("first");
  const joined = await peer.request("live/join");
  expect(joined).toMatchObject({ key: "k", folder: "/x" });
  expect(joined).toMatchObject({ inspection: { mode: "proxy", editor: { port: 4001 } } });
  await vi.waitFor(() => expect(batches).toHaveLength(1), TIMEOUT);
  print("second");
  await vi.waitFor(() => expect(batches.flat()).toHaveLength(2), TIMEOUT);
  expect(batches.flat().map((event) => event.ev === "frame" && event.raw)).toEqual([
    ...["first", "second"],
  ]);
});

test("a slow page has one batch in flight, and receives the number of missed events", async () => {
  let go: () => void = () => {};
  const slow = new Promise<object>((resolve) => {
    go = () => resolve({});
  });
  const { peer, batches, print } = openPage({ mode: "proxy" }, () => slow);
  print("first");
  await peer.request("live/join");
  await vi.waitFor(() => expect(batches).toHaveLength(1), TIMEOUT);
  for (let count = 0; count < 50_000; count += 1) print("{}");
  expect(batches).toHaveLength(1);
  go();
  const last = () => batches.at(-1)?.at(-1)?.n;
  await vi.waitFor(() => expect(last()).toBe(50_001), TIMEOUT);
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(500);
  const notices = batches.flat().filter(({ ev }) => ev === "transcript");
  expect(notices).toEqual([
    expect.objectContaining({ text: expect.stringMatching(/^\d+ events are not shown:/) }),
  ]);
});

test("a page gets only the beginning of a frame that is too long to draw", async () => {
  const { peer, batches, print } = openPage({ mode: "proxy" });
  print("x".repeat(5_000_000));
  await peer.request("live/join");
  await vi.waitFor(() => expect(batches).toHaveLength(1), TIMEOUT);
  const [event] = batches.flat();
  expect(event?.ev === "frame" && [event.raw.length, event.cut]).toEqual([65_536, 5_000_000]);
});

test("a proxy sends nothing of its own; an agent sends any frame that a person wrote", async () => {
  const between = openPage({ mode: "proxy" });
  await expect(between.peer.request("inspect/send", { frame: "{}" })).rejects.toThrow(
    "A proxy cannot send frames of its own",
  );
  const sent: string[] = [];
  const send = (frame: string) => sent.push(frame) > 0;
  const { peer } = openPage({ mode: "agent", send });
  expect(await peer.request("inspect/send", { frame: "not JSON" })).toEqual({ sent: true });
  for (const frame of [1, undefined, "x".repeat((1 << 24) + 1)]) {
    await expect(peer.request("inspect/send", { frame })).rejects.toThrow("inspect/send: frame");
  }
  expect(sent).toEqual(["not JSON"]);
});
