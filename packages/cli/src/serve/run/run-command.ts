import { Command, InvalidArgumentError, Option } from "commander";
import { addShareFlags } from "../../flags/listen-flags.ts";
import { planProviders } from "../../flags/provider-flags.ts";
import { programOf } from "../../flags/target.ts";
import { describe } from "../../help/manual.ts";
import { ExitCode, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { addFolderFlags, type FolderFlags, toServeOptions } from "../folder-flags.ts";
import { agentWords, findAgent, type RunnableAgent } from "./agents.ts";
import { run } from "./run.ts";

/** As parsed by commander. */
interface RunFlags extends FolderFlags {
  readonly editor?: number;
}

/** `idewire run`; `onExit` gets the exit code. */
export function createRunCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("run")
    .usage(
      "[options] <agent> [folder] [-- its arguments]\nidewire run [options] [folder] -- <command>",
    )
    .argument("[agent]", agentWords.join(", "))
    .argument("[folder]", "the folder (default: this one)")
    .argument("[arguments...]", "after --: those of the agent, or another command")
    .addOption(
      new Option(
        "--editor <pid|port>",
        "connect to this one of several editors, by its process or its port",
      ).argParser(parseNumber),
    );
  const web = new Option("--no-web", "open no page; changes are reviewed by idewire review");
  addFolderFlags(addShareFlags(command), web);
  describe(command, {
    description: [
      "Serves the folder, opens its page as the editor, and starts the agent in this terminal so that it connects to this editor and asks for reviews. Where the folder is served already, by idewire or by another editor, only the agent is started, connected to that editor.",
      "Another command than those of the list comes after --, and the folder before it.",
      "The terminal is the agent's: warnings go to the page and to a log file, and are listed when the agent has ended. idewire ends with the agent, and with its exit code.",
      "Claude Code gets the excluded files (--exclude) as rules of its own that deny reading and editing, for this run; its shell commands can still read them. The other agents have no such rules.",
    ],
    exits: [
      [ExitCode.Ok, "the agent exited with 0; with any other code, that code"],
      [ExitCode.Failed, "the folder could not be served, or there is no such editor"],
      usage,
      [ExitCode.NotFound, "the agent is not on the PATH"],
    ],
    environment: ["HOME", "CLAUDE_CONFIG_DIR", "XDG_STATE_HOME", "NO_COLOR", "FORCE_COLOR"],
    files: ["~/.claude/ide/<port>.lock", "~/.local/state/idewire/"],
    examples: [
      ["idewire run claude", "Claude Code in this folder, with the page as its editor"],
      ["idewire run claude notes -- --model opus", "in another folder, with arguments of its own"],
      ["idewire run opencode --no-web", "without a page"],
      ["idewire run notes -- my-agent --flag", "any other agent"],
    ],
  });
  return command.action(async () => {
    const flags = command.opts<RunFlags>();
    const parsed = parseWords(command.args, programOf(io.args));
    if (typeof parsed === "string") return command.error(`error: ${parsed}`);
    const { editor, web: hasPage, ...rest } = flags;
    const providers = await planProviders(command, flags, io);
    const page = { isWanted: hasPage !== false, mayOpen: true };
    const serve = toServeOptions(parsed.folder, { flags: rest, providers, page, io });
    const serveFlags = typedFlags(command);
    const named = editor !== undefined && { editor };
    onExit(await run({ ...parsed, serve, serveFlags, ...named }, io));
  });
}

interface ParsedWords {
  readonly agent: RunnableAgent;
  readonly folder: string;
  readonly given: readonly string[];
}

/** Parses the words; returns an error message for invalid ones. */
function parseWords(
  args: readonly string[],
  program: readonly string[] | undefined,
): ParsedWords | string {
  const words = args.slice(0, args.length - (program?.length ?? 0));
  const [first, second, third] = words;
  const agent = first === undefined ? undefined : findAgent(first);
  const extra = agent === undefined ? second : third;
  if (extra !== undefined) {
    return `expected one folder, got ${extra} as well; arguments of the agent come after --`;
  }
  if (agent !== undefined) return { agent, folder: second ?? ".", given: program ?? [] };
  const [own, ...given] = program ?? [];
  if (own !== undefined) {
    return { agent: { title: own, command: own, install: "" }, folder: first ?? ".", given };
  }
  const known = `expected ${agentWords.join(", ")}`;
  if (first === undefined) return `the agent is missing: ${known}`;
  return `${known}; got ${first}. Another command comes after --, as in: idewire run ${first} -- my-agent`;
}

/** These apply even if the folder is served already. */
const ALWAYS_GOOD: ReadonlySet<unknown> = new Set(["--editor", "--no-web", "--no-open"]);

/** The flags for serving the folder, which have no effect if it is served already. */
function typedFlags(command: Command): readonly string[] {
  return command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === "cli")
    .flatMap(({ long }) => (long == null || ALWAYS_GOOD.has(long) ? [] : [long]));
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected the number of a process or of a port.");
}
