import { text as readAll } from "node:stream/consumers";
import { describeValue } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { ContentBlock } from "@idewire/core/server";
import type { IdeConnection } from "@idewire/node-server";
import { connectIde } from "@idewire/node-server";
import { mapArguments } from "@idewire/node-server/internal";
import { Command } from "commander";
import {
  AGENT_VARIABLES,
  type AgentFlags,
  addAgentFlags,
  readAgentFlags,
} from "../../flags/agent-flags.ts";
import { describe } from "../../help/manual.ts";
import { createPrinter, type Printer } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { ExitCode, signals, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { runUntilStopped } from "../../process/run-until-stopped.ts";
import { readVersion } from "../../process/version.ts";
import { parseComputedArguments } from "./parse-arguments.ts";

/** `idewire call`; `onExit` gets the exit code. */
export function createCallCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("call")
    .argument("<tool>", "its name")
    .argument("[json]", "its arguments, a JSON object; - for stdin", "{}");
  describe(addAgentFlags(command, "print the whole result as JSON"), {
    description: [
      "Finds the editor of the folder as an agent does, calls one of its tools and prints the result. If the tool asks the person, it waits for the answer.",
      "With --path-map, write paths in the arguments as they are on this machine.",
    ],
    exits: [
      [ExitCode.Ok, "the tool returned a result"],
      [ExitCode.Failed, "there is no editor, or it refuses"],
      usage,
      [ExitCode.ToolFailed, "the tool failed"],
      ...signals,
    ],
    environment: [...AGENT_VARIABLES],
    files: ["~/.claude/ide/<port>.lock"],
    examples: [
      ["idewire call getWorkspaceFolders", "the folders that are open"],
      [`idewire call openFile '{"filePath":"/home/me/notes/plan.md"}'`, "show a file"],
      ["idewire call openDiff - < proposal.json", "propose a change, and wait for the answer"],
      ["idewire call getDiagnostics --json | jq .content", "for programs"],
    ],
  });
  return command.action(async (tool: string, json: string, flags: AgentFlags) => {
    const args = parseComputedArguments(json === "-" ? await readAll(io.stdin) : json);
    if (typeof args === "string") command.error(`error: ${args}`);
    else onExit(await call(tool, args, { io, flags }));
  });
}

function call(
  tool: string,
  args: Params,
  { io, flags }: { readonly io: CliIo; readonly flags: AgentFlags },
): Promise<number> {
  return runUntilStopped(io, async ({ signal }) => {
    const printer = createPrinter(io);
    const search = await readAgentFlags(flags, io);
    const info = { name: "idewire", version: readVersion() };
    const ide = await connectIde({ ...search, ...info, reconnect: false });
    try {
      refuseUnknown(tool, ide);
      const requestOptions = { timeoutMs: Number.POSITIVE_INFINITY, signal };
      const result = await ide.callTool(tool, mapArguments(args, search.pathMap), requestOptions);
      if (flags.json) printer.json(result);
      else for (const item of result.content) show(item, printer);
      return result.isError === true ? ExitCode.ToolFailed : ExitCode.Ok;
    } finally {
      await ide.close();
    }
  });
}

/** @throws Error with the names of the tools */
function refuseUnknown(tool: string, { editor }: IdeConnection): void {
  const names = editor?.tools.map(({ name }) => name) ?? [];
  if (names.length === 0 || names.includes(tool) || UNLISTED.has(tool)) return;
  const { name = "the editor" } = editor ?? {};
  throw new Error(`${name} has no tool ${describeValue(tool)}; it has: ${names.join(", ")}`);
}

/** Claude Code calls these whether they are listed or not. */
const UNLISTED: ReadonlySet<string> = new Set([
  "openDiff",
  "close_tab",
  "closeAllDiffTabs",
  "getDiagnostics",
]);

function show(item: ContentBlock, { print, json }: Printer): void {
  if (item.type !== "text") json(item);
  else for (const words of item.text.split(/\r?\n/)) print(line`${words}`);
}
