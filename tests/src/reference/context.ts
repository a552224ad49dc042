import type { OpenDocument, Range } from "@idewire/core";
import { type FakeEditorHost, fakeEditorHost, posixPath } from "@idewire/core/testing";

const TEXT = "# Beds\n\n- tomatoes\n- beans\n";
export const FILE = "/vault/garden/beds.md";
const OTHER = "/vault/recipes/bread.md";

/** The words of the third line. */
export const WORDS: Range = {
  start: { line: 2, character: 2 },
  end: { line: 2, character: 10 },
};

function document(path: string, facts: Partial<OpenDocument>): OpenDocument {
  return {
    path: posixPath(path),
    uri: `file://${path}`,
    languageId: "markdown",
    dirty: false,
    untitled: false,
    active: false,
    visible: false,
    lastFocusedMs: 0,
    label: path.slice(path.lastIndexOf("/") + 1),
    ...facts,
  };
}

/** The editor of the examples: two open notes, one of them edited and with a warning. */
export function openContext(): FakeEditorHost {
  const host = fakeEditorHost();
  host.writeFile(posixPath(FILE), TEXT);
  host.writeFile(posixPath(OTHER), "# Bread\n");
  host.edit(posixPath(FILE), TEXT);
  host.setDocuments([
    document(FILE, { active: true, visible: true, dirty: true, lastFocusedMs: 1 }),
    document(OTHER, {}),
  ]);
  selectWords(host);
  warn(host);
  return host;
}

export function selectWords(host: FakeEditorHost): void {
  const ranges = [{ ...WORDS, text: "tomatoes" }];
  host.setSelection({ path: posixPath(FILE), ranges, primary: 0 });
}

/** Two ranges, as in editors with several cursors. */
export function selectTwice(host: FakeEditorHost): void {
  const below = { start: { line: 3, character: 2 }, end: { line: 3, character: 7 } };
  const ranges = [
    { ...WORDS, text: "tomatoes" },
    { ...below, text: "beans" },
  ];
  host.setSelection({ path: posixPath(FILE), ranges, primary: 0 });
}

export function warn(host: FakeEditorHost): void {
  const warning = {
    message: "Unknown link: [[Soil]]",
    severity: "warning",
    range: WORDS,
    source: "vault",
    code: "dead-link",
  } as const;
  host.setDiagnostics([{ path: posixPath(FILE), diagnostics: [warning] }]);
}

export function mentionLines(host: FakeEditorHost): void {
  host.mention({ path: posixPath(FILE), lines: { start: 2, end: 3 } });
}

export function mentionFile(host: FakeEditorHost): void {
  host.mention({ path: posixPath(FILE) });
}
