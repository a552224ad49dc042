import type { HostEvents, IdeSession, Mention } from "@idewire/core";
import { Emitter } from "@idewire/core";
import type { HeadingCache, ListItemCache, SectionCache } from "obsidian";
import { describe, expect, test } from "vitest";
import { createVaultPaths } from "../vault-paths.ts";
import { readDropped } from "./dropped-notes.ts";
import { readLineRange } from "./line-range.ts";
import { blockAt, linesOfSelection, sectionAt } from "./note-parts.ts";
import { readOpenedPlace } from "./open-link.ts";
import { Sender, type SenderParts } from "./sender.ts";

const paths = await createVaultPaths("/no/vault");

function at(start: number, end = start) {
  return { position: { start: { line: start }, end: { line: end } } };
}

describe("parts of a note", () => {
  test("a selection has the lines that it touches", () => {
    expect(linesOfSelection({ line: 1, ch: 2 }, { line: 3, ch: 0 })).toEqual({ start: 1, end: 2 });
    expect(linesOfSelection({ line: 1, ch: 0 }, { line: 1, ch: 0 })).toEqual({ start: 1, end: 1 });
  });

  test("a section extends to the next heading of the same or a higher level, or to the end", () => {
    const headings = [
      { ...at(2), level: 1 },
      { ...at(5), level: 2 },
      { ...at(9), level: 1 },
    ] as HeadingCache[];
    expect(sectionAt({ headings }, 3, 20)).toEqual({ start: 2, end: 8 });
    expect(sectionAt({ headings }, 5, 20)).toEqual({ start: 5, end: 8 });
    expect(sectionAt({ headings }, 20, 20)).toEqual({ start: 9, end: 20 });
    expect(sectionAt({ headings }, 0, 20)).toBeUndefined();
  });

  test("a block is a list item with its children, or a whole paragraph", () => {
    const sections = [at(0, 2), at(4, 9)] as SectionCache[];
    const listItems = [
      { ...at(4), parent: -4 },
      { ...at(5), parent: 4 },
      { ...at(6, 7), parent: 5 },
      { ...at(8, 9), parent: -4 },
    ] as ListItemCache[];
    expect(blockAt({ sections, listItems }, 1)).toEqual({ start: 0, end: 2 });
    expect(blockAt({ sections, listItems }, 4)).toEqual({ start: 4, end: 7 });
    expect(blockAt({ sections, listItems }, 9)).toEqual({ start: 8, end: 9 });
    expect(blockAt({ sections, listItems }, 3)).toBeUndefined();
  });
});

test("dragged text is parsed as notes or a link", () => {
  const text = [
    "obsidian://open?vault=My%20vault&file=a%2F%C3%9C%20%26%20b.md",
    "[[Note#Heading|shown]]",
    "![[Picture.png]]",
    "just text",
    "https://example.com/?file=x",
  ].join("\r\n");
  expect(readDropped(text)).toEqual([
    { name: "a/Ü & b.md", isPath: true },
    { name: "Note", isPath: false },
    { name: "Picture.png", isPath: false },
  ]);
});

test.each([
  [{ path: "a b.md" }, "/no/vault/a b.md", undefined],
  [{ path: "a.md", line: "3" }, "/no/vault/a.md", { line: 2, character: 0 }],
  [{ path: "a.md:12:5" }, "/no/vault/a.md", { line: 11, character: 4 }],
  [{ path: "/no/vault/x/a.md:1" }, "/no/vault/x/a.md", { line: 0, character: 0 }],
  [{ path: "a.md", line: "0" }, "/no/vault/a.md", undefined],
  [{ path: "a.md", line: "x" }, "/no/vault/a.md", undefined],
  [{ path: "../../etc/passwd" }, "/etc/passwd", undefined],
  [{ path: "" }, undefined, undefined],
  [{}, undefined, undefined],
])("a link with %j leads to %s", (params, path, start) => {
  const target = readOpenedPlace(params as Record<string, string>, paths);
  expect([target?.path, target?.start]).toEqual([path, start]);
});

test("lines are 1-based, and anything else is refused", () => {
  expect(["3", "3-7", "7-3", "0", "-1", "", "3-", "99999999999"].map(readLineRange)).toEqual([
    { start: 2, end: 2 },
    { start: 2, end: 6 },
    ...Array(6).fill(null),
  ]);
});

describe("sending", () => {
  function fixture(parts: Partial<SenderParts> = {}) {
    const output: string[] = [];
    const mentions: Mention[] = [];
    const saved: string[] = [];
    const events = new Emitter<HostEvents>();
    events.on("mention", (mention) => mentions.push(mention));
    const one = {
      ...{ id: "s1", agent: { name: "claude-code", version: "2" }, takesMentions: true },
    } as IdeSession;
    const sender = new Sender({
      sessions: () => [one],
      level: () => "selection",
      isPaused: () => false,
      findExclusion: () => undefined,
      paths,
      events,
      notify: (text) => output.push(text),
      choose: async () => undefined,
      save: async (path) => saved.push(path),
      ...parts,
    });
    return { sender, output, mentions, saved, one };
  }

  test("saves the note, names the session, and shows a notice about the content and the agent", async () => {
    const { sender, output, mentions, saved } = fixture();
    const lines = { start: 2, end: 4 };
    expect(await sender.send([{ vaultPath: "x/Übung 🌱.md", lines }])).toBe(true);
    expect(mentions).toEqual([{ path: "/no/vault/x/Übung 🌱.md", lines, session: "s1" }]);
    expect(saved).toEqual(["/no/vault/x/Übung 🌱.md"]);
    expect(output).toEqual(["Sent Übung 🌱, lines 3 to 5 to Claude Code"]);
  });

  test.each<[Partial<SenderParts>, string]>([
    [{ sessions: () => [] }, "No agent is connected"],
    [{ level: () => "off", isPaused: () => true }, "Sharing is paused"],
    [{ level: () => "off" }, "Sharing is off"],
    [{ findExclusion: () => ({ kind: "property" }) }, "a was not sent: its properties"],
  ])("shows the reason if nothing is sent", async (parts, reason) => {
    const { sender, output, mentions } = fixture(parts);
    expect(await sender.send([{ vaultPath: "a.md" }])).toBe(false);
    expect(mentions).toEqual([]);
    expect(output).toEqual([expect.stringContaining(reason)]);
  });

  test("agents that do not take mentions are named, and not offered", async () => {
    const { one } = fixture();
    const gemini = {
      ...{ id: "s3", agent: { name: "gemini-cli", title: "Gemini CLI", version: "0" } },
      takesMentions: false,
    } as IdeSession;
    const alone = fixture({ sessions: () => [gemini] });
    expect(await alone.sender.send([{ vaultPath: "a.md" }])).toBe(false);
    expect(alone.output).toEqual(["Gemini CLI cannot be sent notes."]);
    const both = fixture({ sessions: () => [one, gemini] });
    expect(await both.sender.send([{ vaultPath: "a.md" }])).toBe(true);
    expect(both.mentions.map(({ session }) => session)).toEqual(["s1"]);
  });

  test("with several agents, offers a choice: one, all (no session is named) or, if cancelled, none", async () => {
    const base = fixture();
    const two = [base.one, { id: "s2", takesMentions: true } as IdeSession];
    const chosen = fixture({ sessions: () => two, choose: async ([, second]) => second });
    await chosen.sender.send([{ vaultPath: "a.md" }, { vaultPath: "b" }]);
    expect(chosen.mentions.map(({ session }) => session)).toEqual(["s2", "s2"]);
    const all = fixture({ sessions: () => two, choose: async () => "all" });
    await all.sender.send([{ vaultPath: "a.md" }, { vaultPath: "b" }]);
    expect(all.mentions).toEqual([{ path: "/no/vault/a.md" }, { path: "/no/vault/b" }]);
    expect(all.output).toEqual(["Sent 2 files to all agents"]);
    const none = fixture({ sessions: () => two });
    expect(await none.sender.send([{ vaultPath: "a.md" }])).toBe(false);
    expect(none.mentions).toEqual([]);
  });
});
