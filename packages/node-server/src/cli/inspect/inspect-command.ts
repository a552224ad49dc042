import { resolve } from "node:path";
import { Command } from "commander";
import { canOpenBrowser } from "../browser/open-in-browser.ts";
import { AGENT_VARIABLES } from "../flags/agent-flags.ts";
import { parsePort } from "../flags/listen-flags.ts";
import { type PathMapFlag, pathMapOption, readPathMap } from "../flags/path-map-flag.ts";
import { describe } from "../help/manual.ts";
import type { CliIo } from "../process/io.ts";
import { type RunInspectOptions, runInspect } from "./run-inspect.ts";

/** What commander gives. */
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
    .description("Look on while an agent and its editor talk, or talk to the editor yourself.")
    .argument("[folder]", "the folder whose editor is meant", ".")
    .option("--as-agent", "connect to the editor as an agent, and stand in front of nobody")
    .option("--port <number>", "the editor on this port, whatever its folders are", parsePort)
    .option("--lock <file>", "the editor of this lock file")
    .option("--listen-port <number>", "where agents come to (default: any free one)", parsePort)
    .option("--web", "show the frames in a browser page (default at a terminal with a browser)")
    .option("--no-web", "show them here")
    .option("--web-port <number>", "the port of the page (default: any free one)", parsePort)
    .option("--no-open", "print the address of the page, and open no browser")
    .option("--record <file>", "write the frames to a file, without tokens and names")
    .addOption(pathMapOption())
    .option("--json", "print what happens as lines of JSON");
  describe(command, {
    description: [
      "Finds the editor of the folder as an agent does, and stands in front of it: it has a lock file and a token of its own, and joins each agent that comes with the editor, byte by byte. Frames pass as they are, with their pieces, pings, binary and broken ones and close codes; only the host and the token of the upgrade are others. It says nothing of its own to either end.",
      "The editor's lock file is not touched, so that two are for the folder while this runs. Claude Code comes here when it is started with CLAUDE_CODE_SSE_PORT, as is printed; started without, it connects to neither by itself. opencode takes the newest, which is this one. Agents that were connected before stay with the editor.",
      "With --as-agent it is an agent itself, and from the page you can ask for the tools, call them by a form or as JSON, and edit any frame and send it again. In front of a real agent nothing can be sent: an answer that is nobody's could make the agent write a file.",
      "Without page and recording each frame is a line here. When the editor goes, its connections end as without this; it is looked for again when the next agent comes.",
      "A page and this terminal show frames to the letter, but for the tokens of editor and inspection. A recording has no tokens, home directories and names either; texts of files stay.",
    ],
    environment: [...AGENT_VARIABLES],
    files: ["~/.claude/ide/<port>.lock"],
    examples: [
      ["idewire inspect", "then start the agent as it says"],
      ["idewire inspect notes --record day.jsonl", "a trace, which the playground opens"],
      ["idewire inspect --port 41234 --web", "one of several editors, in the browser"],
      ["idewire inspect --as-agent --web", "try the editor's tools by hand"],
      ["idewire inspect --json | jq 'select(.event == \"frame\") | .method'", "for programs"],
    ],
  });
  return command.action(async (folder: string, flags: InspectFlags) => {
    if (flags.asAgent && flags.listenPort !== undefined) {
      command.error("error: --listen-port is for agents that come, and --as-agent lets none come");
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
