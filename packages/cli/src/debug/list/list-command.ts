import { allDialects } from "@idewire/core";
import { claudeDiscovery, jetBrainsDiscovery } from "@idewire/core/internal";
import { findEditors } from "@idewire/node-server";
import type { EditorFile } from "@idewire/node-server/internal";
import { placeAnswers } from "@idewire/node-server/internal";
import { Command } from "commander";
import {
  AGENT_VARIABLES,
  type AgentFlags,
  addAgentFlags,
  readAgentFlags,
} from "../../flags/agent-flags.ts";
import { describe } from "../../help/manual.ts";
import { createPrinter } from "../../output/print.ts";
import { join, line } from "../../output/printable.ts";
import { ExitCode, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { listAsked } from "./list-asked.ts";
import { type ListedEditor, show } from "./listed-editor.ts";

/** `idewire list`; `onExit` gets the exit code. */
export function createListCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("list");
  describe(addAgentFlags(command, "print one JSON object"), {
    description: [
      "Reads the lock files as agents do, newest first, and shows for each whether its editor is running and whether it is for the working directory. The files that other agents read, and Claude Code does not, come last, then the editors that agents ask which know the place without a file. No token is printed.",
    ],
    exits: [[ExitCode.Ok, "an editor is running"], [ExitCode.Failed, "none is"], usage],
    environment: [...AGENT_VARIABLES],
    files: [
      "~/.claude/ide/<port>.lock",
      "~/.claude-code/<port>.json",
      "~/.copilot/ide/<name>.lock",
    ],
    examples: [
      ["idewire list", "which editors can be reached, and why others cannot"],
      ["idewire list --json", "the same for programs: one object"],
    ],
  });
  return command.action(async (flags: AgentFlags) => {
    const { cwd, directories, files } = await search(flags, io);
    const asked = flags.pathMap === undefined ? await listAsked(io.env, cwd, files) : [];
    const editors = [...(await Promise.all(files.map(describeFile))), ...asked];
    const printer = createPrinter(io);
    if (flags.json) printer.json({ cwd, directories, editors });
    else if (editors.length > 0) for (const editor of editors) show(editor, printer);
    else {
      const paths = directories.map(({ path }) => path);
      printer.print(line`There is no lock file in ${join(paths, " and ")}`);
    }
    const isLive = editors.some(({ state }) => state === "live");
    onExit(isLive ? ExitCode.Ok : ExitCode.Failed);
  });
}

/** The families other than that of Claude Code. */
const OTHER_FORMATS = [
  jetBrainsDiscovery,
  ...allDialects.flatMap(({ endpoint: { discovery = claudeDiscovery } }) =>
    discovery === claudeDiscovery ? [] : [discovery],
  ),
];

/** The files of all families of agents. */
async function search(flags: AgentFlags, io: CliIo) {
  const from = await readAgentFlags(flags, io);
  const claude = await findEditors(from);
  const others = await Promise.all(OTHER_FORMATS.map((format) => findEditors({ ...from, format })));
  // A directory that does not exist is listed only if Claude Code looks there.
  const directories = others
    .flatMap((other) => other.directories)
    .filter(({ error }) => error === undefined);
  return {
    cwd: claude.cwd,
    directories: [...claude.directories, ...directories],
    files: [...claude.files, ...others.flatMap((other) => other.files)],
  };
}

async function describeFile(file: EditorFile): Promise<ListedEditor> {
  const { path, port, lock, folder, elsewhere, host } = file;
  const { socketPath } = lock ?? {};
  const stale = file.stale ?? (await findSilence({ port, socketPath, host }));
  const reason = stale ?? elsewhere;
  return {
    state: stale === undefined ? "live" : "stale",
    here: folder !== undefined,
    lockFile: path,
    ...(lock !== undefined && { name: lock.ideName ?? "IDE", folders: lock.workspaceFolders }),
    ...(port !== undefined && { port }),
    ...(socketPath !== undefined && { socketPath }),
    ...(lock?.pid !== undefined && { pid: lock.pid }),
    ...(lock?.inspects !== undefined && { inspects: lock.inspects }),
    ...reason,
  };
}

/** A process may outlive its editor. */
async function findSilence({
  port,
  socketPath,
  host,
}: {
  readonly port: number | undefined;
  readonly socketPath: string | undefined;
  readonly host: string;
}) {
  if (socketPath !== undefined) {
    if (await placeAnswers({ socketPath })) return undefined;
    return { code: "silent-socket", why: `nothing answers at ${socketPath}` };
  }
  if (port === undefined || (await placeAnswers({ port, host }))) return undefined;
  const where = host === "127.0.0.1" ? "" : ` of ${host}`;
  return { code: "silent-port", why: `nothing answers on port ${port}${where}` };
}
