import type { CommentAction, CommentFlags } from "./comment-flags.ts";

/** What is wrong with the command line. */
export class UsageError extends Error {}

interface ActionLine {
  /** The words that may follow, in each of their forms; `[file...]` are any number. */
  readonly words: readonly string[];
  /** The options that are not for all. */
  readonly flags?: readonly (keyof CommentFlags)[];
}

const lines: Readonly<Record<CommentAction, ActionLine>> = {
  serve: { words: ["[folder]"], flags: ["http", "errors"] },
  list: { words: [""] },
  show: { words: ["<file>"] },
  add: { words: ["<file>:<line> <text>"], flags: ["tag", "author", "quote", "end"] },
  edit: { words: ["<file> <id> <text>"], flags: ["tag"] },
  reply: { words: ["<file> <id> <text>"], flags: ["author"] },
  resolve: { words: ["<file> <id>"] },
  reopen: { words: ["<file> <id>"] },
  move: { words: ["<file> <id> <file>:<line>"], flags: ["quote"] },
  delete: { words: ["<file> <id>"] },
  search: { words: ["<words>"], flags: ["tag", "author"] },
  check: { words: [""], flags: ["since", "junit", "sarif"] },
  fix: { words: ["[file...]"] },
  export: { words: ["<format> [file]"], flags: ["context", "output"] },
  import: { words: ["<file>"] },
  migrate: { words: ["[file...]"] },
  merge: { words: ["<file>", "<%O> <%A> <%B> [%P]"] },
};

const common: readonly string[] = ["cwd", "json"] satisfies readonly (keyof CommentFlags)[];

/** A number of nothing but digits; undefined for all else that `Number` reads. */
export function parseWhole(text: string): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** @throws UsageError for words too few or too many, and for an option of other actions */
export function checkCommandLine(
  action: CommentAction,
  words: readonly string[],
  given: CommentFlags,
): void {
  const forms = lines[action].words.map((form) => form.split(" ").filter(Boolean));
  const names = forms.find((form) => words.length <= mostOf(form)) ?? forms.at(-1) ?? [];
  const missing = names[words.length];
  if (missing?.startsWith("<") === true) throw new UsageError(`${missing} is missing`);
  if (words.length > mostOf(names)) {
    const hint = isFreeText(names.at(-1)) ? "; put quotes around several words" : "";
    throw new UsageError(`${words[names.length]}: one word too many${hint}`);
  }
  const { flags = [] } = lines[action];
  const stray = Object.keys(given).find((key) => ![...common, ...flags].includes(key));
  if (stray !== undefined) throw new UsageError(`--${stray} is for ${actionsWith(stray)}`);
}

/** How an action is called, a line for each of its forms. */
export function usageOf(action: CommentAction): string {
  const forms = lines[action].words.map((form) => `idewire comments ${action} ${form}`.trim());
  return `Usage: ${forms.join("\n       ")}`;
}

function mostOf(form: readonly string[]): number {
  return form.at(-1)?.endsWith("...]") === true ? Number.POSITIVE_INFINITY : form.length;
}

function isFreeText(name: string | undefined): boolean {
  return name === "<text>" || name === "<words>";
}

function actionsWith(flag: string): string {
  const having = Object.entries(lines).filter(([, line]) =>
    line.flags?.some((key) => key === flag),
  );
  return having.map(([action]) => action).join(", ");
}
