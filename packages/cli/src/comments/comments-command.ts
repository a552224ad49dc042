import { Argument, Command, Option } from "commander";
import { describe } from "../help/manual.ts";
import type { CliIo } from "../process/io.ts";
import { type CommentAction, type CommentFlags, commentActions } from "./comment-flags.ts";

/** `idewire comments`; `onExit` gets the exit code. */
export function createCommentsCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("comments")
    .description("Keep comments beside the code, and serve them to agents.")
    .addArgument(new Argument("<action>", "what to do").choices(commentActions))
    .argument("[words...]", "a file, an id, a text: see the examples")
    .option("--cwd <folder>", "the workspace (default: this folder)")
    .option("--json", "print JSON, one object per line")
    .option("--tag <tag>", "the tag of a comment: TODO, FIXME, NOTE, STAR or QUESTION")
    .option("--author <name>", "of a comment or a reply")
    .option("--quote <text>", "the text of the line; corrects a wrong line number")
    .option("--end <line>", "the last line of a comment on several lines")
    .option("--context <lines>", "export: lines of code before and after")
    .option("--output <file>", "export: write to a file")
    .option(
      "--since <ref>",
      "check: also fail on code that has changed since, while its comment has not",
    )
    .option("--junit <file>", "check: write the report as JUnit XML too")
    .option("--sarif <file>", "check: write the report as SARIF too")
    .option(
      "--http [port]",
      "serve: use Streamable HTTP on 127.0.0.1, at this port or any free one",
    )
    .addOption(
      new Option("--errors <style>", "serve: how errors are reported").choices(["seed", "spec"]),
    );
  describe(command, {
    description: [
      "Comments are in <file>.comments beside each file, and follow their code when it changes: through new lines, new names, moves and formatters. One whose code is gone is an orphan; it is never moved to another line silently.",
      "serve [folder] is an MCP server on stdin and stdout, for agents that start servers by a command; with --http it serves any number of agents at the address that it prints. They must send the value of IDEWIRE_COMMENTS_TOKEN as their bearer token or, if it is not set, the token in a file that only you may read; it stays the same as long as the port does.",
      "check fails if a comment is an orphan or its place is a guess; with --since, also if its lines have changed since that commit while the comment has not.",
      "fix goes through such comments one at a time: a key moves the comment to a candidate, deletes it or skips it.",
      "merge is a merge driver for git; given a source file, it resolves the conflict that git has left in its comments. migrate converts files of other programs to the current format, and keeps the originals.",
    ],
    environment: ["IDEWIRE_COMMENTS_TOKEN", "XDG_STATE_HOME"],
    files: ["~/.local/state/idewire/"],
    examples: [
      ["claude mcp add comments -- npx idewire comments serve", "for Claude Code"],
      ["idewire comments serve --http 7411", "for agents that connect over HTTP"],
      ["idewire comments add src/app.ts:12 'TODO: limit the rate'", "a comment on line 12"],
      ["idewire comments show src/app.ts", "the comments of a file, where they are now"],
      [
        "idewire comments reply src/app.ts c_1730000000000 'Done'",
        "an answer; resolve and reopen take a file and an id, too",
      ],
      ["idewire comments move src/app.ts c_1730000000000 src/api.ts:7", "to another file"],
      ["idewire comments search 'rate|limit' --tag TODO", "a regular expression"],
      ["idewire comments search 'tag:TODO author:ann is:orphaned'", "terms: see the documentation"],
      ["idewire comments search -- -is:resolved", "-- comes before words that begin with a dash"],
      ["idewire comments check", "in CI, or before a commit"],
      [
        "idewire comments check --since origin/main --sarif comments.sarif",
        "check what a branch has changed",
      ],
      ["idewire comments fix src/app.ts", "settle its orphans by keys"],
      ["idewire comments export markdown --context 3 --output review.md", "for a review"],
      ["idewire comments import comments.json", "take in what export json wrote"],
      [
        "git config merge.comments.driver 'idewire comments merge %O %A %B %P'",
        "make it git's merge driver",
      ],
    ],
  });
  return command.action(
    async (action: CommentAction, words: readonly string[], flags: CommentFlags) => {
      // Parsers and patterns are loaded by this command alone.
      const { runComments } = await import("./run-comments.ts");
      onExit(await runComments({ action, words, flags }, io));
    },
  );
}
