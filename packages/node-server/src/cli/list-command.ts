import { Command } from "commander";
import type { EditorFile } from "../discovery/editor-file.ts";
import { findEditors } from "../discovery/find-editors.ts";
import { portAnswers } from "../liveness.ts";
import type { CliIo } from "./io.ts";
import { createPrinter, type Printer } from "./print.ts";
import { join, line } from "./terminal/printable.ts";
import { cwdOption, workingFolder } from "./working-folder.ts";

const EXAMPLES = `
Examples:
  $ idewire list                who could be reached, and who not and why
  $ idewire list --json         the same for programs: one object

Exit codes: 0 when an editor lives, 1 when none does, 2 for a wrong command
line.
`;

/** One lock file, as `list` tells it: never with its token. */
interface Listed {
  readonly state: "live" | "stale";
  /** It is for the working directory. */
  readonly here: boolean;
  readonly lockFile: string;
  readonly name?: string;
  readonly port?: number;
  readonly pid?: number;
  readonly folders?: readonly string[];
  /** Why it is stale, or not for the working directory. */
  readonly code?: string;
  readonly why?: string;
}

/** `idewire list`; `onExit` gets the exit code. */
export function createListCommand(io: CliIo, onExit: (code: number) => void): Command {
  return new Command("list")
    .description("Show the editors of this machine, live or stale, and why.")
    .addOption(cwdOption())
    .option("--json", "print one JSON object")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: { readonly cwd?: string; readonly json?: true }) => {
      const search = await findEditors({ cwd: workingFolder(io, flags.cwd), env: io.env });
      const editors = await Promise.all(search.files.map(describeFile));
      const printer = createPrinter(io);
      const { cwd, directories } = search;
      if (flags.json) printer.json({ cwd, directories, editors });
      else if (editors.length > 0) for (const editor of editors) show(editor, printer);
      else
        printer.say(
          line`There is no lock file in ${join(
            directories.map(({ path }) => path),
            " and ",
          )}`,
        );
      onExit(editors.some(({ state }) => state === "live") ? 0 : 1);
    });
}

async function describeFile(file: EditorFile): Promise<Listed> {
  const { path, port, lock, folder, elsewhere } = file;
  const stale = file.stale ?? (await findSilence(port));
  const reason = stale ?? elsewhere;
  return {
    state: stale === undefined ? "live" : "stale",
    here: folder !== undefined,
    lockFile: path,
    ...(lock !== undefined && { name: lock.ideName ?? "IDE", folders: lock.workspaceFolders }),
    ...(port !== undefined && { port }),
    ...(lock?.pid !== undefined && { pid: lock.pid }),
    ...reason,
  };
}

/** A process may live on when its editor has closed. */
async function findSilence(port: number | undefined) {
  if (port === undefined || (await portAnswers(port))) return undefined;
  return { code: "silent-port", why: `nothing answers on port ${port}` };
}

function show(editor: Listed, { palette, say }: Printer): void {
  const { state, here, name = "?", port = 0, pid, folders = [], why } = editor;
  const isLive = state === "live";
  const sign = isLive ? palette.good("●") : palette.bad("✗");
  const owner = pid === undefined ? "" : `, process ${pid}`;
  const place = here && isLive ? palette.good(", for this folder") : "";
  say(line`${sign} ${palette.bold(name)} ${state}: port ${port || "unknown"}${owner}${place}`);
  if (why !== undefined) say(line`    ${isLive ? "not for this folder: " : ""}${why}`);
  else for (const folder of folders) say(line`    ${folder}`);
  say(palette.dim(line`    ${editor.lockFile}`));
}
