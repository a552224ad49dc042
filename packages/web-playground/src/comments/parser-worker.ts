import { messageOf } from "@idewire/core/internal/base";
import { createSourceReader } from "@idewire/paired-comments";
import type { UnitTree } from "@idewire/paired-comments/internal";

/** A source to cut into units. */
export interface ParserRequest {
  readonly id: number;
  readonly path: string;
  readonly source: string;
  /** The address of the folder of grammars. */
  readonly grammars: string;
}

export type ParserAnswer =
  | { readonly id: number; readonly tree: UnitTree }
  | { readonly id: number; readonly issue: string };

let grammarsUrl = "";
const reader = createSourceReader(async (fileName) => {
  const response = await fetch(new URL(fileName, grammarsUrl));
  if (!response.ok) throw new Error(`${fileName} could not be loaded: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
});

addEventListener("message", ({ data }: MessageEvent<ParserRequest>) => {
  const { id, path, source, grammars } = data;
  grammarsUrl = grammars;
  const answer = (given: ParserAnswer): void => postMessage(given);
  reader.read(path, source).then(
    (tree) => answer({ id, tree }),
    (error: unknown) => answer({ id, issue: messageOf(error) }),
  );
});
