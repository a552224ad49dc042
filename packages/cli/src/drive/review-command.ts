import { resolve } from "node:path";
import { messageOf } from "@idewire/core/internal/base";
import type { Peer } from "@idewire/core/rpc";
import { Command, InvalidArgumentError } from "commander";
import { describe } from "../help/manual.ts";
import { complain, createPrinter } from "../output/print.ts";
import { line } from "../output/printable.ts";
import { ExitCode, signals, usage } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { isInteractive } from "../serve/terminal/prompt/prompt.ts";
import { withEditor } from "./control-client.ts";
import { LIST_DIFFS, listedDiffs } from "./review-protocol.ts";

interface Flags {
  readonly cwd?: string;
  readonly json?: true;
}

const CWD = [
  "--cwd <folder>",
  "look for the editor of this folder instead of the current one",
] as const;

/** `idewire diffs`; `onExit` gets the exit code. */
export function createDiffsCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("diffs").option(...CWD).option("--json", "print an array as JSON");
  describe(command, {
    description: [
      "For each: its number, the file, the agent. Edits that an agent has written without a review follow as e1, e2 and so on. Reaches the idewire serve or idewire run of the folder, or of the nearest folder above it.",
    ],
    exits: [
      [ExitCode.Ok, "they were listed, or none is pending"],
      [ExitCode.Failed, "no editor serves the folder, or it shows its diffs itself"],
      usage,
    ],
    environment: ["HOME", "XDG_STATE_HOME"],
    files: ["~/.local/state/idewire/"],
    examples: [["idewire diffs", "the pending diffs of this folder"]],
  });
  return command.action(async (flags: Flags) => {
    onExit(await ask("diffs", flags, io, (peer) => list(peer, flags, io)));
  });
}

async function list(peer: Peer, { json }: Flags, io: CliIo): Promise<number> {
  const result = listedDiffs.parse(await peer.request(LIST_DIFFS, {}));
  if (!result.ok) throw new Error(`the editor listed no diffs: ${result.issue}`);
  const { diffs, edits } = result.value;
  const printer = createPrinter(io);
  if (json) {
    printer.json([...diffs, ...edits]);
    return ExitCode.Ok;
  }
  if (diffs.length + edits.length === 0) printer.print(line`No diff is pending.`);
  for (const { number, path, agent } of diffs) printer.print(line`${number}  ${path}  ${agent}`);
  for (const { edit, path, agent, added, removed } of edits)
    printer.print(
      line`${edit}  ${path}  ${agent}  +${added} -${removed}, written without a review`,
    );
  return ExitCode.Ok;
}

/** `idewire review`; `onExit` gets the exit code. */
export function createReviewCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("review")
    .argument("<number>", "which one, by idewire diffs: 1, or e1", parseNumber)
    .option(...CWD);
  describe(command, {
    description: [
      "Shows the whole diff, then takes accept, edit, reject, or review for its hunks; help lists all. It asks in a terminal only, and not for a program that a connected agent has started: there is no command that accepts a diff unseen.",
      "An edit that came without a review (e1) is shown hunk by hunk: each is kept or undone, whatever else has changed in the file; t undoes everything that the agent has written since your last prompt.",
    ],
    exits: [
      [ExitCode.Ok, "it was answered, here or elsewhere"],
      [ExitCode.Failed, "it is still pending, or there is no such diff"],
      usage,
      ...signals,
    ],
    environment: ["HOME", "XDG_STATE_HOME", "VISUAL, EDITOR", "PAGER", "NO_COLOR", "FORCE_COLOR"],
    files: ["~/.local/state/idewire/"],
    examples: [
      ["idewire review 1", "show the diff number 1, and answer it"],
      ["idewire review e1", "keep or undo the hunks of the first edit without a review"],
    ],
  });
  return command.action(async (number: number | string, flags: Flags) => {
    const run = async (peer: Peer) => {
      if (!isInteractive(io)) throw new Error("a diff is shown and answered in a terminal only");
      const { reviewDiff, reviewEdit } = await import("./review-client.ts");
      return typeof number === "string"
        ? reviewEdit(number, peer, io)
        : reviewDiff(number, peer, io);
    };
    onExit(await ask("review", flags, io, run));
  });
}

async function ask(
  name: string,
  { cwd = "." }: Flags,
  io: CliIo,
  run: (peer: Peer) => Promise<number>,
): Promise<number> {
  try {
    return await withEditor(io.env, [resolve(io.cwd, cwd)], run);
  } catch (error) {
    complain(io, messageOf(error), `idewire ${name}`);
    return ExitCode.Failed;
  }
}

function parseNumber(text: string): number | string {
  if (/^e[1-9]\d{0,8}$/.test(text)) return text;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected the number of a diff.");
}
