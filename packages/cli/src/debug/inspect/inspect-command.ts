import { resolve } from "node:path";
import { Command, Option } from "commander";
import { AGENT_VARIABLES } from "../../flags/agent-flags.ts";
import { parsePort } from "../../flags/parse-port.ts";
import { pathMapOption } from "../../flags/path-map-flag.ts";
import { describe } from "../../help/manual.ts";
import { mcpEras } from "../../mcp/mcp-call.ts";
import { addServerFlags } from "../../mcp/server-flags.ts";
import { ExitCode, signals, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { canOpenBrowser } from "../../serve/browser/open-in-browser.ts";
import { readSubject, type SubjectFlags } from "./read-subject.ts";
import { type RunInspectOptions, runInspect } from "./run-inspect.ts";

/** As parsed by commander. */
interface InspectFlags extends SubjectFlags {
  readonly web?: boolean;
  readonly webPort?: number;
  readonly open: boolean;
  readonly record?: string;
  readonly json?: true;
}

/** `idewire inspect`; `onExit` gets the exit code. */
export function createInspectCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("inspect")
    .usage("[options] [folder | url | -- command...]")
    .argument(
      "[words...]",
      "the folder whose editor to inspect (default: this one), or an MCP server: its URL, or a command after --",
    )
    .option("--as-agent", "connect to the editor as an agent, instead of as a proxy")
    .option("--port <number>", "the editor on this port, whatever its folders are", parsePort)
    .option("--lock <file>", "the editor of this lock file")
    .option("--listen-port <number>", "the port for agents (default: any free one)", parsePort)
    .option("--web", "show the frames in a browser page (default at a terminal with a browser)")
    .option("--no-web", "show the frames in this terminal")
    .option("--web-port <number>", "the port of the page (default: any free one)", parsePort)
    .option("--no-open", "print the address of the page, and open no browser")
    .option("--record <file>", "write the frames to a file, without tokens and names")
    .addOption(pathMapOption())
    .addOption(configOption())
    .addOption(eraOption())
    .option("--json", "print events as lines of JSON");
  addServerFlags(command, { tools: false });
  describe(command, {
    description: [
      "Finds the editor of the folder as an agent does, and acts as its proxy: it has its own lock file and token, and connects each agent to the editor, byte by byte. Frames pass unchanged, including fragments, pings, binary and broken frames and close codes; only the host and the token of the upgrade differ. The proxy sends nothing of its own to either end.",
      "The editor's lock file is not touched, so the folder has two lock files while this runs. Claude Code connects here if it is started with CLAUDE_CODE_SSE_PORT, as printed; without it, it does not connect on its own. opencode uses the newest file, which is this one. Agents that are already connected stay connected to the editor.",
      "With --as-agent it is an agent itself: in the page you can list the tools, call them by a form or as JSON, and edit and resend any frame. As a proxy of a real agent it sends nothing: a forged answer could make the agent write a file.",
      "With a URL, a command after -- or --config it is the client of MCP servers: the page lists their tools, prompts and resources, calls them by a form or as JSON, and shows every frame, what a program writes to stderr, and the server's questions, which you answer there. A file of --config is only read; so are its variables, which no page gets. A login opens the browser.",
      "A program is started again when its files change, and the last call is repeated: the files that the command names within the working directory, and the sources in their folders and below. A server of this machine is connected to again when it listens again.",
      "Without a page or a recording, each frame is printed as a line. When the editor closes, its connections end as they would without the proxy; the proxy looks for it again when the next agent connects.",
      "The page and this terminal show frames unchanged, except for the tokens of editor and proxy. A recording also omits all other tokens, home directories and names; it includes the texts of files.",
    ],
    hint: "It inspects the editor of a folder, or an MCP server: its URL, or a command after --.",
    exits: [
      [ExitCode.Ok, "the reader closed stdout"],
      [ExitCode.Failed, "there is no editor, or it could not start"],
      usage,
      ...signals,
    ],
    environment: [...AGENT_VARIABLES],
    files: ["~/.claude/ide/<port>.lock"],
    examples: [
      ["idewire inspect", "then start the agent as printed"],
      ["idewire inspect notes --record day.jsonl", "a trace, which the playground opens"],
      ["idewire inspect --port 41234 --web", "one of several editors, in the browser"],
      ["idewire inspect --as-agent --web", "try the editor's tools by hand"],
      ["idewire inspect -- npx -y some-mcp-server", "an MCP server that is a program"],
      ["idewire inspect -- node server.js", "yours: started again when its files change"],
      ["idewire inspect https://example.com/mcp", "an MCP server at an address"],
      ["idewire inspect --config .mcp.json", "the MCP servers of a configuration"],
      ["idewire inspect --json | jq 'select(.event == \"frame\") | .method'", "for programs"],
    ],
  });
  return command.action(async (words: readonly string[], flags: InspectFlags) => {
    const subject = await readSubject(words, { flags, io });
    if (typeof subject === "string") return command.error(`error: ${subject}`);
    onExit(await runInspect({ subject, ...showing(flags, io) }, io));
  });
}

/** How the inspection is shown. */
function showing(flags: InspectFlags, io: CliIo): Omit<RunInspectOptions, "subject"> {
  const { web, webPort, open, record, json = false } = flags;
  const sits = io.stdin.isTTY === true && io.stdout.isTTY === true;
  const isShown = web ?? (webPort !== undefined || (sits && !json && canOpenBrowser(io.env)));
  return {
    json,
    ...(record !== undefined && { record: resolve(io.cwd, record) }),
    ...(isShown && {
      page: { open: open && sits && !json, ...(webPort !== undefined && { port: webPort }) },
    }),
  };
}

function configOption(): Option {
  const words = "the MCP servers of a file with mcpServers or servers, which is only read";
  return new Option("--config <file>", words);
}

function eraOption(): Option {
  const words = "which protocol eras to speak with an MCP server (default: auto)";
  return new Option("--era <era>", words).choices(mcpEras);
}
