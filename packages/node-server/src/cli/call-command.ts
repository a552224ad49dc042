import { text as readAll } from "node:stream/consumers";
import { type ContentBlock, isObject, type Params } from "@idewire/core";
import { Command } from "commander";
import { connectIde } from "../agent/connect.ts";
import { readVersion } from "../version.ts";
import { explainError } from "./explain-error.ts";
import type { CliIo } from "./io.ts";
import { createPrinter, type Printer } from "./print.ts";
import { createStop } from "./stop.ts";
import { line } from "./terminal/printable.ts";
import { cwdOption, workingFolder } from "./working-folder.ts";

const EXAMPLES = `
Examples:
  $ idewire call getWorkspaceFolders
  $ idewire call openFile '{"filePath":"/home/me/notes/plan.md"}'
  $ idewire call openDiff - < proposal.json     waits for the answer
  $ idewire call getDiagnostics --json | jq .content

Exit codes: 0 for a result, 1 when there is no editor or it refuses, 2 for a
wrong command line, 3 when the tool failed, 130 after Ctrl-C.
`;

/** The tool ran, and says that it failed. */
const TOOL_FAILED = 3;

interface Flags {
  readonly cwd?: string;
  readonly json?: true;
}

/** `idewire call`; `onExit` gets the exit code. */
export function createCallCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("call")
    .description("Call a tool of the editor, as an agent would.")
    .argument("<tool>", "its name")
    .argument("[json]", "its arguments, a JSON object; - for stdin", "{}")
    .addOption(cwdOption())
    .option("--json", "print the whole result as JSON")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES);
  return command.action(async (tool: string, json: string, flags: Flags) => {
    const args = parseArguments(json === "-" ? await readAll(io.stdin) : json);
    if (typeof args === "string") command.error(`error: ${args}`);
    else onExit(await call(tool, args, { io, flags }));
  });
}

/** The arguments, or what is wrong with them. */
function parseArguments(json: string): Params | string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return `the arguments are not JSON: ${(error as Error).message}`;
  }
  return isObject(value) ? value : "the arguments have to be a JSON object";
}

async function call(
  tool: string,
  args: Params,
  { io, flags }: { readonly io: CliIo; readonly flags: Flags },
): Promise<number> {
  const printer = createPrinter(io);
  const stop = createStop(io);
  try {
    const ide = await connectIde({
      info: { name: "idewire", version: readVersion() },
      cwd: workingFolder(io, flags.cwd),
      env: io.env,
      reconnect: false,
    });
    try {
      const patience = { timeoutMs: Number.POSITIVE_INFINITY, signal: stop.signal };
      const result = await ide.callTool(tool, args, patience);
      if (flags.json) printer.json(result);
      else for (const item of result.content) show(item, printer);
      return result.isError === true ? TOOL_FAILED : 0;
    } finally {
      await ide.close();
    }
  } catch (error) {
    if (stop.signal.aborted) return await stop.requested;
    for (const words of explainError(error).split("\n")) printer.fail(line`idewire: ${words}`);
    return 1;
  } finally {
    stop.close();
  }
}

function show(item: ContentBlock, { say, json }: Printer): void {
  if (item.type !== "text") json(item);
  else for (const words of item.text.split(/\r?\n/)) say(line`${words}`);
}
