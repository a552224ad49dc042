import { claudeCommand } from "@idewire/core/internal";
import { Command, Option } from "commander";
import { addListenFlags, checkListenFlags } from "../flags/listen-flags.ts";
import { planProviders } from "../flags/provider-flags.ts";
import { describe } from "../help/manual.ts";
import { ExitCode, signals, usage } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { addFolderFlags, type FolderFlags, toServeOptions } from "./folder-flags.ts";
import { createScriptFrontend } from "./script/script-frontend.ts";
import { serve } from "./serve.ts";
import { createTerminalFrontend } from "./terminal/terminal-frontend.ts";

/** As parsed by commander. */
interface ServeFlags extends FolderFlags {
  readonly json?: true;
  readonly script?: true;
  readonly quiet?: true;
  readonly verbose?: true;
}

/** `idewire serve`; `onExit` gets the exit code. */
export function createServeCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("serve").argument("[folder]", "the folder to serve", ".");
  const web = new Option("--web", "also show the folder in a browser page, as its editor");
  addFolderFlags(addListenFlags(command), web)
    .option("--quiet", "a pending diff neither rings the bell nor sets the terminal's title")
    .option("--verbose", "also print where each family of agents connects, and its lock file")
    .option("--json", "print events as lines of JSON and read no input")
    .option("--script", "the same, and read commands as lines of JSON from stdin");
  describe(command, {
    description: [
      "Agents find the folder by a lock file. Claude Code and opencode connect from the folder or from below it. The changes that they propose are shown here; the files are always written by the agent.",
      "Type help for the commands of the prompt. Without a terminal it prints plain lines, and keeps running if its input is empty; otherwise the end of the input ends it. A second signal ends it at once.",
      "Agents in a container, in WSL or on the far side of SSH know the folder by another path: --path-map maps it. Such a run serves only them; agents on this machine need a second run without it.",
      "Diagnostics are the only part of an editor that an agent's model sees. Besides the built-in checks of JSON, YAML and links in Markdown, which --no-checks turns off, they come from language servers (--lsp) and from linters and compilers that run after changes (--lint). Both are command lines, which a shell runs in the folder.",
      "A language server gets the files that are open or that an agent asks about, in its known languages; name others before it, as in python=pylsp. Its settings are those documented for VS Code or Neovim, as JSON or in a file. The format of a linter's output is detected, or named by --matcher: tsc, ms-compile, eslint-stylish, eslint-compact, biome, gcc, cargo, go, kotlin, maven, sbt, python, node, perl, php, phpunit, phpstan, ruby, rspec, minitest, cmake, test-more, node-test, github, unix, or a JSON file with problem matchers in the format of VS Code and GitHub.",
      "With --comments, an agent that edits a file with comments beside it (idewire comments) reads its open TODO, FIXME and QUESTION comments among the diagnostics, each once in a session, and is warned at once of comments whose code its edit has removed. A page (--web) shows the comments beside the code, where you can add more.",
      "With --web, a browser page on this machine shows the folder too: files, selection, changes to review. Its address is valid once, for a minute; type page for another. A recording is a file of JSON Lines, which the page can open; tokens, home directories and names are left out, the texts of files are not.",
    ],
    exits: [
      [ExitCode.Ok, "after quit, stop or the end of the input"],
      [ExitCode.Failed, "it could not start"],
      usage,
      ...signals,
    ],
    environment: [
      "HOME",
      "CLAUDE_CONFIG_DIR",
      "XDG_STATE_HOME",
      "VISUAL, EDITOR",
      "PAGER",
      "NO_COLOR",
      "FORCE_COLOR",
    ],
    files: ["~/.claude/ide/<port>.lock", "~/.claude-code/<port>.json", "~/.local/state/idewire/"],
    examples: [
      ["idewire serve", `then, elsewhere: ${claudeCommand}`],
      ["idewire serve notes --share path", "share only the active file with agents"],
      [
        'idewire serve --lsp "typescript-language-server --stdio"',
        "report problems in edited files to agents",
      ],
      [
        'idewire serve --lsp "yaml-language-server --stdio" --lsp-settings yaml.json',
        "with settings, such as schemas for files",
      ],
      [
        'idewire serve --lint "npx tsc --noEmit" --lint "make lint" --matcher gcc',
        "run compilers and linters after changes",
      ],
      ["idewire serve --json", "the events of agents, as lines of JSON"],
      ["idewire serve --web", "the folder in the browser"],
      ["idewire serve --comments", "report comments on edited code to agents"],
      ["idewire serve --record day.jsonl", "record all messages"],
      ["idewire serve --script < day.ndjson", "a program plays the person"],
      ["idewire serve notes --path-map notes=/workspace", "for an agent in a container"],
    ],
  });
  return command.action(async (folder: string, flags: ServeFlags) => {
    checkListenFlags(command, flags, io);
    const { json, script, quiet, verbose, web, ...rest } = flags;
    const providers = await planProviders(command, flags, io);
    const isTerminal = !(script || json);
    const page = { isWanted: web === true || flags.webPort !== undefined, mayOpen: isTerminal };
    const options = toServeOptions(folder, { flags: rest, providers, page, io });
    const frontend = isTerminal
      ? createTerminalFrontend(io, { quiet: quiet === true, verbose: verbose === true })
      : createScriptFrontend(io, { commands: script === true });
    onExit(await serve(options, frontend, io));
  });
}
