import type { PosixPath } from "@idewire/core";
import type { CachedMetadata, SectionCache, TFile } from "obsidian";
import { describe, expect, test } from "vitest";
import { defaultSettings, type Settings } from "../settings/settings.ts";
import { createVaultPaths } from "../vault-paths.ts";
import { createExclusions, isBelowTag } from "./exclusions.ts";
import { createSharePolicy } from "./share.ts";

const paths = await createVaultPaths("/no/such/vault");
const notes = new Map<string, CachedMetadata | null>();
const links = new Map<string, PosixPath>();
const typed = new Map<string, CachedMetadata>();
let ignored = "";
let isUserIgnored = (name: string): unknown => ignored !== "" && name.startsWith(ignored);
const fail = () => {
  throw new Error("no list");
};

function findExclusion(path: string, settings: Partial<Settings> = {}) {
  const find = createExclusions(
    {
      vault: {
        configDir: ".config",
        getFileByPath: (name) => {
          return notes.has(name) ? ({ path: name, extension: "md" } as TFile) : null;
        },
        getMarkdownFiles: () =>
          [...notes.keys()].map((name) => ({ path: name, extension: "md" }) as TFile),
      },
      metadataCache: {
        getFileCache: ({ path: name }) => notes.get(name) ?? null,
        ...{ isUserIgnored },
      },
      paths,
      mayExclude: () => true,
      typedIn: (name) => [typed.get(name) ?? {}],
      isDenied: (name) => name.endsWith("/denied.md"),
      realPathOf: (name) => links.get(name),
    },
    () => ({ ...defaultSettings, ...settings }),
    ({ tags = [] }) => tags.map(({ tag }) => tag),
  );
  return find(path.startsWith("/") ? (path as PosixPath) : (`/no/such/vault/${path}` as PosixPath));
}

function tagged(...tags: readonly string[]): CachedMetadata {
  return { tags: tags.map((tag) => ({ tag })) } as CachedMetadata;
}

/** The front matter of a note, which ends in this line. */
function yaml(line: number) {
  const [start, end] = [0, line].map((at) => ({ line: at, col: 0, offset: 0 }));
  return { type: "yaml", position: { start, end } } as SectionCache;
}

describe("never shared is", () => {
  test.each([
    ["a.md", { frontmatter: { agent: false } }, {}, { kind: "property" }],
    ["a.md", { frontmatter: { agent: "No" } }, {}, { kind: "property" }],
    ["a.md", { frontmatter: { Agent: false } }, {}, { kind: "property" }],
    ["a.md", { frontmatter: { agent: true, AGENT: " FALSE " } }, {}, { kind: "property" }],
    ["a.md", { frontmatter: { agent: 0 } }, {}, { kind: "property" }],
    ["a.md", { frontmatter: { agent: "n" } }, {}, { kind: "property" }],
    ["a.md", { frontmatter: { agent: [false] } }, {}, { kind: "property" }],
    ["a.md", { frontmatter: { agents: false, agent: "'false'" } }, {}, { kind: "property" }],
    [
      "a.md",
      tagged("#Secret/deep"),
      { excludedTags: ["secret"] },
      { kind: "tag", tag: "#Secret/deep" },
    ],
    ["a.md", null, {}, { kind: "unread" }],
    ["a.md", { sections: [yaml(3)] }, {}, { kind: "unparsable" }],
    [
      "Äpfel/ü.md".normalize("NFC"),
      {},
      { excludedFolders: ["/Äpfel/".normalize("NFD")] },
      { kind: "folder", folder: "/Äpfel/".normalize("NFD") },
    ],
    [".config/app.json", {}, {}, { kind: "secret" }],
    ["keys/id_rsa", {}, {}, { kind: "secret" }],
    ["any/denied.md", {}, {}, { kind: "denied" }],
  ] as const)("%s with %j by %j", (path, cache, settings, expected) => {
    notes.clear();
    notes.set(path, cache as CachedMetadata | null);
    expect(findExclusion(path, settings)).toEqual(expected);
  });

  test("everything, if Obsidian no longer reports its excluded files, unless that setting is off", () => {
    const parts = { isUserIgnored };
    for (const gone of [undefined, () => Promise.resolve(false), fail]) {
      isUserIgnored = gone as typeof isUserIgnored;
      notes.set("a.md", {});
      expect(findExclusion("a.md")).toEqual({ kind: "unknown" });
      expect(findExclusion("picture.png")).toEqual({ kind: "unknown" });
      expect(findExclusion("a.md", { respectExcludedFiles: false })).toBeUndefined();
    }
    ({ isUserIgnored } = parts);
  });

  test("a file that Obsidian excludes, unless that setting is off", () => {
    ignored = "Archive/";
    notes.set("Archive/a.md", {});
    expect(findExclusion("Archive/a.md")).toEqual({ kind: "obsidian" });
    expect(findExclusion("Archive/a.md", { respectExcludedFiles: false })).toBeUndefined();
    ignored = "";
  });
});

test.each([
  ["a.md", { frontmatter: { agent: true } }, {}],
  ["a.md", { frontmatter: { agent: "Smith" } }, {}],
  ["a.md", { frontmatter: { agent: "Norton", agents: false } }, {}],
  ["a.md", tagged("#secretary"), { excludedTags: ["secret", "", "#"] }],
  ["Private stuff/a.md", {}, { excludedFolders: ["Private", "", "/"] }],
  ["picture.png", undefined, {}],
] as const)("%s with %j is shared by %j", (path, cache, settings) => {
  notes.clear();
  if (cache !== undefined) notes.set(path, cache as CachedMetadata);
  expect(findExclusion(path, settings)).toBeUndefined();
});

test("a file outside the vault is not excluded, so that it can be reviewed", () => {
  expect(findExclusion("/elsewhere/a.md")).toBeUndefined();
});

test.each(["SECRET/x.md", "secret", "Secret/X.MD"])(
  "%s counts as in the folder Secret, since the disk may ignore case",
  (path) => {
    notes.clear();
    const found = findExclusion(path, { excludedFolders: ["Secret"] });
    expect(found).toEqual({ kind: "folder", folder: "Secret" });
  },
);

test("an excluded note is excluded under every name that its disk may accept", () => {
  notes.clear();
  notes.set("Straße/Ärger.md", { frontmatter: { agent: false } });
  ignored = "Archive/";
  notes.set("Archive/Old.md", {});
  for (const name of ["STRASSE/ärger.MD", "straße/Ärger.md".normalize("NFD")]) {
    expect(findExclusion(name)).toEqual({ kind: "property" });
  }
  expect(findExclusion("archive/OLD.md")).toEqual({ kind: "obsidian" });
  expect(findExclusion("Straße/Ärger 2.md")).toBeUndefined();
  ignored = "";
});

test("unsaved text can exclude a note, but not include it", () => {
  notes.clear();
  notes.set("a.md", {});
  typed.set("a.md", { frontmatter: { agent: false } });
  expect(findExclusion("a.md")).toEqual({ kind: "property" });
  typed.set("a.md", tagged("#secret"));
  const excludedTags = ["secret"];
  expect(findExclusion("a.md", { excludedTags })).toEqual({ kind: "tag", tag: "#secret" });
  typed.set("a.md", { frontmatter: { agent: true } });
  notes.set("a.md", { frontmatter: { agent: false } });
  expect(findExclusion("a.md")).toEqual({ kind: "property" });
  typed.clear();
});

test("an excluded tag includes nested tags, but not longer tags with the same start", () => {
  expect(isBelowTag("#a/b", ["#A"])).toBe(true);
  expect(isBelowTag("#ab", ["a"])).toBe(false);
});

test("pausing turns sharing off, and resuming restores the level", () => {
  const policy = (paused: boolean) =>
    createSharePolicy({ ...defaultSettings, share: "all", paused }, () => undefined);
  expect([policy(true).level, policy(false).level]).toEqual(["off", "all"]);
});

test("a file behind a link is excluded if either name is, or if it is outside the vault", () => {
  notes.clear();
  notes.set("Private/a.md", { frontmatter: { agent: false } } as CachedMetadata);
  links.set("alias.md", "/no/such/vault/Private/a.md" as PosixPath);
  links.set("plain.md", "/elsewhere/.env" as PosixPath);
  links.set("far.md", "/elsewhere/a.md" as PosixPath);
  const excludedFolders = ["Private"];
  expect(findExclusion("alias.md", { excludedFolders })).toMatchObject({ folder: "Private" });
  expect(findExclusion("alias.md")).toEqual({ kind: "property" });
  expect(findExclusion("alias.md", { excludedFolders: ["alias.md"] })).toMatchObject({
    folder: "alias.md",
  });
  expect(findExclusion("plain.md")).toEqual({ kind: "secret" });
  expect(findExclusion("far.md")).toEqual({ kind: "outside" });
  links.clear();
});
