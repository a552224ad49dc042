import { ToolFailure } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import { isBelowTag, isInFolder } from "../privacy/exclusions.ts";
import { demandSharing, isHidden, tagsOf, type VaultToolParts } from "./notes.ts";

const input = {
  type: "object",
  properties: {
    query: { type: "string", description: "Text to find; case is ignored" },
    folder: { type: "string", description: "Only in this folder of the vault" },
    tag: { type: "string", description: "Only in notes with this tag" },
    limit: { type: "number", description: "Maximum number of lines; 50 by default" },
  },
  required: ["query"],
} as const;

/** Length of one slice of work, after which the app gets its turn. */
const SLICE_MS = 16;
/** How many lines may be asked for. */
const MAX_LINES = 200;
/** In UTF-16 units: longer lines are cut. */
const LINE_UNITS = 300;

interface FoundLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Searches the notes that may be shared, in slices that do not block Obsidian. */
export function searchVault(server: McpServer, parts: VaultToolParts): void {
  const options = {
    title: "Search the vault",
    description:
      "Finds text in the notes of the vault. Returns path, line (1-based) and the line itself; excluded notes are skipped.",
    annotations: { readOnlyHint: true },
    input,
  };
  server.tool("search_vault", options, async ({ query, folder, tag, limit = 50 }, call) => {
    demandSharing(parts);
    const wanted = query.toLowerCase();
    if (wanted.trim() === "")
      throw new ToolFailure("The query is empty; expected some text to find");
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LINES)
      throw new ToolFailure(`limit: expected 1 to ${MAX_LINES}, got ${limit}`);
    const { vault } = parts.app;
    const notes = vault
      .getMarkdownFiles()
      .filter((note) => folder === undefined || isInFolder(note.path, folder))
      .filter(
        (note) => tag === undefined || tagsOf(note, parts).some((each) => isBelowTag(each, [tag])),
      )
      .filter((note) => !isHidden(note.path, parts));
    const matches: FoundLine[] = [];
    let sliceEnds = performance.now() + SLICE_MS;
    for (const [done, note] of notes.entries()) {
      if (matches.length > limit || call.signal.aborted) break;
      const isThere = findIn(note.path, await vault.cachedRead(note), wanted).length > 0;
      if (isThere) matches.push(...findIn(note.path, await readNow(note.path, parts), wanted));
      if (performance.now() < sliceEnds) continue;
      await new Promise((resolve) => window.setTimeout(resolve, 0));
      sliceEnds = performance.now() + SLICE_MS;
      call.progress({ progress: done, total: notes.length });
    }
    // The person may have excluded something in the meantime.
    demandSharing(parts);
    const known = matches.filter((match) => !isHidden(match.path, parts));
    return describe(known.slice(0, limit), matches.length > limit, notes.length);
  });
}

/** Reads from disk: Obsidian's cache may hold the target of a link. */
async function readNow(path: string, { paths }: VaultToolParts): Promise<string> {
  const file = await paths.read(paths.toAbsolute(path)).catch(() => undefined);
  return file?.kind === "text" ? file.text : "";
}

function findIn(path: string, text: string, wanted: string): FoundLine[] {
  if (!text.toLowerCase().includes(wanted)) return [];
  return text.split("\n").flatMap((line, index) => {
    if (!line.toLowerCase().includes(wanted)) return [];
    return [{ path, line: index + 1, text: line.trim().slice(0, LINE_UNITS) }];
  });
}

function describe(matches: readonly FoundLine[], isCut: boolean, notes: number): string {
  if (matches.length === 0) return `No match in ${notes} notes`;
  const lines = matches.map(({ path, line, text }) => `${path}:${line}: ${text}`);
  if (isCut)
    lines.push(`There are more matches: narrow the search with a folder, a tag or a longer query`);
  return lines.join("\n");
}
