import { defineTool, exactly, plainInput, type Tool, ToolFailure, textResult } from "@idewire/core";
import * as v from "valibot";
import { isBelowTag, isInFolder } from "../privacy/exclusions.ts";
import { demandSharing, isHidden, tagsOf, type VaultToolParts } from "./notes.ts";

interface SearchVaultArguments {
  readonly query: string;
  readonly folder?: string;
  readonly tag?: string;
  /** 50 when left out. */
  readonly limit?: number;
}

const input = plainInput(
  exactly<SearchVaultArguments>()(
    v.object({
      query: v.pipe(v.string(), v.description("Text to find; upper and lower case are alike")),
      folder: v.exactOptional(
        v.pipe(v.string(), v.description("Only in this folder of the vault")),
      ),
      tag: v.exactOptional(v.pipe(v.string(), v.description("Only in notes with this tag"))),
      limit: v.exactOptional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.maxValue(200),
          v.description("How many lines at most; 50 when left out"),
        ),
      ),
    }),
  ),
);

/** So long one stretch of work is: the person may be typing. */
const SLICE_MS = 16;
/** A longer line is cut. */
const LINE_UNITS = 300;

interface FoundLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Finds text in the notes that agents may know of, without holding Obsidian up. */
export function searchVault(parts: VaultToolParts): Tool<unknown> {
  return defineTool({
    name: "search_vault",
    title: "Search the vault",
    description:
      "Finds text in the notes of the vault. Answers with path, line (from 1) and the line itself; notes that are kept from agents are left out.",
    annotations: { readOnlyHint: true },
    input,
    async run({ query, folder, tag, limit = 50 }, _context, call) {
      demandSharing(parts);
      const wanted = query.toLowerCase();
      if (wanted.trim() === "")
        throw new ToolFailure("The query is empty; expected some text to find");
      const { vault } = parts.app;
      const notes = vault
        .getMarkdownFiles()
        .filter((note) => folder === undefined || isInFolder(note.path, folder))
        .filter(
          (note) =>
            tag === undefined || tagsOf(note, parts).some((each) => isBelowTag(each, [tag])),
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
      // The person may have kept something back meanwhile.
      demandSharing(parts);
      const known = matches.filter((match) => !isHidden(match.path, parts));
      return textResult(describe(known.slice(0, limit), matches.length > limit, notes.length));
    },
  });
}

/** What Obsidian has may be from where a link led: what is told is what is there, in the vault. */
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
  if (matches.length === 0) return `Nothing was found in ${notes} notes`;
  const lines = matches.map(({ path, line, text }) => `${path}:${line}: ${text}`);
  if (isCut) lines.push(`More was found: ask with a folder, a tag or a longer query`);
  return lines.join("\n");
}
