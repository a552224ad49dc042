import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeRedactions } from "@idewire/devtools/internal";
import { describe, expect, test } from "vitest";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

/** The part of the compiler's API that is used here. */
interface Node {
  readonly kind: number;
  readonly text?: string;
}
interface Compiler {
  readonly SyntaxKind: Readonly<Record<string, number>>;
  createSourceFile(name: string, text: string, target: number, parents: boolean): Node;
  forEachChild(node: Node, visit: (child: Node) => void): void;
}

const require = createRequire(join(packages, "obsidian-plugin/package.json"));
const ts = require("typescript") as Compiler;
const { SyntaxKind: kinds } = ts;
const literals = new Set(
  [
    ...["StringLiteral", "NoSubstitutionTemplateLiteral", "JsxText"],
    ...["TemplateHead", "TemplateMiddle", "TemplateTail"],
  ].map((name) => kinds[name]),
);

/** The texts of a source or a tour: everything longer than one word. */
function textsOf(path: string): readonly string[] {
  const source = readFileSync(join(packages, path), "utf8");
  const found: string[] = [];
  const look = (node: Node): void => {
    const text = node.text?.replace(/\s+/g, " ").trim() ?? "";
    if (literals.has(node.kind) && text.includes(" ")) found.push(text);
    ts.forEachChild(node, look);
  };
  const isTour = path.endsWith(".jsonl");
  look(
    ts.createSourceFile(
      isTour ? "tour.ts" : path,
      isTour ? `[${source.trimEnd().replaceAll("\n", ",")}]` : source,
      99,
      true,
    ),
  );
  return found;
}

function sourcesIn(folder: string): readonly string[] {
  const names = readdirSync(join(packages, folder), { recursive: true }) as string[];
  return names
    .filter((name) => /\.(tsx?|jsonl)$/.test(name) && !/\.test(-d)?\.ts$/.test(name))
    .map((name) => join(folder, name));
}

/** The folders with the texts of page, command and plugin. */
const textFolders = [
  ...["web-playground/src", "web-playground/tours", "devtools/src/trace", "devtools/src/scenario"],
  ...["devtools/src/checks", "cli/src/serve/bridge", "cli/src/folder-host"],
  ...["cli/src", "cli/src/debug/doctor", "cli/src/page-server"],
  ...["node-server/src/listen", "node-server/src/oauth", "http/src/resource-server"],
  "obsidian-plugin/src/texts",
];

/** One term per concept: the forbidden synonyms and their terms. */
const forbidden: readonly (readonly [synonym: RegExp, term: string])[] = [
  // In quotes it is the output of an agent.
  [/(?<!")\bIDE\b(?!-)/, "editor"],
  [/\bhumans?\b|\bthe user\b(?! that)/i, "you"],
  [/\b(published|measured) command lines?\b/i, "agent, by its name"],
  [/\bunsolicited (answer|result|response)|\banswer to no\b/i, "unsolicited reply"],
  [/\bchunks?\b|\b(accept|reject) this change\b|\bto the (next|previous) change\b/i, "hunk"],
  [/\bpatch(es)?\b/i, "diff"],
  [/\bpackets?\b|\bdatagrams?\b/i, "frame"],
  [/\bgestures?\b(?! transcript)/i, "action"],
  [/\bsubprotocols?\b/i, "sub-protocol"],
  [/\bmend(s|ed)?\b|\bMend it\b/, "fix"],
  [/\bbroken off\b/i, "cancelled"],
  [/\p{L}\.\.\.$/u, "…"],
];

describe("user texts", () => {
  test.each([
    ["Agent not connecting?", "web-playground/src/live/live-guide.tsx"],
    ["No matching commands", "web-playground/src/commands/command-palette.tsx"],
    ["Viewing event", "web-playground/src/tours/tour-bar.tsx"],
    ["Branch from here", "web-playground/src/tours/tour-bar.tsx"],
    ["Select a frame to see its content and its cause.", "web-playground/src/page/endings.tsx"],
    ["No faults yet", "web-playground/src/faults/faults-dialog.tsx"],
    ["This tab's session has expired", "cli/src/page-server/page-server.ts"],
    ["The handshake is simulated", "web-playground/src/checks/checks-bar.tsx"],
    ["Unsolicited reply", "web-playground/src/wire/wire-row.tsx"],
  ])("%s", (words, path) => {
    expect(textsOf(path).filter((text) => text.includes(words))).toHaveLength(1);
  });

  test("Home directory: 6 replacements", () => {
    const home = { what: "home", sample: "/home/me", count: 5 } as const;
    expect(describeRedactions([home, { ...home, sample: "C:\\Users\\me", count: 1 }])).toEqual([
      "Home directory: 6 replacements",
    ]);
    expect(describeRedactions([{ what: "token", sample: "3f", count: 1 }])).toEqual([
      "Token: 1 replacement",
    ]);
  });

  test("page, command and plugin use one term for each concept", () => {
    const texts = textFolders.flatMap(sourcesIn).flatMap((path) => {
      return textsOf(path).map((text) => `${path}: ${text}`);
    });
    expect(texts.length).toBeGreaterThan(1_500);
    const found = forbidden.flatMap(([synonym, term]) => {
      return texts.filter((text) => synonym.test(text)).map((text) => `${text} => ${term}`);
    });
    expect(found).toEqual([]);
  });
});
