import type { McpServer } from "@idewire/core/server";
import { getLinkpath, type TFile } from "obsidian";
import { findFile, isHidden, tagsOf, type VaultToolParts } from "./notes.ts";

const input = {
  type: "object",
  properties: {
    path: { type: "string", description: "The note, relative to the vault or absolute" },
  },
  required: ["path"],
} as const;

/** Returns what Obsidian knows about a note and its links, beyond its text. */
export function describeNote(server: McpServer, parts: VaultToolParts): void {
  const options = {
    title: "Describe a note",
    description:
      "Returns the properties, tags and headings of a note, the notes it links to and the notes that link to it, and a link that opens it in Obsidian; add &line=12 to open it at a line.",
    annotations: { readOnlyHint: true },
    input,
  };
  server.tool("describe_note", options, async ({ path }) => {
    const file = await findFile(path, parts);
    const { metadataCache, vault } = parts.app;
    const cache = metadataCache.getFileCache(file);
    const known = (target: string): boolean => !isHidden(target, parts);
    const links = Object.keys(metadataCache.resolvedLinks[file.path] ?? {}).filter(known);
    const backlinks = Object.entries(metadataCache.resolvedLinks)
      .filter(([source, targets]) => Object.hasOwn(targets, file.path) && known(source))
      .map(([source]) => source);
    return JSON.stringify({
      path: file.path,
      link: `obsidian://idewire?vault=${encodeURIComponent(vault.getName())}&path=${encodeURIComponent(file.path)}`,
      properties: cache?.frontmatter ?? {},
      tags: tagsOf(file, parts),
      headings: cache?.headings?.map(({ heading, level }) => ({ heading, level })) ?? [],
      links,
      unresolved: [
        ...Object.keys(metadataCache.unresolvedLinks[file.path] ?? {}),
        ...hiddenLinks(file, parts),
      ],
      backlinks,
    });
  });
}

/** Links to notes that are never shared, as written; they are listed as unresolved. */
function hiddenLinks(file: TFile, parts: VaultToolParts): readonly string[] {
  const { metadataCache } = parts.app;
  const { links = [], embeds = [], frontmatterLinks = [] } = metadataCache.getFileCache(file) ?? {};
  const names = [...links, ...embeds, ...frontmatterLinks].map(({ link }) => getLinkpath(link));
  return [...new Set(names)].filter((name) => {
    const target = metadataCache.getFirstLinkpathDest(name, file.path);
    return target !== null && isHidden(target.path, parts);
  });
}
