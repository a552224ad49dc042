import { Emitter } from "@idewire/core";
import type { App, TFile } from "obsidian";
import { expect, test } from "vitest";
import { createVaultPaths } from "../vault-paths.ts";
import { ExcludedNotes } from "./excluded-notes.ts";
import type { Exclusion } from "./exclusions.ts";

type Listen = (...args: readonly unknown[]) => void;
type Name = "changed" | "rename" | "delete" | "resolved";

const paths = await createVaultPaths("/no/such/vault");

/** A vault whose files are excluded according to a map. */
function openVault() {
  const events = new Emitter<Record<Name, Listen>>();
  const files = new Map<string, Exclusion["kind"] | undefined>();
  const on = (event: Name, listener: Listen) => events.on(event, listener);
  const vault = { on, getFiles: () => [...files.keys()].map((path) => ({ path }) as TFile) };
  const notes = new ExcludedNotes({
    app: { vault, metadataCache: { on } } as unknown as App,
    paths,
    findExclusion: (path) => {
      const kind = files.get(paths.toVault(path) ?? "");
      return kind === undefined ? undefined : ({ kind } as Exclusion);
    },
    onChange: () => void seen.push(notes.patterns.join(" ")),
  });
  const seen: string[] = [];
  notes.register({ registerEvent: () => undefined });
  const put = (path: string, kind?: Exclusion["kind"]) => {
    files.set(path, kind);
    events.emit("changed", { path });
  };
  return { events, files, notes, seen, put };
}

test("notes excluded by a tag, a property or Obsidian are patterns of their own, once they are indexed", () => {
  const { events, files, notes, seen } = openVault();
  files.set("open.md", undefined).set("b/[x].md", "tag").set("a.md", "property");
  files.set("c.png", "obsidian").set("Private/d.md", "folder").set("e.md", "unread");
  notes.look();
  expect(notes.patterns).toEqual(["/a.md", "/b/\\[x\\].md", "/c.png"]);
  files.set("e.md", "tag");
  events.emit("resolved");
  events.emit("resolved");
  expect(notes.patterns).toContain("/e.md");
  expect(seen).toHaveLength(2);
});

test("a note that changes, moves or goes changes the patterns at once, others do not", () => {
  const { events, files, seen, put } = openVault();
  put("a.md");
  put("a.md", "tag");
  put("a.md", "property");
  put("b.md");
  files.delete("a.md");
  files.set("c.md", "property");
  events.emit("rename", { path: "c.md" }, "a.md");
  events.emit("delete", { path: "b.md" });
  events.emit("delete", { path: "c.md" });
  expect(seen).toEqual(["/a.md", "/c.md", ""]);
});
