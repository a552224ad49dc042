import type { Dialect } from "@idewire/core";
import type { EditorMention, EditorSelection, IdeConnection } from "@idewire/node-server";
import { connectIde } from "@idewire/node-server";
import { Command } from "commander";
import {
  AGENT_VARIABLES,
  type AgentFlags,
  addAgentFlags,
  familyOption,
  readAgentFlags,
} from "../../flags/agent-flags.ts";
import { describe } from "../../help/manual.ts";
import { createLineDropper } from "../../output/drop-lines.ts";
import { createPrinter, type Printer } from "../../output/print.ts";
import { line, shorten } from "../../output/printable.ts";
import { ExitCode, signals, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { runUntilStopped } from "../../process/run-until-stopped.ts";
import { readVersion } from "../../process/version.ts";

interface TailFlags extends AgentFlags {
  readonly agent?: Dialect;
}

/** `idewire tail`; `onExit` gets the exit code. */
export function createTailCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("tail");
  describe(addAgentFlags(command, "print events as lines of JSON").addOption(familyOption()), {
    description: [
      "Prints a line for each selection, mention and notification, until stdout is closed. It reconnects when the editor restarts.",
      "Lines of files count from 1, and from 0 in JSON.",
      "With --agent gemini or qwen it receives what that agent receives, over HTTP: the whole state at each change, and no mention. With --agent copilot, over the editor's socket: the selection, and each mention as a notification.",
    ],
    exits: [
      [ExitCode.Ok, "the reader closed stdout"],
      [ExitCode.Failed, "there is no editor"],
      usage,
      ...signals,
    ],
    environment: [...AGENT_VARIABLES],
    files: ["~/.claude/ide/<port>.lock"],
    examples: [
      ["idewire tail", "what the editor of this folder sends"],
      ["idewire tail --agent gemini", "what it sends Gemini CLI"],
      ["idewire tail --agent copilot", "what it sends Copilot CLI"],
      [`idewire tail --json | jq 'select(.event == "selection")'`, "for programs"],
    ],
  });
  return command.action(async (flags: TailFlags) => onExit(await tail(flags, io)));
}

function tail(flags: TailFlags, io: CliIo): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const info = { name: "idewire", version: readVersion() };
    const { agent: dialect } = flags;
    const ide = await connectIde({
      ...{ ...info, ...(await readAgentFlags(flags, io)) },
      ...(dialect !== undefined && { dialect }),
    });
    const print = flags.json ? emitPrograms : emitPeople;
    print(ide, createBoundedPrinter(io, flags.json === true));
    const code = await stop.requested;
    await ide.close();
    return code;
  });
}

/** If output is read more slowly than the editor sends, lines are dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

function createBoundedPrinter(io: CliIo, isJson: boolean): Printer {
  const printer = createPrinter(io);
  const admits = createLineDropper(io.stdout, MAX_WAITING_BYTES, (lines) => {
    if (isJson) printer.json({ event: "lost", lines });
    else printer.print(line`${lines} lines are missing: they arrived faster than they were read`);
  });
  return {
    ...printer,
    print(text) {
      if (admits()) printer.print(text);
    },
    json(value) {
      if (admits()) printer.json(value);
    },
  };
}

/** Notifications with their own event. */
const KNOWN: ReadonlySet<string> = new Set(["selection_changed", "at_mentioned"]);

function emitPrograms(ide: IdeConnection, { json }: Printer): void {
  const connected = () => {
    const { name, port, socketPath, lockFile, folders } = ide.editor ?? {};
    json({ event: "connected", name, port, socketPath, lockFile, folders });
  };
  connected();
  ide.on("connected", connected);
  ide.on("disconnected", ({ code, reason }, retryInMs) => {
    json({ event: "disconnected", code, reason, retryInMs });
  });
  ide.on("retryFailed", ({ message }, retryInMs) => {
    json({ event: "retry-failed", message, retryInMs });
  });
  ide.on("selection", (selection) => json({ event: "selection", ...selection }));
  ide.on("mention", (mention) => json({ event: "mention", ...mention }));
  ide.on("notification", (method, params) => {
    if (!KNOWN.has(method)) json({ event: "notification", method, params });
  });
}

function emitPeople(ide: IdeConnection, { print, palette }: Printer): void {
  const connected = () => {
    const { name = "", port = 0, socketPath } = ide.editor ?? {};
    const where = socketPath === undefined ? `on port ${port}` : `at ${socketPath}`;
    print(line`${palette.good("→")} ${shorten(name, 40)} ${where}`);
  };
  connected();
  ide.on("connected", connected);
  ide.on("disconnected", ({ code, reason }) => {
    print(
      line`${palette.bad("←")} the editor has disconnected (${code}${reason && `: ${reason}`})`,
    );
  });
  ide.on("retryFailed", ({ message }, retryInMs = 0) => {
    const [why = ""] = message.split("\n");
    print(palette.dim(line`  ${why} Again in ${Math.round(retryInMs / 1000)} s.`));
  });
  ide.on("selection", (selection) => print(line`selected  ${describeSelection(selection)}`));
  ide.on("mention", (mention) => print(line`mentioned ${describeMention(mention)}`));
  ide.on("notification", (method, params) => {
    if (KNOWN.has(method)) return;
    print(palette.dim(line`sent      ${method} ${shorten(JSON.stringify(params ?? {}), 200)}`));
  });
}

function describeSelection(selection: EditorSelection | undefined): string {
  if (selection === undefined) return "nothing";
  const { filePath, text } = selection;
  const { start, end } = selection.selection;
  if (text === "") return `${filePath}:${start.line + 1}`;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const lines = last === start.line ? `${last + 1}` : `${start.line + 1}-${last + 1}`;
  return `${filePath}:${lines}  ${shorten(text.slice(0, 1000).replaceAll(/\s+/g, " ").trim(), 60)}`;
}

function describeMention({ filePath, lines }: EditorMention): string {
  if (lines === undefined) return filePath;
  const { start, end } = lines;
  return `${filePath}:${start + 1}${end === start ? "" : `-${end + 1}`}`;
}
