import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DiffOutcome, DiffRequest, PosixPath } from "@idewire/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { type FolderHost, openFolderHost, type PendingDiff } from "./index.ts";

let root: string;
let folder: string;
let host: FolderHost;
let lastId = 0;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "idewire-diffs-")));
  folder = join(root, "work");
  await mkdir(join(folder, "sub"), { recursive: true });
  await writeFile(join(folder, "a.md"), "old\n");
  await writeFile(join(folder, "pixel.png"), Buffer.from([0, 1, 2]));
  await writeFile(join(root, "outside.md"), "theirs\n");
  await writeFile(join(root, "outside.png"), Buffer.from([0, 1, 2]));
  await symlink(join(root, "outside.md"), join(folder, "link-out.md"));
  host = await openFolderHost(folder);
});

afterEach(async () => {
  await host.close();
  await removeFolder(root);
});

function request(name: string, changes: Partial<DiffRequest> = {}): DiffRequest {
  lastId += 1;
  const path = (name.startsWith("/") ? name : `${folder}/${name}`) as PosixPath;
  return {
    id: `d${lastId}`,
    session: "s1",
    path,
    oldPath: path,
    proposed: "new\n",
    title: name,
    outsideWorkspace: false,
    ...changes,
  };
}

/** Opens a diff and waits until it is shown. */
async function show(proposal: DiffRequest, signal = new AbortController().signal) {
  const shown = new Promise<PendingDiff>((resolve) => {
    host.onDiff("diffOpened", (diff) => diff.request.id === proposal.id && resolve(diff));
  });
  const outcome = host.openDiff?.(proposal, signal) as Promise<DiffOutcome>;
  return { outcome, diff: await Promise.race([shown, outcome.then(() => undefined)]) };
}

describe("a proposal", () => {
  test("is shown beside the existing text, and the file is unchanged", async () => {
    const proposal = request("a.md");
    const { diff, outcome } = await show(proposal);
    expect(diff).toEqual({ request: proposal, current: "old\n" });
    expect(host.pendingDiffs).toEqual([diff]);
    expect(host.answerDiff(proposal.id, { kind: "accepted", text: "new\n" })).toBe(true);
    expect(await outcome).toEqual({ kind: "accepted", text: "new\n", edited: false });
    expect(await readFile(join(folder, "a.md"), "utf8")).toBe("old\n");
    expect(host.pendingDiffs).toEqual([]);
  });

  test("is edited when the accepted text differs, whatever the frontend reports", async () => {
    const proposal = request("a.md");
    const { outcome } = await show(proposal);
    host.answerDiff(proposal.id, { kind: "accepted", text: "mine\n" });
    expect(await outcome).toEqual({ kind: "accepted", text: "mine\n", edited: true });
  });

  test("is shown beside unsaved text, and beside nothing for a new file", async () => {
    await host.edit(`${folder}/a.md` as PosixPath, "unsaved\n");
    expect((await show(request("a.md"))).diff?.current).toBe("unsaved\n");
    const { diff } = await show(request("sub/new.md"));
    expect(diff?.current).toBeUndefined();
    expect(diff).not.toHaveProperty("unreadable");
  });

  test("that is accepted contains the typed text: nothing is unsaved once its agent has written it", async () => {
    const path = `${folder}/a.md` as PosixPath;
    const stale: PosixPath[] = [];
    host.onStale((file) => stale.push(file));
    await host.edit(path, "old\ntyped\n");
    const proposal = request("a.md");
    const { outcome } = await show(proposal);
    host.answerDiff(proposal.id, { kind: "accepted", text: "new\ntyped\n" });
    expect(await outcome).toMatchObject({ text: "new\ntyped\n" });
    await writeFile(path, "new\ntyped\n");
    await vi.waitFor(async () => expect(await host.read(path)).toBe("new\ntyped\n"), 60_000);
    expect(host.documents()).toMatchObject([{ path, dirty: false }]);
    expect(stale).toEqual([]);
  });

  test("that is accepted excludes text typed afterwards: the person decides", async () => {
    const path = `${folder}/a.md` as PosixPath;
    const stale: PosixPath[] = [];
    host.onStale((file) => stale.push(file));
    await host.edit(path, "old\ntyped\n");
    const proposal = request("a.md");
    await show(proposal);
    host.answerDiff(proposal.id, { kind: "accepted", text: "new\ntyped\n" });
    await host.edit(path, "old\ntyped more\n");
    await writeFile(path, "new\ntyped\n");
    await vi.waitFor(() => expect(stale).toEqual([path]), 60_000);
    expect(await host.read(path)).toBe("old\ntyped more\n");
  });

  test("is shown beside the old file for a rename", async () => {
    const { diff } = await show(request("b.md", { oldPath: `${folder}/a.md` as PosixPath }));
    expect(diff?.current).toBe("old\n");
  });

  test.each([
    ["a directory", "sub", "is a directory, not a file"],
    ["a binary file", "pixel.png", "is a binary file"],
  ])(
    "for %s in the folder waits as for a new file, and shows the person the reason",
    async (_what, name, rule) => {
      const { diff } = await show(request(name));
      expect(diff).toMatchObject({ current: undefined, request: { outsideWorkspace: false } });
      expect(diff?.unreadable).toContain(rule);
    },
  );

  test("for a file outside is marked as such, by name, by .. and by a link", async () => {
    for (const name of [`${root}/outside.md`, "../outside.md", "link-out.md"]) {
      const { diff } = await show(request(name));
      expect(diff).toMatchObject({ request: { outsideWorkspace: true }, current: "theirs\n" });
    }
  });

  test("of an unreadable file outside shows why to the person, not to the agent", async () => {
    for (const [name, why] of [
      [root, "is a directory"],
      [`${root}/outside.png`, "is a binary file"],
      ["/dev/zero", "is not a regular file"],
    ] as const) {
      const proposal = request(name);
      const { diff, outcome } = await show(proposal);
      expect(diff?.unreadable).toContain(why);
      expect(diff?.current).toBeUndefined();
      expect(host.answerDiff(proposal.id, { kind: "rejected" })).toBe(true);
      expect(await outcome).toEqual({ kind: "rejected" });
    }
    expect((await show(request(`${root}/none.md`))).diff?.unreadable).toBeUndefined();
  });

  test("of a large file is shown before later ones", async () => {
    await writeFile(join(folder, "large.md"), "line\n".repeat(500_000));
    const opened: string[] = [];
    host.onDiff("diffOpened", (diff) => void opened.push(diff.request.title));
    const names = ["large.md", "a.md", "new.md", "sub/new.md"];
    for (const name of names) void host.openDiff?.(request(name), new AbortController().signal);
    await vi.waitFor(() => expect(opened).toHaveLength(names.length), 60_000);
    expect(opened).toEqual(names);
  });

  test("that changes nothing, or 10 MB, is a proposal like any other", async () => {
    expect((await show(request("a.md", { proposed: "old\n" }))).diff?.current).toBe("old\n");
    const proposal = request("a.md", { proposed: "x".repeat(10_000_000) });
    const { outcome } = await show(proposal);
    host.answerDiff(proposal.id, { kind: "accepted", text: proposal.proposed });
    expect(await outcome).toMatchObject({ kind: "accepted", edited: false });
  });
});

describe("an answer", () => {
  test("counts once: the first one wins, and the end is reported once", async () => {
    const closed = vi.fn();
    host.onDiff("diffClosed", closed);
    const proposal = request("a.md");
    const { outcome, diff } = await show(proposal);
    expect(host.answerDiff(proposal.id, { kind: "rejected" }, "terminal")).toBe(true);
    expect(host.answerDiff(proposal.id, { kind: "accepted", text: "" })).toBe(false);
    expect(await host.closeDiff?.(proposal.id, "asked")).toEqual({ alreadyClosed: true });
    expect(await outcome).toEqual({ kind: "rejected" });
    expect(closed.mock.calls).toEqual([[diff, { kind: "rejected" }, "terminal"]]);
  });

  test("comes from outside by a signal, by closeDiff, or with the end of the host, which is reported", async () => {
    const by: unknown[] = [];
    host.onDiff("diffClosed", (_diff, _outcome, ended) => by.push(ended));
    const controller = new AbortController();
    const [one, two, three] = [request("a.md"), request("a.md"), request("a.md")];
    const aborted = await show(one, controller.signal);
    controller.abort("session-gone");
    const closed = await show(two);
    expect(await host.closeDiff?.(two.id, "answered-elsewhere")).toEqual({ alreadyClosed: false });
    const ended = await show(three);
    await host.close();
    for (const { outcome } of [aborted, closed, ended]) {
      expect(await outcome).toEqual({ kind: "cancelled" });
    }
    const late = await host.openDiff?.(request("a.md"), new AbortController().signal);
    expect(late).toEqual({ kind: "cancelled" });
    expect(by).toEqual(["session-gone", "answered-elsewhere", "editor-closed"]);
  });
});
