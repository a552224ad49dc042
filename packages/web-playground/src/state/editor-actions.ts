import type { EditorCommand, Range } from "@idewire/core";
import type { DiffAnswer } from "@idewire/core/internal";
import type { Simulation } from "@idewire/devtools/simulation";

/** The actions in the editor, simulated or real; paths are relative to the folder. */
export interface EditorActions {
  open(path: string): void;
  /** @param change may be of a text that is older than the newest */
  type(path: string, change: { readonly before: string; readonly text: string }): void;
  save(path: string): void;
  close(path: string): void;
  select(path: string, range: Range): void;
  /** @param lines first and last, both included; the whole file when left out */
  mention(path: string, lines?: { readonly start: number; readonly end: number }): void;
  answer(review: { readonly id: string; readonly path: string }, decision: DiffAnswer): void;
  /** The typed text of a file, if it is newer than the shown state. */
  typed(path: string): string | undefined;
}

/** The simulated editor; the log names each action. */
export function simulationActions(simulation: Simulation): EditorActions {
  const { editor } = simulation;
  const act = (words: string, command: EditorCommand<string>): void =>
    simulation.perform("person", words, () => void simulation.command(command));
  return {
    open: (path) => act(`opens ${path}`, { do: "open", path }),
    type: (path, { text }) => void simulation.command({ do: "edit", path, text }),
    save: (path) => void simulation.command({ do: "save", path }),
    close: (path) => act(`closes ${path}`, { do: "close", path, discard: true }),
    select: (path, range) => act(`selects in ${path}`, { do: "select", path, range }),
    mention: (path, lines) =>
      act(`sends ${path} to the agent`, { do: "mention", path, ...(lines && { lines }) }),
    answer({ id, path }, answer) {
      const words = { accepted: "accepts", rejected: "rejects", closed: "closes the diff of" };
      act(`${words[answer.kind]} ${path}`, { do: "answerDiff", id, answer });
    },
    typed: (path) => editor.textOf(simulation.pathOf(path)),
  };
}
