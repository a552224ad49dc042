import { text as readAll } from "node:stream/consumers";
import { Argument, Command, Option } from "commander";
import { parseArguments } from "../debug/call/parse-arguments.ts";
import { describe } from "../help/manual.ts";
import type { CliIo } from "../process/io.ts";
import { offerVaultTools } from "../serve/vault-tools.ts";
import {
  type McpAction,
  type McpCall,
  type McpEra,
  mcpActions,
  mcpEras,
  parseHeaders,
  parseMcpCall,
  usageOf,
} from "./mcp-call.ts";
import type { McpRun } from "./run-mcp-call.ts";

/** As commander gives them. */
interface McpFlags {
  readonly cwd?: string;
  readonly json?: true;
  readonly era: McpEra;
  readonly header?: readonly string[];
  readonly resource?: readonly string[];
}

/** `idewire mcp`; `onExit` gets the exit code. */
export function createMcpCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("mcp")
    .description("Serve the tools of a vault as an MCP server, or use any MCP server.")
    .addArgument(new Argument("[action]", "what to do at a server").choices(mcpActions))
    .argument("[words...]", "the action's arguments, then an address or a command")
    .option("--cwd <folder>", "where the agent is, or the command runs (default: this folder)")
    .option("--json", "print the server's answers as JSON, one value per line")
    .addOption(
      new Option("--era <era>", "which protocol eras to speak with the server")
        .choices(mcpEras)
        .default("auto"),
    )
    .addOption(repeated("--header <header>", 'send a header to an address: "Name: value"'))
    .addOption(repeated("--resource <uri>", "listen: also say when it changes"));
  describe(command, {
    description: [
      "Without an action it serves on stdin and stdout, for agents that start MCP servers by a command: it forwards messages to the vault that contains the folder, whose plugin offers the tools. Port and token are found automatically.",
      "With an action it is a client. The server is an address, or a command to start; put -- before a command that has options. Questions from the server are asked in the terminal, and declined if there is none. A call whose answer is lost is not repeated. Progress and log messages go to stderr.",
      "It first asks the server whether it speaks MCP 2026-07-28 (--era modern accepts nothing else; --era legacy does not ask).",
    ],
    environment: ["HOME", "XDG_STATE_HOME", "NO_COLOR", "FORCE_COLOR"],
    files: ["~/.local/state/idewire/"],
    examples: [
      [
        "claude mcp add vault -- npx idewire mcp --cwd ~/Notes",
        "add a vault's tools to Claude Code",
      ],
      ["idewire mcp tools -- npx -y some-mcp-server", "list the tools of a program"],
      [`idewire mcp call add '{"a":1,"b":2}' https://example.com/mcp`, "call a tool"],
      ["idewire mcp login https://example.com/mcp", "log in once; later commands use the tokens"],
      ["idewire mcp read docs://index https://example.com/mcp", "read a resource"],
      [
        "idewire mcp complete greet name=An https://example.com/mcp",
        "list values that name may have",
      ],
    ],
  });
  return command.action(
    async (action: McpAction | undefined, words: readonly string[], flags: McpFlags) => {
      if (action === undefined) {
        refuseOptions(command);
        onExit(await offerVaultTools(flags.cwd, io));
      } else onExit(await use(await read({ action, words, flags }, command, io), io));
    },
  );
}

function repeated(flags: string, words: string): Option {
  const collect = (text: string, others: readonly string[] = []) => [...others, text];
  return new Option(flags, `${words}; may be repeated`).argParser(collect);
}

interface Line {
  readonly action: McpAction;
  readonly words: readonly string[];
  readonly flags: McpFlags;
}

/** Ends the command that serves a vault where an option is for the actions alone. */
function refuseOptions(command: Command): void {
  const stray = command.options.find((option) => {
    const name = option.attributeName();
    return name !== "cwd" && command.getOptionValueSource(name) === "cli";
  });
  if (stray === undefined) return;
  const usage = "Usage: idewire mcp [--cwd <folder>]";
  command.error(`error: ${stray.long} is for an action at a server\n${usage}`);
}

/** Ends the command where a word is wrong. */
async function read({ action, words, flags }: Line, command: Command, io: CliIo): Promise<McpRun> {
  const fail = (fault: string) => command.error(`error: ${fault}\n${usageOf(action)}`);
  const call = parseMcpCall(action, words);
  if (typeof call === "string") return fail(call);
  const headers = parseHeaders(flags.header ?? []);
  if (typeof headers === "string") return fail(headers);
  const stray = findStray(call, flags);
  if (stray !== undefined) return fail(stray);
  const args = parseArguments(call.json === "-" ? await readAll(io.stdin) : call.json);
  if (typeof args === "string") return fail(args);
  const { json, resource: resources = [], cwd = ".", era } = flags;
  return { ...call, args, headers, resources, cwd, era, isJson: json === true };
}

/** What would be left unused, in silence. */
function findStray({ action, place }: McpCall, { header, resource }: McpFlags): string | undefined {
  if (header !== undefined && "command" in place) return "--header is for a server at an address";
  return resource !== undefined && action !== "listen" ? "--resource is for listen" : undefined;
}

async function use(run: McpRun, io: CliIo): Promise<number> {
  // The client and OAuth are loaded by this command alone.
  const { runMcpCall } = await import("./run-mcp-call.ts");
  return runMcpCall(run, io);
}
