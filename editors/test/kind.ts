import { emacs } from "../emacs/test/emacs.ts";
import { neovim } from "../neovim/test/neovim.ts";
import type { EditorKind } from "./editor.ts";

const kinds: readonly EditorKind[] = [neovim, emacs];

/** The editor of this vitest project; the tests are the same for all. */
export const kind: EditorKind = found(process.env["IDEWIRE_EDITOR"]);

/** Another one, for tests with editors of different kinds. */
export const otherKind: EditorKind = kinds.find((each) => each !== kind) ?? kind;

function found(word: string | undefined): EditorKind {
  const one = kinds.find((each) => each.word === word);
  if (one === undefined) throw new Error(`IDEWIRE_EDITOR names no editor: ${word}`);
  return one;
}
