import type { DiffAnswer } from "../../tests/src/editor-contract.ts";
import type { Workspace } from "../../tests/src/reference-clients/serve-context.ts";
import { TIMEOUT_MS, until } from "../../tests/src/reference-clients/transcript.ts";
import { EditorTerminal, type TerminalOptions } from "./terminal.ts";

export interface EditorOptions extends TerminalOptions {
  /** The files that the editor opens, by their names in the folder. */
  readonly files?: readonly string[];
  /** The program and first arguments of idewire. */
  readonly command?: readonly string[];
  /** The share level. */
  readonly share?: string;
  /** Whether changes are reviewed in the editor; by default they are. */
  readonly reviews?: boolean;
  /** Code of the editor's own language, run at its start. */
  readonly code?: string;
}

/** Facts that a test reads from an editor by expressions in the editor's language. */
export interface Facts {
  /** The state of idewire. */
  readonly state: string;
  readonly hostPid: number;
  readonly editorPid: number;
  /** The number of pending changes. */
  readonly pending: number;
  readonly agents: number;
  /** The number of windows on all tabs. */
  readonly windows: number;
  /** The text of the current buffer. */
  readonly text: string;
  /** Whether the current buffer is that of a file which may be shared with agents. */
  readonly isFile: boolean;
  /** Whether the selection is in the current window. */
  readonly isCurrent: boolean;
  /** The ranges of the selection. */
  readonly ranges: readonly unknown[];
  /** All notices to the person. */
  readonly notices: string;
  /** The number of sent states, if the editor was started with the code that counts them. */
  readonly sentStates: number;
  /** The column of the cursor, from 0, in units of the editor. */
  readonly column: number;
  /** The CPU time of reading the selection, in milliseconds: elapsed time depends on other processes. */
  readonly readMs: number;
}

/** An editor in a terminal: its facts, and what its person does by keys. */
export abstract class Editor extends EditorTerminal {
  /** The value of an expression in the editor's language, as text. */
  abstract evaluate(expression: string): string;
  /** The expression of a fact, as JSON. */
  protected abstract expressionOf(fact: keyof Facts): string;
  protected abstract parse(evaluated: string): unknown;

  abstract right(count: number): void;
  abstract down(): void;
  /** Selects characters from the cursor on. */
  abstract selectRight(count: number): void;
  /** Selects the last characters of the line, backwards. */
  abstract selectFromEnd(count: number): void;
  abstract selectLine(): void;
  /** Selects to the end of the next line. */
  abstract selectTwoLines(): void;
  abstract selectAll(): void;
  abstract selectBlock(width: number, height: number): void;
  /** Ends the selection without moving the cursor. */
  abstract endSelection(): void;
  /** Moves the focus to a buffer without a file. */
  abstract leaveFile(): void;
  abstract openFile(name: string): void;
  /** Types a new last line, and stays in the middle of typing. */
  abstract typeAtEnd(text: string): void;
  abstract endTyping(): void;
  abstract splitWindow(): void;
  /** Inserts a first line into the first file, wherever the focus is. */
  abstract insertAbove(line: string): void;
  abstract quit(): void;

  /** Accepts the current change by its key. */
  abstract accept(): void;
  /** Accepts the only change by the command, from anywhere. */
  abstract acceptByName(): void;
  abstract reject(): void;
  abstract listDiffs(): void;
  abstract appendToProposal(line: string): void;
  abstract discardProposal(): void;
  /** Sends the second and the third line to the agents. */
  abstract sendTwoLines(): void;
  abstract sendFile(): void;
  abstract share(level: string): void;
  abstract showSent(): void;
  abstract runAgent(): void;
  /** Moves the keyboard focus from the agent back to the editor. */
  abstract leaveAgent(): void;

  /** Replaces the text of a file's buffer, or puts text above it. */
  abstract edit(path: string, text: string, where: "above" | "all"): void;
  /** Ends the selection in a file's buffer, if inserted lines would extend it. */
  abstract deselect(path: string): Promise<void>;
  abstract answer(id: string, answer: DiffAnswer): boolean;

  read<Name extends keyof Facts>(fact: Name): Facts[Name] {
    return this.parse(this.evaluate(this.expressionOf(fact))) as Facts[Name];
  }

  async until<Name extends keyof Facts>(fact: Name, value: Facts[Name]): Promise<void> {
    const expression = this.expressionOf(fact);
    const wanted = JSON.stringify(value);
    const isThere = () => JSON.stringify(this.#tryRead(fact)) === wanted;
    const found = () => `${this.evaluate(expression)}\n${this.screen}`;
    await until(`${fact} of the editor to be ${wanted}`, isThere, TIMEOUT_MS, found);
  }

  /** Waits until an expression has a value, as text. */
  async untilValue(expression: string, value: string): Promise<void> {
    const check = () => this.evaluate(expression) === value;
    const found = () => `${this.evaluate(expression)}\n${this.screen}`;
    await until(`${expression} to be ${value}`, check, TIMEOUT_MS, found);
  }

  /** Waits until agents can find it. */
  untilListening(): Promise<void> {
    return this.until("state", "listening");
  }

  /** Undefined if the editor does not answer with JSON: it may not have started yet. */
  #tryRead(fact: keyof Facts): unknown {
    try {
      return this.read(fact);
    } catch {
      return undefined;
    }
  }
}

/** One of the editors that the suite drives. */
export interface EditorKind {
  readonly name: string;
  /** Its name for `idewire editor`. */
  readonly word: string;
  /** Its program on the PATH. */
  readonly program: string;
  start(workspace: Workspace, options?: EditorOptions): Editor;
  /** What the screen shows with a review. */
  readonly review: string;
  /** The command that lists the pending changes in a notice. */
  readonly diffsCommand: string;
  /** The ways to hide a review by keys. */
  readonly hidings: readonly (readonly [way: string, hide: (editor: Editor) => void])[];
  /** Code that counts the sent states. */
  readonly countsStates: string;
  /** Code that reports one problem for each opened file. */
  readonly reportsProblem: string;
  /** A file of the plugin, in its folder. */
  readonly entry: string;
  /** The files that contain the plugin's version, and its pattern in them. */
  readonly versions: readonly { readonly file: string; readonly pattern: RegExp }[];
  /** Where `--install` puts the plugin, in the home. */
  readonly place: string;
  /** The state of idewire in an editor that was configured by the lines of `idewire editor`. */
  configuredState(workspace: Workspace, lines: readonly string[]): string;
}
