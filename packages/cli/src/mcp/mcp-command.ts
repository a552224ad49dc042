import { text as readAll } from "node:stream/consumers";
import { Command, InvalidArgumentError, Option } from "commander";
import { parseArguments } from "../debug/call/parse-arguments.ts";
import { programOf } from "../flags/target.ts";
import { describe, introduce } from "../help/manual.ts";
import { ExitCode, signals, usage } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import {
  explainWords,
  type McpAction,
  type McpEra,
  mcpActions,
  mcpEras,
  parseMcpCall,
  splitWords,
  wordsOf,
} from "./mcp-call.ts";
import type { McpRun } from "./run-mcp-call.ts";
import { addServerFlags, readServerFlags, repeated, type ServerFlags } from "./server-flags.ts";

/** As parsed by commander. */
interface McpFlags extends ServerFlags {
  readonly json?: true;
  readonly era?: McpEra;
  readonly resource?: readonly string[];
  /** In milliseconds. */
  readonly timeout?: number;
}

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] as const;

/** A day. */
const MAX_TIMEOUT_S = 86_400;

interface Subcommand {
  readonly summary: string;
  readonly example: string;
}

const subcommands: Readonly<Record<McpAction, Subcommand>> = {
  tools: {
    summary: "list the tools of a server",
    example: "idewire mcp tools -- npx -y some-mcp-server",
  },
  call: {
    summary: "call a tool",
    example: `idewire mcp call add '{"a":1,"b":2}' https://example.com/mcp`,
  },
  resources: {
    summary: "list resources and their templates",
    example: "idewire mcp resources https://example.com/mcp",
  },
  read: {
    summary: "read a resource",
    example: "idewire mcp read docs://index https://example.com/mcp",
  },
  prompts: { summary: "list prompts", example: "idewire mcp prompts https://example.com/mcp" },
  prompt: {
    summary: "get a prompt",
    example: `idewire mcp prompt greet '{"name":"Ann"}' https://example.com/mcp`,
  },
  complete: {
    summary: "list values that an argument may have",
    example: "idewire mcp complete greet name=An https://example.com/mcp",
  },
  listen: {
    summary: "print notifications until Ctrl-C",
    example: "idewire mcp listen https://example.com/mcp",
  },
  connect: {
    summary: "serve a server on stdin and stdout, for any program that starts MCP servers",
    example: "claude mcp add web -- npx idewire mcp connect https://example.com/mcp",
  },
  login: {
    summary: "log in; later commands use the tokens",
    example: "idewire mcp login https://example.com/mcp",
  },
  logout: {
    summary: "revoke and delete the tokens",
    example: "idewire mcp logout https://example.com/mcp",
  },
};

/** `idewire mcp`; `onExit` gets the exit code. */
export function createMcpCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("mcp");
  for (const action of mcpActions) command.addCommand(createSubcommand(action, { io, onExit }));
  return describe(command, {
    description: [
      "The server is a URL, a command to start, after --, or the folder of an Obsidian vault that offers tools. Questions of the server are asked in the terminal, and declined if there is none. A call whose answer is lost is not repeated. Progress and log messages go to stderr.",
      "The structured content of a call is printed as it is, with a warning if it does not match the outputSchema of its tool.",
      "Progress restarts --timeout, and the time in which you are asked does not count.",
      "A message of a command is a line, as MCP has it. A command that waits for Content-Length headers, as language servers do, answers no line, which looks like a slow start: it needs --framing content-length. One that writes such headers by itself is started again so.",
      "A name that begins with a hyphen comes after --: call -- -name '{}' <url>; a command then comes after a second --.",
      "It first asks the server whether it supports MCP 2026-07-28 (--era modern accepts nothing else; --era legacy does not ask).",
    ],
    hint: `What to do comes first, then the server: ${mcpActions.join(", ")}`,
    exits: [
      [ExitCode.Ok, "it was done"],
      [ExitCode.Failed, "the server cannot be reached, or refuses"],
      usage,
      [ExitCode.ToolFailed, "call: the tool failed"],
      ...signals,
    ],
    examples: [
      ["idewire mcp tools -- npx -y some-mcp-server", "list the tools of a program"],
      [`idewire mcp call add '{"a":1,"b":2}' https://example.com/mcp`, "call a tool"],
      ["idewire mcp login https://example.com/mcp", "log in once; later commands use the tokens"],
      ["idewire mcp tools ~/Notes", "list the tools of a vault"],
    ],
  });
}

function createSubcommand(
  action: McpAction,
  { io, onExit }: { readonly io: CliIo; readonly onExit: (code: number) => void },
): Command {
  const { summary, example } = subcommands[action];
  const command = new Command(action)
    .usage(`[options] ${wordsOf(action)}`)
    .argument("[words...]", explainWords(action));
  const isLogin = action === "login" || action === "logout";
  if (action !== "connect") {
    command
      .option("--json", "print the server's answers as JSON, one value per line")
      .addOption(
        new Option("--era <era>", "which protocol eras to speak with the server")
          .choices(mcpEras)
          .default("auto"),
      );
    if (!isLogin) command.addOption(timeoutOption());
  }
  addServerFlags(command, { programs: !isLogin, tools: !isLogin });
  if (action === "listen") {
    command.addOption(repeated("--resource <uri>", "also report changes of this resource"));
  }
  describe(command, {
    environment: ["HOME", "XDG_STATE_HOME", ...PROXIES, "NO_COLOR", "FORCE_COLOR"],
    files: ["~/.local/state/idewire/"],
    examples: [[example, summary]],
  });
  return introduce(command, summary).action(async (words: readonly string[], flags: McpFlags) => {
    onExit(await use(await read({ action, words, flags }, command, io), io));
  });
}

function timeoutOption(): Option {
  const words =
    "how long the server may be silent, 0 for no limit (default: 60; 300 for call, read and prompt, which have none at a terminal)";
  return new Option("--timeout <seconds>", words).argParser((text: string) => {
    const seconds = Number(text);
    if (text.trim() === "" || !(seconds >= 0 && seconds <= MAX_TIMEOUT_S)) {
      throw new InvalidArgumentError(`It is a number of seconds from 0 to ${MAX_TIMEOUT_S}.`);
    }
    return seconds === 0 ? Number.POSITIVE_INFINITY : Math.round(seconds * 1_000);
  });
}

interface Line {
  readonly action: McpAction;
  readonly words: readonly string[];
  readonly flags: McpFlags;
}

/** Ends the command if a word is wrong. */
async function read({ action, words, flags }: Line, command: Command, io: CliIo): Promise<McpRun> {
  const fail = (fault: string) => command.error(`error: ${fault}`);
  const call = parseMcpCall(action, splitWords(action, words, programOf(io.args)));
  if (typeof call === "string") return fail(call);
  const server = await readServerFlags(flags, call.target, io);
  if (typeof server === "string") return fail(server);
  const args = parseArguments(call.json === "-" ? await readAll(io.stdin) : call.json);
  if (typeof args === "string") return fail(args);
  const { json, resource: resources = [], era = "auto", timeout: timeoutMs } = flags;
  return { ...call, ...server, args, resources, era, timeoutMs, isJson: json === true };
}

async function use(run: McpRun, io: CliIo): Promise<number> {
  // The client and OAuth are loaded only for this command.
  const { runMcpCall } = await import("./run-mcp-call.ts");
  return runMcpCall(run, io);
}
