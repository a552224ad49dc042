import type { PosixPath } from "@idewire/core";
import { KnownTexts } from "@idewire/core/internal";
import { expect, test } from "vitest";
import type { CurrentText } from "../current-text.ts";
import { WriteRecorder } from "./write-recorder.ts";

const text = (value: string): CurrentText => ({ kind: "text", text: value });

function fixture() {
  const disk = new Map<string, string>();
  const editors = new Map<string, string>();
  const typed = new Set<string>();
  const records = new Map<string, string>();
  const reported: string[] = [];
  let connected: string | undefined = "while connected";
  const recorder = new WriteRecorder({
    read: async (path) => {
      const found = disk.get(path);
      return found === undefined ? { kind: "missing" } : text(found);
    },
    isExcluded: (path) => path.startsWith("secret"),
    shownText: (path) => editors.get(path),
    isTyped: (path) => typed.has(path),
    agents: () => connected,
    onwritten: (path) => void reported.push(path),
    nowMs: () => 0,
    history: {
      isOn: true,
      addUnreviewed: ({ id, agent, name }, { before, proposed }) => {
        records.set(id, `${agent}: ${name} ${before ?? "nothing"} -> ${proposed}`);
      },
      attribute: (id, { agent = "" }) => {
        records.set(id, (records.get(id) ?? "").replace(/^[^:]*/, agent));
      },
    },
    toAbsolute: (path) => `/${path}` as PosixPath,
    newId: () => `e${records.size}`,
  });
  const write = async (path: string, value: string) => {
    disk.set(path, value);
    recorder.written(path);
    recorder.settled(path);
    await turns();
  };
  const leave = () => {
    connected = undefined;
  };
  return {
    recorder,
    disk,
    editors,
    typed,
    write,
    leave,
    reported,
    found: () => [...records.values()],
  };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

test("a written note is recorded with its previous text, once the text was known", async () => {
  const { recorder, disk, write, found } = fixture();
  await write("new.md", "one");
  expect(found()).toEqual([]);
  await write("new.md", "two");
  disk.set("a.md", "old");
  await recorder.remember("a.md");
  await write("a.md", "new");
  await write("a.md", "new");
  await recorder.remember("made.md");
  await write("made.md", "made");
  expect(found()).toEqual([
    "while connected: new.md one -> two",
    "while connected: a.md old -> new",
    "while connected: made.md nothing -> made",
  ]);
});

test("notes saved by an editor, reviewed, or written without a connected agent are not recorded", async () => {
  const { recorder, disk, editors, typed, write, leave, found } = fixture();
  for (const path of ["a.md", "b.md", "c.md", "d.md"]) {
    disk.set(path, "old\r\n");
    await recorder.remember(path);
  }
  editors.set("a.md", "saved\n");
  await write("a.md", "saved\r\n");
  typed.add("b.md");
  await write("b.md", "typed");
  recorder.expect("c.md", "reviewed");
  await write("c.md", "reviewed");
  leave();
  await write("d.md", "late");
  expect(found()).toEqual([]);
});

test("an agent that reports its writes is named, before or after the app has noticed", async () => {
  const { recorder, disk, typed, write, found } = fixture();
  for (const path of ["a.md", "b.md", "c.md"]) {
    disk.set(path, "old");
    await recorder.remember(path);
  }
  await write("a.md", "new");
  typed.add("b.md");
  await write("b.md", "new");
  disk.set("c.md", "new");
  recorder.written("c.md");
  recorder.attribute("Claude Code", ["a.md", "b.md", "c.md"]);
  recorder.settled("c.md");
  await turns();
  expect(found().sort()).toEqual(["a", "b", "c"].map((n) => `Claude Code: ${n}.md old -> new`));
});

test("excluded notes are neither remembered nor recorded, even if excluded later", async () => {
  const { recorder, disk, write, found } = fixture();
  disk.set("secret.md", "old");
  disk.set("a.md", "old");
  await recorder.remember("secret.md");
  await recorder.remember("a.md");
  expect(recorder.known.get("secret.md")).toBeUndefined();
  recorder.renamed("a.md", "secret/a.md");
  recorder.forgetExcluded();
  expect(recorder.known.get("secret/a.md")).toBeUndefined();
  await write("secret.md", "new");
  await write("secret/a.md", "new");
  expect(found()).toEqual([]);
});

test("known texts are bounded, and the oldest are dropped first", () => {
  const known = new KnownTexts(10);
  known.set("a", text("12345"));
  known.set("b", text("12345"));
  known.set("a", text("123456"));
  expect([known.get("a"), known.get("b"), known.isFull]).toEqual([
    text("123456"),
    undefined,
    false,
  ]);
  known.set("a", text("x".repeat(2 * 1024 * 1024)));
  expect(known.get("a")).toBeUndefined();
  known.set("__proto__", { kind: "missing" });
  expect(known.get("__proto__")).toEqual({ kind: "missing" });
});

test("a write is reported unless it is the app's own or reviewed, even if no text was known before", async () => {
  const { recorder, editors, typed, write, reported } = fixture();
  await write("unknown.md", "by a shell");
  await write("Untitled.md", "");
  editors.set("daily.md", "from a template");
  await write("daily.md", "from a template");
  typed.add("typed.md");
  await write("typed.md", "typed");
  recorder.expect("accepted.md", "accepted");
  await write("accepted.md", "accepted");
  await write("secret.md", "new");
  expect(reported).toEqual(["unknown.md"]);
});

test("an announced write is reported although the person types, but not a save of that text", async () => {
  const { recorder, editors, typed, write, reported } = fixture();
  for (const path of ["a.md", "b.md"]) {
    typed.add(path);
    editors.set(path, "typed");
    await recorder.announced(path);
  }
  await write("a.md", "by an agent");
  await write("b.md", "typed");
  expect(reported).toEqual(["a.md"]);
});

test("a write that the app reports only after the text was read is reported", async () => {
  const { recorder, disk, reported } = fixture();
  disk.set("a.md", "new");
  await recorder.remember("a.md", async () => false);
  recorder.written("a.md");
  await recorder.remember("a.md");
  recorder.settled("a.md");
  await turns();
  expect(reported).toEqual(["a.md"]);
});
