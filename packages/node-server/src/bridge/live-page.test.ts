import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryTransportPair, Peer } from "@idewire/core";
import type { TraceEvent } from "@idewire/core/trace";
import { expect, onTestFinished, test } from "vitest";
import { openFolderHost } from "../folder-host/index.ts";
import { FolderLog } from "./folder-log.ts";
import { serveLivePage } from "./live-page.ts";

/** A folder, and the other end of the wire to its page. */
async function openLive() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "idewire-live-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "a.md"), "# A\n");
  symlinkSync("/etc/hostname", join(root, "link.md"));
  const host = await openFolderHost(root);
  const log = new FolderLog(host);
  const [page, server] = createMemoryTransportPair();
  serveLivePage(new Peer(server), "key", { host, log, createLink: () => "link" });
  const peer = new Peer(page);
  const events: TraceEvent[] = [];
  peer.handle("live/events", ({ params }) => {
    events.push(...((params?.["events"] ?? []) as TraceEvent[]));
  });
  const joined = new Promise<void>((resolve) => peer.handle("live/joined", () => resolve()));
  onTestFinished(async () => {
    peer.close();
    log.close();
    await host.close();
  });
  return { root, host, peer, events, joined };
}

test("a page that comes late is told how the editor is now, and then what happens", async () => {
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
  await peer.request("live/edit", { path: "a.md", text: "# More\n" });
  // The answer comes after what it has changed.
  expect(events.slice(before)).toContainEqual(
    expect.objectContaining({
      change: { kind: "text", path: "a.md", text: "# More\n", unsaved: true },
    }),
  );
});

test.each(["../outside.md", "link.md", "/etc/hostname", "a/../../b.md"])(
  "a page gets to no file outside of the folder: %s",
  async (path) => {
    const { peer } = await openLive();
    for (const method of ["live/open", "live/revert", "live/keep", "live/mention"]) {
      await expect(peer.request(method, { path }), method).rejects.toThrow(
        /outside the workspace folder|does not exist/,
      );
    }
    await expect(peer.request("live/edit", { path, text: "x" })).rejects.toThrow();
  },
);

test("what is no request of a page is refused, with the member that is wrong", async () => {
  const { peer } = await openLive();
  await expect(peer.request("live/open", {})).rejects.toThrow("live/open: path");
  await expect(peer.request("live/edit", { path: "a.md", text: 1 })).rejects.toThrow("text");
  await expect(peer.request("live/answer", { id: "d", kind: "yes" })).rejects.toThrow("kind");
  await expect(peer.request("live/open", { path: "a\0b" })).rejects.toThrow();
  expect(await peer.request("live/answer", { id: "gone", kind: "rejected" })).toEqual({
    answered: false,
  });
});
