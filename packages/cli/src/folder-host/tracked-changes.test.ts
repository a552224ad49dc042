import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { type FolderHost, openFolderHost } from "./index.ts";

interface Opened {
  readonly host: FolderHost;
  readonly at: (name: string) => PosixPath;
  /** Writes a file as an agent that announces it. */
  readonly agentWrites: (name: string, text: string, prompt?: string) => Promise<string>;
}

const FIVE = "1\n2\n3\n4\n5\n";
const WRITTEN = "1\ntwo\n3\n4\nfive\n";

async function open(files: Readonly<Record<string, string>>): Promise<Opened> {
  const folder = temporaryFolder("idewire-changes-");
  const at = (name: string) => join(folder, name) as PosixPath;
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  const host = await openFolderHost(folder);
  onTestFinished(() => host.close());
  await host.diagnostics?.();
  const agentWrites = async (name: string, text: string, prompt = "1") => {
    const { list } = host.changes;
    const before = JSON.stringify(list.all);
    await host.fileVersion?.(at(name));
    const written = new Promise<void>((resolve) => host.on("written", () => resolve()));
    writeFileSync(at(name), text);
    await written;
    const write = { isReviewed: false, isCertain: true, turn: prompt };
    host.changes.attribute({ ...write, path: at(name), agent: "Claude Code" });
    await vi.waitFor(() => expect(JSON.stringify(list.all)).not.toBe(before), 60_000);
    return list.all[0]?.id ?? "";
  };
  return { host, at, agentWrites };
}

const read = (path: string) => readFileSync(path, "utf8");

test("an edit without a review is listed with its counts, and each hunk is kept or undone alone", async () => {
  const { host, at, agentWrites } = await open({ "a.md": FIVE });
  const { changes } = host;
  const id = await agentWrites("a.md", WRITTEN);
  expect(changes.list.all).toMatchObject([
    { id, path: "a.md", agent: "Claude Code", state: "unreviewed", added: 2, removed: 2 },
  ]);
  const { mode } = statSync(at("a.md"));
  await changes.decide({ id, version: 1, decision: "undo", hunk: 1 });
  expect(read(at("a.md"))).toBe("1\ntwo\n3\n4\n5\n");
  expect(statSync(at("a.md")).mode).toBe(mode);
  await expect(changes.decide({ id, version: 1, decision: "keep", hunk: 0 })).rejects.toThrow(
    "a.md was decided or written meanwhile: look at it again",
  );
  await changes.decide({ id, version: 2, decision: "keep", hunk: 0 });
  expect(changes.list.get(id)).toMatchObject({ state: "partly-undone" });
  expect(read(at("a.md"))).toBe("1\ntwo\n3\n4\n5\n");
});

test("a hunk whose lines have changed since is refused, and the others are undone", async () => {
  const { host, at, agentWrites } = await open({ "a.md": FIVE });
  const id = await agentWrites("a.md", WRITTEN);
  await host.open(at("a.md"));
  await host.edit(at("a.md"), "0\n1\nmine\n3\n4\nfive\n");
  await host.save(at("a.md"));
  const { changes } = host;
  await expect(changes.decide({ id, version: 1, decision: "undo", hunk: 0 })).rejects.toThrow(
    "This hunk is not undone: its lines in a.md have changed since they were written",
  );
  const decided = await changes.decide({ id, version: 1, decision: "undo" });
  expect(decided).toEqual({ refused: 1, unsaved: false, version: 2 });
  expect(read(at("a.md"))).toBe("0\n1\nmine\n3\n4\n5\n");
  expect(changes.list.get(id)).toMatchObject({ state: "unreviewed" });
});

test("where the file is open with unsaved text, a hunk is undone in that text, which stays unsaved", async () => {
  const { host, at, agentWrites } = await open({ "a.md": FIVE });
  await host.open(at("a.md"));
  const id = await agentWrites("a.md", WRITTEN);
  await vi.waitFor(async () => expect(await host.read(at("a.md"))).toBe(WRITTEN));
  await host.edit(at("a.md"), `mine\n${WRITTEN}`);
  const { changes } = host;
  const decided = await changes.decide({ id, version: 1, decision: "undo", hunk: 0 });
  expect(decided).toEqual({ refused: 0, unsaved: true, version: 2 });
  expect(await host.read(at("a.md"))).toBe("mine\n1\n2\n3\n4\nfive\n");
  expect(read(at("a.md"))).toBe(WRITTEN);
});

test("all edits of a turn are undone, also those of files that were created or deleted, and no others", async () => {
  const { host, at, agentWrites } = await open({ "a.md": FIVE, "b.md": "old\n", "d.md": "gone\n" });
  await agentWrites("b.md", "earlier\n", "1");
  await agentWrites("a.md", WRITTEN, "2");
  await agentWrites("a.md", `${WRITTEN}6\n`, "2");
  await agentWrites("new.md", "new\n", "2");
  await host.fileVersion?.(at("d.md"));
  const written = new Promise<void>((resolve) => host.on("written", () => resolve()));
  rmSync(at("d.md"));
  await written;
  const write = { isReviewed: false, isCertain: true, turn: "2", agent: "Claude Code" };
  host.changes.attribute({ ...write, path: at("d.md") });
  await vi.waitFor(() => expect(host.changes.list.all).toHaveLength(4));
  const [last] = host.changes.list.all;
  const { undone, problems } = await host.changes.undoTurn(last?.id ?? "");
  expect({ undone, problems }).toEqual({ undone: ["d.md", "new.md", "a.md"], problems: [] });
  expect([read(at("a.md")), read(at("b.md")), read(at("d.md"))]).toEqual([
    FIVE,
    "earlier\n",
    "gone\n",
  ]);
  expect(existsSync(at("new.md"))).toBe(false);
  expect(host.changes.list.all.map(({ state }) => state)).toEqual([
    ...["undone", "undone", "undone", "unreviewed"],
  ]);
});

test("a write that was reviewed, or that the editor itself made, is not listed", async () => {
  const { host, at } = await open({ "a.md": FIVE, "b.md": FIVE });
  await host.fileVersion?.(at("a.md"));
  const written = new Promise<void>((resolve) => host.on("written", () => resolve()));
  writeFileSync(at("a.md"), WRITTEN);
  await written;
  const write = { isCertain: false, turn: "1", agent: "Claude Code" };
  host.changes.attribute({ ...write, path: at("a.md"), isReviewed: true });
  await host.open(at("b.md"));
  await host.edit(at("b.md"), "mine\n");
  await host.save(at("b.md"));
  const wrote = new Promise<void>((resolve) => host.on("written", () => resolve()));
  writeFileSync(at("b.md"), "theirs\n");
  await wrote;
  host.changes.attribute({ ...write, path: at("b.md"), isReviewed: false });
  await vi.waitFor(() => expect(host.changes.list.all).toHaveLength(1));
  const [only] = host.changes.list.all;
  expect(host.changes.list.textsOf(only?.id ?? "")).toMatchObject({
    before: "mine\n",
    after: "theirs\n",
  });
});
