import { Command, Option } from "commander";
import { describe, type HelpPage, introduce } from "../help/manual.ts";
import { ExitCode, signals, usage } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import type { CommentAction, CommentFlags } from "./comment-flags.ts";
import { UsageError } from "./usage-error.ts";

type OptionName = Exclude<keyof CommentFlags, "cwd" | "json">;

const options: Readonly<Record<OptionName, readonly [flags: string, description: string]>> = {
  tag: ["--tag <tag>", "TODO, FIXME, NOTE, STAR or QUESTION"],
  author: ["--author <name>", "the author"],
  quote: ["--quote <text>", "the text of the line; corrects a wrong line number"],
  end: ["--end <line>", "the last line of a comment on several lines"],
  context: ["--context <lines>", "lines of code before and after"],
  output: ["--output <file>", "write to a file"],
  since: ["--since <ref>", "also fail on code that has changed since, while its comment has not"],
  junit: ["--junit <file>", "write the report as JUnit XML too"],
  sarif: ["--sarif <file>", "write the report as SARIF too"],
  http: ["--http [port]", "use Streamable HTTP on 127.0.0.1, at this port or any free one"],
  errors: ["--errors <style>", "how errors are reported"],
};

interface Subcommand extends HelpPage {
  readonly summary: string;
  /** As commander reads them; `[file...]` stands for any number. */
  readonly words?: string;
  readonly options?: readonly OptionName[];
}

const authors =
  "Without --author, the author is git's user.name in this folder, or else the name of your account.";
const quotes = "Put quotes around a text of several words.";

const subcommands: Readonly<Record<CommentAction, Subcommand>> = {
  serve: {
    summary: "serve the comments to agents, as an MCP server",
    words: "[folder]",
    options: ["http", "errors"],
    description: [
      "By default it serves stdin and stdout, for agents that start servers by a command; with --http it serves any number of agents at the printed address. They must send the value of IDEWIRE_COMMENTS_TOKEN as their bearer token or, if it is not set, the token in a file that only you can read; it stays the same while the port does.",
    ],
    environment: ["IDEWIRE_COMMENTS_TOKEN", "XDG_STATE_HOME"],
    files: ["~/.local/state/idewire/"],
    examples: [
      ["claude mcp add comments -- npx idewire comments serve", "for Claude Code"],
      ["idewire comments serve --http 7411", "for agents that connect over HTTP"],
    ],
  },
  list: {
    summary: "list the files that have comments",
    examples: [["idewire comments list", "with the numbers of comments and orphans"]],
  },
  show: {
    summary: "show the comments of a file, where they are now",
    words: "<file>",
    examples: [["idewire comments show src/app.ts", "the comments and their ids"]],
  },
  add: {
    summary: "add a comment to a line",
    words: "<file:line> <text>",
    options: ["tag", "author", "quote", "end"],
    description: [authors],
    hint: quotes,
    examples: [
      ["idewire comments add src/app.ts:12 'TODO: limit the rate'", "a comment on line 12"],
    ],
  },
  edit: {
    summary: "change the text of a comment",
    words: "<file> <id> <text>",
    options: ["tag"],
    hint: quotes,
    examples: [["idewire comments edit src/app.ts c_1730000000000 'Limit it to 10'", "a new text"]],
  },
  reply: {
    summary: "answer a comment",
    words: "<file> <id> <text>",
    options: ["author"],
    description: [authors],
    hint: quotes,
    examples: [["idewire comments reply src/app.ts c_1730000000000 'Done'", "an answer"]],
  },
  resolve: {
    summary: "mark a comment as resolved",
    words: "<file> <id>",
    examples: [["idewire comments resolve src/app.ts c_1730000000000", "the work is done"]],
  },
  reopen: {
    summary: "mark a resolved comment as open again",
    words: "<file> <id>",
    examples: [["idewire comments reopen src/app.ts c_1730000000000", "there is more to do"]],
  },
  move: {
    summary: "move a comment to another line or file",
    words: "<file> <id> <file:line>",
    options: ["quote"],
    examples: [
      ["idewire comments move src/app.ts c_1730000000000 src/api.ts:7", "to another file"],
    ],
  },
  delete: {
    summary: "delete a comment",
    words: "<file> <id>",
    examples: [["idewire comments delete src/app.ts c_1730000000000", "it and its replies"]],
  },
  search: {
    summary: "find comments by their texts, or by terms",
    words: "<words>",
    options: ["tag", "author"],
    hint: quotes,
    examples: [
      ["idewire comments search 'rate|limit' --tag TODO", "a regular expression"],
      ["idewire comments search 'tag:TODO author:ann is:orphaned'", "terms: see the documentation"],
      ["idewire comments search -- -is:resolved", "-- before words that begin with a dash"],
    ],
  },
  check: {
    summary: "fail if a comment has lost its code",
    options: ["since", "junit", "sarif"],
    description: [
      "It fails if a comment is an orphan or its place is a guess; with --since, also if its lines have changed since that commit while the comment has not.",
    ],
    examples: [
      ["idewire comments check", "in CI, or before a commit"],
      [
        "idewire comments check --since origin/main --sarif comments.sarif",
        "check what a branch has changed",
      ],
    ],
  },
  fix: {
    summary: "settle orphans one at a time",
    words: "[file...]",
    description: ["A key moves the comment to a candidate, deletes it or skips it."],
    examples: [["idewire comments fix src/app.ts", "settle its orphans with single keys"]],
  },
  export: {
    summary: "write comments as Markdown, JSON or another format",
    words: "<format> [file]",
    options: ["context", "output"],
    examples: [["idewire comments export markdown --context 3 --output review.md", "for a review"]],
  },
  import: {
    summary: "add the comments of an export",
    words: "<file>",
    examples: [
      ["idewire comments import comments.json", "add the comments that export json wrote"],
    ],
  },
  migrate: {
    summary: "convert comments of other programs to the current format",
    words: "[file...]",
    description: ["The originals stay beside the new files."],
    examples: [["idewire comments migrate", "all files of the workspace"]],
  },
  merge: {
    summary: "merge comments, as git's merge driver or after a conflict",
    words: "<file...>",
    description: [
      "As a merge driver it gets three versions and the path from git; given only a source file, it resolves the conflict that git has left in the file's comments.",
    ],
    examples: [
      [
        "git config merge.comments.driver 'idewire comments merge %O %A %B %P'",
        "make it git's merge driver",
      ],
      ["idewire comments merge src/app.ts", "resolve the conflict in its comments"],
    ],
  },
};

/** `idewire comments`; `onExit` gets the exit code. */
export function createCommentsCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("comments");
  for (const [action, page] of Object.entries(subcommands)) {
    command.addCommand(createSubcommand(action as CommentAction, page, { io, onExit }));
  }
  return describe(command, {
    description: [
      "Comments are stored in <file>.comments beside each file, and follow their code through new lines, renames, moves and formatters. A comment whose code is gone is an orphan; it is never silently moved to another line.",
    ],
    exits: [
      [ExitCode.Ok, "it was done, or the agent has disconnected"],
      [ExitCode.Failed, "it could not be done; of check: a comment has lost its code"],
      usage,
      ...signals,
    ],
    examples: [
      ["idewire comments add src/app.ts:12 'TODO: limit the rate'", "a comment on line 12"],
      ["idewire comments check", "in CI, or before a commit"],
      ["claude mcp add comments -- npx idewire comments serve", "for Claude Code"],
    ],
  });
}

function createSubcommand(
  action: CommentAction,
  { summary, words = "", options: names = [], ...page }: Subcommand,
  { io, onExit }: { readonly io: CliIo; readonly onExit: (code: number) => void },
): Command {
  const command = new Command(action);
  if (words !== "") command.arguments(words);
  command.option("--cwd <folder>", "the workspace (default: this folder)");
  command.option("--json", "print JSON, one object per line");
  for (const name of names) {
    const option = new Option(...options[name]);
    command.addOption(name === "errors" ? option.choices(["seed", "spec"]) : option);
  }
  describe(command, page);
  return introduce(command, summary).action(async (...given: readonly unknown[]) => {
    // Parsers and patterns are loaded only for this command.
    const { runComments } = await import("./run-comments.ts");
    const typed = given.slice(0, -2).flat() as readonly (string | undefined)[];
    const call = { action, words: typed.filter((word) => word !== undefined) };
    try {
      onExit(await runComments({ ...call, flags: command.opts<CommentFlags>() }, io));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      command.error(`error: ${error.message}`);
    }
  });
}
