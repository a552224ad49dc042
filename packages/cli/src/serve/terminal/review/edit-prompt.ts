import { keepHunk, lineHunks, type UndecidedText } from "@idewire/core/internal/hunks";
import type {
  ChangeDecision,
  DecidedChange,
  FolderChanges,
  UndoneTurn,
} from "../../../folder-host/folder-changes.ts";
import type { Palette } from "../../../output/palette.ts";
import { line, type Printable } from "../../../output/printable.ts";
import { drawRows } from "../diff/diff-view.ts";
import { diffTexts } from "../diff/text-diff.ts";
import type { TerminalScreen } from "../prompt/screen.ts";
import { type ChangeComments, COMMENT_ANSWER, commentAnswers } from "./change-comments.ts";

/** An edit that came without a review, as the person reviews it afterwards. */
export interface ShownEdit {
  readonly id: string;
  readonly path: string;
  readonly agent: string;
  readonly isCertain: boolean;
  readonly version: number;
  readonly undecided: UndecidedText;
  /** The files that the agent has written in the same turn. */
  readonly turn: readonly string[];
}

/** Where edits without a review are decided: in this process, or in the one that serves the folder. */
export interface EditSource {
  /** @throws Error with a message for the person */
  show(id: string): Promise<ShownEdit>;
  /** @throws Error with a message for the person */
  decide(decision: ChangeDecision): Promise<DecidedChange>;
  /** @throws Error with a message for the person */
  undoTurn(id: string): Promise<UndoneTurn>;
}

/** The edits of a folder in this process. */
export function editsOf(changes: FolderChanges): EditSource {
  return {
    async show(id) {
      const change = changes.list.get(id);
      const undecided = changes.list.textsOf(id)?.undecided;
      if (change === undefined || !id.startsWith("e")) throw new Error(`There is no edit ${id}.`);
      if (change.state !== "unreviewed" || undecided === undefined)
        throw new Error(`${change.path}: nothing is left to decide.`);
      const { path, agent, isCertain = true, version } = change;
      const turn = [...new Set(changes.list.turnOf(id).map((each) => each.path))];
      return { id, path, agent, isCertain, version, undecided, turn };
    },
    decide: (decision) => changes.decide(decision),
    undoTurn: (id) => changes.undoTurn(id),
  };
}

/** The answers, in the order of the help. */
const ANSWERS: readonly (readonly [answer: string, help: string])[] = [
  ["k", "keep this hunk"],
  ["u", "undo this hunk"],
  ["a", "keep all hunks that are left"],
  ["d", "undo all hunks that are left"],
  ["t", "undo everything that the agent has written since your last prompt"],
  ["j", "go to the next hunk; this one stays undecided"],
  ...commentAnswers(" to the agent"),
  ["q", "leave the review: what is left stays undecided"],
  ["?", "this"],
];

const ANSWER = /^[kuadtjq?]$/;

export interface EditPromptOptions {
  readonly screen: TerminalScreen;
  readonly palette: Palette;
  readonly source: EditSource;
  readonly comments: ChangeComments;
  /** Called when nothing is left of the edit under review, or the person leaves it. */
  readonly onend?: (isDecided: boolean) => void;
}

/** Reviews an edit after it was written, hunk by hunk: each is kept or undone at once. */
export class EditPrompt {
  readonly #options: EditPromptOptions;
  #shown: ShownEdit | undefined;
  #index = 0;
  /** Whether the person is asked to confirm that the whole turn is undone. */
  #isTurnAsked = false;

  constructor(options: EditPromptOptions) {
    this.#options = options;
  }

  /** The prompt; undefined when nothing is under review. */
  get question(): string | undefined {
    if (this.#shown === undefined) return undefined;
    if (this.#isTurnAsked) return "undo them? [y,n]> ";
    return `hunk ${this.#index + 1}/${this.#count} [k,u,?]> `;
  }

  /** Whether a typed line answers the prompt. */
  takes(typed: string): boolean {
    if (this.#shown === undefined) return false;
    return this.#isTurnAsked
      ? /^[yn]$/.test(typed)
      : ANSWER.test(typed) || COMMENT_ANSWER.test(typed);
  }

  /** @throws Error with a message for the person */
  async start(id: string): Promise<void> {
    this.#shown = await this.#options.source.show(id);
    this.#options.comments.forget();
    this.#index = 0;
    this.#isTurnAsked = false;
    this.#show();
  }

  /** @throws Error with a message for the person */
  async answer(typed: string): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined) return;
    if (COMMENT_ANSWER.test(typed)) return this.#comment(shown, typed);
    switch (typed) {
      case "k":
      case "u":
        return this.#decide(shown, typed === "k" ? "keep" : "undo", this.#index);
      case "a":
      case "d":
        return this.#decide(shown, typed === "a" ? "keep" : "undo", undefined);
      case "t":
        return this.#askForTurn(shown);
      case "y":
        return this.#undoTurn(shown);
      case "n":
        this.#isTurnAsked = false;
        return this.#show();
      case "j":
        this.#index = (this.#index + 1) % this.#count;
        return this.#show();
      case "q":
        this.#print(line`What is left stays undecided.`);
        return this.#end(false);
      default:
        return this.#help();
    }
  }

  get #hunks(): ReturnType<typeof lineHunks> {
    const { before = "", written = "" } = this.#shown?.undecided ?? {};
    return lineHunks(before, written);
  }

  get #count(): number {
    return this.#hunks.length;
  }

  async #comment({ id }: ShownEdit, typed: string): Promise<void> {
    const { fromB = 0, toB = 0 } = this.#hunks[this.#index] ?? {};
    const lines = { line: fromB + 1, endLine: Math.max(fromB + 1, toB) };
    await this.#options.comments.answer(typed, id, lines);
  }

  async #decide(shown: ShownEdit, decision: "keep" | "undo", hunk: number | undefined) {
    const { id, version, path } = shown;
    const { source } = this.#options;
    const { refused, unsaved } = await source.decide({ id, version, decision, hunk });
    const what = hunk === undefined ? "All hunks" : "The hunk";
    const were = hunk === undefined ? "were" : "was";
    const done = decision === "keep" ? "kept" : "undone";
    const hunks = refused === 1 ? "1 hunk was" : `${refused} hunks were`;
    if (refused > 0)
      this.#print(line`${hunks} not undone: the lines have changed since they were written.`);
    else this.#print(line`${what} ${were} ${done}.`);
    if (unsaved) this.#print(line`${path} has unsaved text: save it to write this, too.`);
    await this.#goOn(shown);
  }

  /** Shows the remaining hunks, if any. */
  async #goOn({ id }: ShownEdit): Promise<void> {
    try {
      this.#shown = await this.#options.source.show(id);
    } catch {
      return this.#end(true);
    }
    this.#index = Math.min(this.#index, this.#count - 1);
    this.#show();
  }

  #askForTurn({ turn }: ShownEdit): void {
    this.#isTurnAsked = true;
    const files = turn.length === 1 ? "this file" : `these ${turn.length} files`;
    this.#print(
      line`This undoes what was written in ${files} since your last prompt:`,
      ...turn.map((path) => line`  ${path}`),
    );
  }

  async #undoTurn({ id }: ShownEdit): Promise<void> {
    this.#isTurnAsked = false;
    const { undone, problems } = await this.#options.source.undoTurn(id);
    this.#print(
      ...undone.map((path) => line`Undone: ${path}`),
      ...problems.map((words) => this.#options.palette.warning(words)),
    );
    this.#end(problems.length === 0);
  }

  #end(isDecided: boolean): void {
    this.#shown = undefined;
    this.#options.onend?.(isDecided);
  }

  #help(): void {
    const { palette } = this.#options;
    this.#print(...ANSWERS.map(([answer, help]) => line`  ${palette.bold(answer)}  ${help}`));
  }

  #show(): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    const { palette } = this.#options;
    const { path, agent, isCertain, undecided } = shown;
    const { rows } = diffTexts(undecided.before, keepHunk(undecided, this.#index));
    const writer = isCertain ? agent : `${agent} or another program`;
    this.#print(
      line``,
      line`${palette.bold(`[${this.#index + 1}/${this.#count}]`)} ${palette.bold(path)}, written by ${writer}`,
      ...drawRows(rows.slice(0, rows.length), rows.lastNumber, palette),
      palette.dim("    keep this hunk or undo it? k, u, t for the whole turn, ? for more"),
    );
  }

  #print(...lines: readonly Printable[]): void {
    this.#options.screen.print(...lines);
  }
}
