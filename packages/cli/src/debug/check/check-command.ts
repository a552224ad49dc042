import { resolve } from "node:path";
import type { Dialect } from "@idewire/core";
import { IdewireError } from "@idewire/core/rpc";
import { type CheckReport, formatCheckMarkdown } from "@idewire/devtools/checks";
import { checks, evidenceOf, httpChecks, serverChecks } from "@idewire/devtools/internal";
import { Command, InvalidArgumentError, Option } from "commander";
import {
  AGENT_VARIABLES,
  cwdOption,
  familyOption,
  workingFolder,
} from "../../flags/agent-flags.ts";
import { parseTarget, programOf } from "../../flags/target.ts";
import { describe } from "../../help/manual.ts";
import {
  addServerFlags,
  readServerFlags,
  type ServerFlags,
  strayOf,
} from "../../mcp/server-flags.ts";
import { createPrinter, type Printer } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { ExitCode, signals, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { runUntilStopped } from "../../process/run-until-stopped.ts";
import type { Stop } from "../../process/stop.ts";
import { checkEditor } from "./check-editor.ts";
import type { ServerCheck } from "./check-mcp-server.ts";
import { type FoundTarget, findTarget, readTarget } from "./find-target.ts";
import { isOverHttp } from "./http-check-port.ts";
import { createGroupPrinter, showReport, showTarget, showWarning } from "./show-report.ts";
import { type ReportFlags, writeReports } from "./write-reports.ts";

interface CheckFlags extends ServerFlags, ReportFlags {
  readonly baseline?: string;
  readonly update?: true;
  readonly cwd?: string;
  readonly agent?: Dialect;
  readonly lock?: string;
  readonly destructive?: true;
  readonly accept?: number;
  readonly gentle?: true;
  readonly skip?: readonly string[];
  readonly timeout?: number;
}

/** `idewire check`; `onExit` gets the exit code. */
export function createCheckCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("check")
    .usage("[options] [url | -- command...]")
    .argument(
      "[server...]",
      "an MCP server: its URL, or a command after -- (default: the editor of this folder)",
    )
    .addOption(cwdOption())
    .addOption(familyOption())
    .option("--lock <file>", "the editor of this lock file")
    .option("--destructive", "include checks that show a diff or close tabs, or call any tool")
    .option(
      "--gentle",
      "leave out checks that may freeze an editor or a server, since no client behaves like them",
    )
    .addOption(acceptOption())
    .addOption(skipOption())
    .addOption(timeoutOption())
    .option("--json", "print one JSON object, with the frames as evidence")
    .option("--markdown", "print a table in Markdown")
    .option("--junit <file>", "write the report as JUnit XML too")
    .option("--sarif <file>", "write the broken rules as SARIF too");
  command
    .optionsGroup("Options for an MCP server:")
    .option("--baseline <file>", "compare what it offers with this file, or write it")
    .option("--update", "with --baseline: accept the differences, and write the file");
  addServerFlags(command, { cwd: false });
  describe(command, {
    description: [
      "Connects to an editor as agents do, many times, correctly and incorrectly, and reports for each rule whether the editor obeys it: the lock file, the upgrade and the token, the handshake, JSON-RPC, tools, diagnostics, notifications, keep-alive and limits. docs/reference/checks.md lists all rules, each with its source.",
      "Some checks behave as no agent does: they send malformed frames, or use a wrong token. An editor that does not expect this may freeze, or wait for a key in its window. These checks are announced and run last; --gentle leaves them out, --skip leaves out one. If the editor stops answering, the remaining checks are skipped. A run takes 20 seconds at most.",
      "With --agent gemini, qwen or copilot it checks the endpoint of that agent, over HTTP, by the rules that hold there, too: the token, the handshake, the list of tools, a second agent. The others are of Claude Code alone, and are reported as such.",
      "With a URL, or a command after --, it connects to an MCP server as its client, over stdio, Streamable HTTP or HTTP with SSE, in both eras, and reports which rules of the specification the server breaks: first contact, capabilities, messages, lists and their schemas, calls, status codes, authorization. docs/reference/server-checks.md lists them. It calls no tool but those that are annotated as read-only, except with --destructive. A program is started about six times, and a run takes two minutes at most.",
      "With --baseline it compares the tools, prompts and resource templates of an MCP server with those of a file, which is written if it is missing. Each difference is breaking (removed, renamed, a new required argument, a narrower type or enum), compatible, or of text alone. --update accepts them.",
      "Nothing is written or shown in the editor, except with --destructive: then diffs of files that do not exist are opened and closed. With --accept, and --agent gemini, qwen or copilot, a last diff waits for you to accept it: no file is written, and the form of the answer is checked. Open a file with a problem in it first, so that selection and diagnostics can be checked.",
    ],
    exits: [
      [ExitCode.Ok, "no required rule is broken"],
      [
        ExitCode.Failed,
        "a required rule is broken, a difference is breaking, or a file could not be written",
      ],
      usage,
      [ExitCode.NoEditor, "there is no editor to check"],
      ...signals,
    ],
    environment: [...AGENT_VARIABLES],
    files: ["~/.claude/ide/<port>.lock"],
    examples: [
      ["idewire check", "the editor of this folder"],
      ["idewire check --gentle", "an editor that is in use"],
      ["idewire check --agent gemini", "its endpoint for Gemini CLI"],
      ["idewire check --agent copilot --accept 60", "with a diff that you accept in the editor"],
      ["idewire check --destructive --junit check.xml", "a step of a build"],
      ["idewire check --lock ~/.claude/ide/40123.lock", "this one"],
      ["idewire check -- npx my-server", "an MCP server that is a program, in a build"],
      ["idewire check https://example.com/mcp", "an MCP server at an address"],
      ["idewire check --baseline mcp-tools.json -- npx my-server", "what it offers, as before"],
      ["idewire check --markdown > report.md", "a report for others to read"],
    ],
  });
  return command.action(async (words: readonly string[], flags: CheckFlags) => {
    const read = await readServer(words, flags, io);
    if (typeof read === "string") return command.error(`error: ${read}`);
    if (read === undefined) return onExit(await check(flags, io));
    // The client and OAuth are loaded only for servers.
    const { baseline: file } = flags;
    if (file === undefined) {
      const { checkMcpServer } = await import("./check-mcp-server.ts");
      return onExit(await checkMcpServer({ ...read, flags }, io));
    }
    const { checkBaseline } = await import("./check-baseline.ts");
    const update = flags.update === true;
    return onExit(await checkBaseline({ ...read, file, update, flags }, io));
  });
}

/** An MCP server to check, and how it is reached. */
type NamedServer = Pick<ServerCheck, "target" | "server">;

/** Undefined for an editor; an error message if a word is wrong. */
async function readServer(
  words: readonly string[],
  flags: CheckFlags,
  io: CliIo,
): Promise<NamedServer | string | undefined> {
  const program = programOf(io.args);
  const { baseline, update } = flags;
  if (baseline === undefined && update === true) return "--update needs --baseline";
  if (baseline === undefined && words.length === 0 && program === undefined) {
    const stray = strayOf(flags);
    return stray === undefined
      ? undefined
      : `${stray} is for an MCP server: a URL, or a command after --`;
  }
  for (const name of ["agent", "lock", "accept"] as const) {
    if (flags[name] !== undefined) return `--${name} is for an editor, and an MCP server is named`;
  }
  const before = words.slice(0, words.length - (program?.length ?? 0));
  const target = parseTarget(before, program);
  if (typeof target === "string") return target;
  const server = await readServerFlags(flags, target, io);
  return typeof server === "string" ? server : { target, server };
}

function skipOption(): Option {
  const option = new Option("--skip <id>", "leave out this check; may be repeated");
  return option.argParser((id: string, before: readonly string[] = []) => {
    if ([...checks, ...httpChecks, ...serverChecks].some((known) => known.id === id))
      return [...before, id];
    const pages =
      "docs/reference/checks.md and server-checks.md have the ids, such as IDE-RPC-001.";
    throw new InvalidArgumentError(pages);
  });
}

function acceptOption(): Option {
  const words = "show a diff at last, and wait so long for you to accept it";
  return new Option("--accept <seconds>", words).argParser(toSeconds);
}

function timeoutOption(): Option {
  const option = new Option("--timeout <seconds>", "skip the checks that remain after this time");
  return option.default(undefined, "19; 120 for a server").argParser(toSeconds);
}

function toSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3_600) return seconds;
  throw new InvalidArgumentError("It is a number of seconds from 1 to 3600.");
}

function check(flags: CheckFlags, io: CliIo): Promise<number> {
  const run = async ({ requested, signal }: Stop) => {
    const printer = createPrinter(io);
    const target = await targetOf(flags, io);
    const isForPeople = flags.json === undefined && flags.markdown === undefined;
    if (isForPeople) showTarget(target, printer);
    const chosen = {
      destructive: flags.destructive === true,
      gentle: flags.gentle === true,
      skip: flags.skip ?? [],
    };
    if (isForPeople) showWarning({ ...chosen, isOverHttp: isOverHttp(target) }, printer);
    if (isForPeople && flags.accept !== undefined) showRequest(flags.accept, target, printer);
    const report = await checkEditor(target, {
      ...chosen,
      ...(flags.accept !== undefined && { times: { personMs: flags.accept * 1_000 } }),
      ...(flags.timeout !== undefined && { totalMs: flags.timeout * 1_000 }),
      signal,
      ...(isForPeople && { onresult: createGroupPrinter(printer) }),
    });
    if (signal.aborted) return requested;
    if (isForPeople) showReport(report, printer);
    else if (flags.json) printer.json(toJson(report, target));
    else for (const words of formatCheckMarkdown(report).split("\n")) printer.print(line`${words}`);
    await writeReports(report, flags, io);
    return report.ok ? ExitCode.Ok : ExitCode.Failed;
  };
  return runUntilStopped(io, run, (error) => {
    if (!(error instanceof IdewireError)) throw error;
    return error.code === "no-editor" ? ExitCode.NoEditor : ExitCode.Failed;
  });
}

/** Announces the diff that the person has to accept. */
function showRequest(seconds: number, target: FoundTarget, { print }: Printer): void {
  const wanted = `At the end the editor shows a diff of idewire-check.txt: accept it within ${seconds} s.`;
  print(line`${isOverHttp(target) ? wanted : "There is no diff to accept for Claude Code."}`);
  print(line``);
}

function targetOf({ cwd, lock, agent: dialect }: CheckFlags, io: CliIo): Promise<FoundTarget> {
  const { env } = io;
  if (lock !== undefined) return readTarget(resolve(io.cwd, lock), { env, dialect });
  return findTarget({ cwd: workingFolder(io, cwd), env, dialect });
}

/** Never with the token. */
function toJson(report: CheckReport, { lockFile, name, port, socketPath }: FoundTarget) {
  const { ok, ms, results, silentSince } = report;
  return {
    ok,
    ...(silentSince && { silentSince }),
    editor: { name, port, socketPath, lockFile },
    ms,
    results,
    events: evidenceOf(report),
  };
}
