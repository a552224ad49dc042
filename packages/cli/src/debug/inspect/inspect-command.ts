import { resolve } from "node:path";
import { Command } from "commander";
import { AGENT_VARIABLES } from "../../flags/agent-flags.ts";
import { parsePort } from "../../flags/listen-flags.ts";
import { type PathMapFlag, pathMapOption, readPathMap } from "../../flags/path-map-flag.ts";
import { describe } from "../../help/manual.ts";
import { ExitCode, signals, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { canOpenBrowser } from "../../serve/browser/open-in-browser.ts";
import { type RunInspectOptions, runInspect } from "./run-inspect.ts";

/** As parsed by commander. */
interface InspectFlags {
  readonly asAgent?: true;
  readonly port?: number;
  readonly lock?: string;
  readonly listenPort?: number;
  readonly web?: boolean;
  readonly webPort?: number;
  readonly open: boolean;
  readonly record?: string;
  readonly json?: true;
  readonly pathMap?: readonly PathMapFlag[];
}

/** `idewire inspect`; `onExit` gets the exit code. */
export function createInspectCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("inspect")
    .argument("[folder]", "the folder whose editor to inspect", ".")
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
    .option("--json", "print events as lines of JSON");
  describe(command, {
    description: [
      "Finds the editor of the folder as an agent does, and acts as its proxy: it has its own lock file and token, and connects each agent to the editor, byte by byte. Frames pass unchanged, including fragments, pings, binary and broken frames and close codes; only the host and the token of the upgrade differ. The proxy sends nothing of its own to either end.",
      "The editor's lock file is not touched, so the folder has two lock files while this runs. Claude Code connects here if it is started with CLAUDE_CODE_SSE_PORT, as printed; without it, it does not connect on its own. opencode uses the newest file, which is this one. Agents that are already connected stay connected to the editor.",
      "With --as-agent it is an agent itself: in the page you can list the tools, call them by a form or as JSON, and edit and resend any frame. As a proxy of a real agent it sends nothing: a forged answer could make the agent write a file.",
      "Without a page or a recording, each frame is printed as a line. When the editor closes, its connections end as they would without the proxy; the proxy looks for it again when the next agent connects.",
      "The page and this terminal show frames unchanged, except for the tokens of editor and proxy. A recording also omits all other tokens, home directories and names; it includes the texts of files.",
    ],
    hint: "It inspects the editor of a folder; an MCP server, such as a command after --, is used by idewire mcp.",
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
      ["idewire inspect --json | jq 'select(.event == \"frame\") | .method'", "for programs"],
    ],
  });
  return command.action(async (folder: string, flags: InspectFlags) => {
    if (/^https?:/i.test(folder)) {
      command.error(
        "error: expected the folder of an editor; an MCP server is used by idewire mcp",
      );
    }
    if (flags.asAgent && flags.listenPort !== undefined) {
      command.error("error: --listen-port is for agents, and --as-agent accepts no agents");
    }
    if (flags.port !== undefined && flags.lock !== undefined) {
      command.error("error: --port and --lock each name an editor: give one of them");
    }
    onExit(await runInspect(await toOptions(folder, flags, io), io));
  });
}

async function toOptions(
  folder: string,
  flags: InspectFlags,
  io: CliIo,
): Promise<RunInspectOptions> {
  const { port, lock, listenPort, web, webPort, open, record, json = false } = flags;
  const cwd = resolve(io.cwd, folder);
  const sits = io.stdin.isTTY === true && io.stdout.isTTY === true;
  const isShown = web ?? (webPort !== undefined || (sits && !json && canOpenBrowser(io.env)));
  return {
    search: {
      ...{ cwd, env: io.env, port },
      pathMap: await readPathMap(flags.pathMap, io, "agent"),
      ...(lock !== undefined && { lockFile: resolve(io.cwd, lock) }),
    },
    mode: flags.asAgent ? "agent" : "proxy",
    listenPort,
    json,
    ...(record !== undefined && { record: resolve(io.cwd, record) }),
    ...(isShown && {
      page: { open: open && sits && !json, ...(webPort !== undefined && { port: webPort }) },
    }),
  };
}
