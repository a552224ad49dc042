import type { Range } from "@idewire/core";
import type { Simulation } from "@idewire/devtools/simulation";

/** What the person decides of a change. */
export type Decision =
  | { readonly kind: "accepted"; readonly text: string }
  | { readonly kind: "rejected" | "closed" };

/** What the person can do in the editor, whoever's it is; paths are from the folder on. */
export interface Desk {
  open(path: string): void;
  type(path: string, text: string): void;
  save(path: string): void;
  close(path: string): void;
  select(path: string, range: Range): void;
  /** @param lines first and last, both included; the whole file when left out */
  mention(path: string, lines?: { readonly start: number; readonly end: number }): void;
  answer(review: { readonly id: string; readonly path: string }, decision: Decision): void;
  /** The newest text, where what is drawn may not have heard of it yet. */
  typed(path: string): string | undefined;
}

/** The editor in this page; each act is said in the log. */
export function simulationDesk(simulation: Simulation): Desk {
  const { editor } = simulation;
  const act = (words: string, run: () => void): void => simulation.gesture("person", words, run);
  return {
    open: (path) => act(`opens ${path}`, () => editor.openFile(path)),
    type: (path, text) => editor.type(path, text),
    save: (path) => void editor.save(editor.absolute(path)),
    close: (path) => act(`closes ${path}`, () => editor.closeFile(path)),
    select: (path, range) => act(`selects in ${path}`, () => editor.selectRange(path, range)),
    mention: (path, lines) => act(`sends ${path} to the agent`, () => editor.mention(path, lines)),
    answer({ id, path }, decision) {
      const { kind } = decision;
      const words = { accepted: "accepts", rejected: "rejects", closed: "closes the diff of" };
      act(`${words[kind]} ${path}`, () => editor.answer(id, decision));
    },
    typed: (path) => (editor.paths.includes(path) ? editor.textOf(path) : undefined),
  };
}
