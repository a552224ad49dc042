import { emacs } from "../emacs/test/emacs.ts";
import { neovim } from "../neovim/test/neovim.ts";
import type { EditorKind } from "./editor.ts";

const kinds: readonly EditorKind[] = [neovim, emacs];

/** The editor of this project of vitest: the laws are the same for all. */
export const kind: EditorKind = found(process.env["IDEWIRE_EDITOR"]);

/** Another one, for what editors of different kinds do together. */
export const otherKind: EditorKind = kinds.find((each) => each !== kind) ?? kind;

function found(word: string | undefined): EditorKind {
  const one = kinds.find((each) => each.word === word);
  if (one === undefined) throw new Error(`IDEWIRE_EDITOR names no editor: ${word}`);
  return one;
}
