import { openFolderEndpoint } from "@idewire/node-server/internal";
import { realFolder } from "@idewire/node-server/internal/files";
import { Command } from "commander";
import { workingFolder } from "../../flags/agent-flags.ts";
import { type PathMapFlag, pathMapOption, readPathMap } from "../../flags/path-map-flag.ts";
import { describe } from "../../help/manual.ts";
import { createPrinter, logLines, openStdio } from "../../output/print.ts";
import { join, line } from "../../output/printable.ts";
import { ExitCode, signals, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { runUntilStopped } from "../../process/run-until-stopped.ts";
import type { Stop } from "../../process/stop.ts";
import type { Bridge } from "./create-bridge.ts";

/** As parsed by commander. */
interface BridgeFlags {
  readonly http?: true;
  readonly pick?: string;
  readonly write?: true;
  readonly pathMap?: readonly PathMapFlag[];
}

/** `idewire bridge`; `onExit` gets the exit code. */
export function createBridgeCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("bridge")
    .argument("[folder]", "the folder that the editor is for", ".")
    .option("--http", "serve over Streamable HTTP instead of stdin and stdout")
    .option("--pick <editor>", "choose among several editors, by a part of the name or by the port")
    .option("--write", "write the changes that you accept; otherwise the agent must write them")
    .addOption(pathMapOption());
  describe(command, {
    description: [
      "For agents and desktop apps that support MCP but cannot connect to an editor: they get the editor's tools, and its selection, open documents and diagnostics as resources. The editor still decides what is shared, and you review each diff there.",
      "The editor may start later, or restart; until then the tools return instructions. With --http, clients need a token, which is stored in a file; port and token stay the same from run to run.",
    ],
    exits: [
      [ExitCode.Ok, "the agent has disconnected"],
      [ExitCode.Failed, "it could not start"],
      usage,
      ...signals,
    ],
    environment: ["HOME", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SSE_PORT", "XDG_STATE_HOME"],
    files: ["~/.claude/ide/<port>.lock", "~/.local/state/idewire/"],
    examples: [
      ["codex mcp add editor -- npx idewire bridge ~/notes", "for Codex"],
      ["gemini mcp add editor npx idewire bridge ~/notes", "for Gemini CLI"],
      ["idewire bridge ~/notes --http", "for programs that connect to an address"],
      ["idewire bridge --pick Obsidian", "choose one of two editors for this folder"],
    ],
  });
  return command.action(async (folder: string, flags: BridgeFlags) =>
    onExit(await serve(folder, flags, io)),
  );
}

function serve(folder: string, flags: BridgeFlags, io: CliIo): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const cwd = await realFolder(workingFolder(io, folder));
    const pathMap = await readPathMap(flags.pathMap, io, "agent");
    // Editors in memory and tasks are loaded only for this command.
    const { createBridge } = await import("./create-bridge.ts");
    const bridge = createBridge({
      cwd,
      env: io.env,
      pathMap,
      pick: flags.pick,
      write: flags.write === true,
    });
    void follow(bridge, io);
    // Both ends have their time to disconnect at once.
    void stop.requested.then(() => bridge.close());
    try {
      if (flags.http === true) return await serveHttp(bridge, { cwd, stop, io });
      return await serveStdio(bridge, stop, io);
    } finally {
      await bridge.close();
    }
  });
}

/** Looks for the editor, and reports its state on stderr. */
async function follow({ editor }: Bridge, io: CliIo): Promise<void> {
  const { fail } = createPrinter(io);
  editor.on("came", ({ name, port = 0 }) => fail(line`Bridge to ${name} on port ${port}`));
  editor.on("went", (name) => fail(line`${name} was closed; waiting for it`));
  editor.on("several", (editors) => {
    const names = editors.map(({ name, port }) => `${name} on port ${port}`);
    fail(line`Several editors are for this folder; using the first of ${join(names, "; ")}`);
    fail(line`To choose another, pass --pick with a part of its name, or its port.`);
  });
  const why = await editor.start();
  if (why !== undefined) logLines(io, `${why}\nWaiting for it.`);
}

async function serveStdio({ server }: Bridge, stop: Stop, io: CliIo): Promise<number> {
  const transport = openStdio(io);
  const client = server.connect(transport, { context: undefined });
  void client.peer.closed.then(() => stop.request(ExitCode.Ok));
  const code = await stop.requested;
  server.endSubscriptions();
  transport.close();
  await client.peer.closed;
  return code;
}

interface HttpPlace {
  readonly cwd: string;
  readonly stop: Stop;
  readonly io: CliIo;
}

async function serveHttp({ server }: Bridge, place: HttpPlace): Promise<number> {
  const { cwd: folder, stop, io } = place;
  const options = { server, context: undefined, folder, env: io.env, kind: "bridge" } as const;
  const { endpoint, record, moved, close } = await openFolderEndpoint(options);
  const { fail } = createPrinter(io);
  if (moved) fail(line`Another program uses the port of the last run.`);
  fail(line`Serving at ${endpoint.url}`);
  fail(line`Clients need Authorization: Bearer with the token in ${record}`);
  const code = await stop.requested;
  await close();
  return code;
}
