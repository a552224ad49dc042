import { expect, test } from "vitest";
import { fakeEditorHost } from "../testing/fake-editor-host.ts";
import { posixPath } from "../testing/posix-path.ts";
import { sampleDocument } from "../testing/sample-values.ts";
import type { DiffRequest } from "./editor-host.ts";
import { FocusWatch } from "./focus-watch.ts";
import { JoinedHosts } from "./joined-hosts.ts";

const path = posixPath("/vault/a.txt");

function request(id: string): DiffRequest {
  const texts = { proposed: "new\n", title: "a.txt", outsideWorkspace: false };
  return { id, session: "s1", path, oldPath: path, ...texts };
}

/** Two editors, the first of which is active, and the log of events from the host. */
function joinTwo(focusedMs = 0) {
  const own = fakeEditorHost();
  const other = fakeEditorHost();
  const log: string[] = [];
  const hosts: JoinedHosts = new JoinedHosts(own, 10, () => void log.push("active"));
  hosts.host.on("selection", () => void log.push("selection"));
  hosts.host.on("mention", () => void log.push("mention"));
  const leave = hosts.add(other, { focusedMs, watchesFiles: true });
  return { own, other, hosts, log, leave };
}

test("the editor that the person used last is active", () => {
  expect(joinTwo(0).hosts.active.name).toBe("Fake Editor");
  const { own, other, hosts, log, leave } = joinTwo(11);
  expect(hosts.active).toBe(other);
  hosts.focus(own);
  expect(hosts.active).toBe(own);
  hosts.focus(own);
  hosts.focus(other);
  leave();
  expect(hosts.active).toBe(own);
  // `onactive` is called before any event is emitted, so that listeners can first reassess what is shared.
  expect(log.filter((each) => each === "active")).toHaveLength(4);
  expect(log[0]).toBe("active");
});

test("a diff stays in the editor that shows it", async () => {
  const { own, other, hosts } = joinTwo();
  const { signal } = new AbortController();
  const first = hosts.host.openDiff?.(request("d1"), signal);
  hosts.focus(other);
  const second = hosts.host.openDiff?.(request("d2"), signal);
  expect([own, other].map((each) => each.shownDiffs.map(({ id }) => id))).toEqual([["d1"], ["d2"]]);
  await hosts.host.closeDiff?.("d1", "asked");
  other.answerDiff("d2", { kind: "rejected" });
  expect([await first, await second]).toEqual([{ kind: "cancelled" }, { kind: "rejected" }]);
});

test("the host has exactly the optional members of the active editor", () => {
  const { own, other, hosts } = joinTwo();
  Object.assign(other, { openDiff: undefined, diagnostics: undefined });
  expect([hosts.host.openDiff, hosts.host.diagnostics]).not.toContain(undefined);
  hosts.focus(other);
  expect([hosts.host.openDiff, hosts.host.diagnostics]).toEqual([undefined, undefined]);
  hosts.focus(own);
  expect(hosts.host.openDiff).not.toBe(undefined);
});

test("the answer of a formerly active editor is dropped", async () => {
  const { own, other, hosts } = joinTwo();
  let answer: (text: string) => void = () => {};
  Object.assign(own, { read: () => new Promise((resolve) => (answer = resolve)) });
  Object.assign(other, { read: async () => "of the other" });
  const text = hosts.host.read(path);
  hosts.focus(other);
  answer("of the first");
  expect(await text).toBe("of the other");
});

test("if several editors have a file open, the active one decides who has written it", () => {
  const { own, other, hosts } = joinTwo();
  const written: (readonly string[])[] = [];
  hosts.host.on("written", (paths) => void written.push(paths));
  hosts.written(other, [path]);
  expect(written.splice(0)).toEqual([[path]]);
  for (const host of [own, other]) host.setDocuments([sampleDocument({ path })]);
  hosts.focus(other);
  // The person has saved it in the other.
  hosts.written(own, [path]);
  expect(written).toEqual([]);
  hosts.written(other, [path]);
  expect(written).toEqual([[path]]);
});

test("a mention makes its editor active first", () => {
  const { other, hosts, log } = joinTwo();
  log.splice(0);
  other.mention({ path });
  expect(hosts.active).toBe(other);
  expect(log.at(0)).toBe("active");
  expect(log.at(-1)).toBe("mention");
});

test("the folders are those of all editors, each once", () => {
  const { other, hosts } = joinTwo();
  const more = { path: posixPath("/more"), name: "more" };
  other.folders = [...other.folders, more];
  expect(hosts.host.workspace().folders.map((each) => each.path)).toEqual(["/vault", "/more"]);
});

test("the person is in an editor whose cursor moves, not in one whose text changes", () => {
  const host = fakeEditorHost();
  let count = 0;
  const watch = new FocusWatch(host, () => {
    count += 1;
  });
  expect(watch.focusedMs).toBe(0);
  const select = (line: number, text: string) => {
    const range = { start: { line, character: 0 }, end: { line, character: 3 }, text };
    host.setSelection({ path, ranges: [range], primary: 0 });
  };
  select(1, "one");
  expect(count).toBe(1);
  expect(watch.focusedMs).toBeGreaterThan(0);
  select(1, "two");
  expect(count).toBe(1);
  host.blur();
  expect(count).toBe(1);
  select(1, "two");
  expect(count).toBe(2);
  watch.close();
  select(2, "two");
  expect(count).toBe(2);
});
