import { claudeCode } from "@idewire/core";
import type { ToolDescription } from "@idewire/core/client";
import { type BoundTool, compileInput, exactly, textResult } from "@idewire/core/internal";
import type { McpServer } from "@idewire/core/server";
import * as v from "valibot";
import { BenchHost } from "./bench-host.ts";
import { fillerNames, toolTexts } from "./tool-texts.ts";

/**
 * Adds `echo` and the filler tools in this project's style.
 * @param reports whether `echo` reports progress
 */
export function addTools(server: McpServer<undefined>, toolCount: number, reports = false): void {
  const { description } = echo;
  server.tool("echo", { description, input: echo.input }, ({ text }, call) => {
    if (reports) call.progress({ progress: 1 });
    return text;
  });
  for (const name of fillerNames(toolCount)) {
    const options = { description: toolTexts.filler, input: fillerSchema };
    server.tool(name, options, ({ filePath }) => filePath);
  }
}

/** The same tools in a dialect. */
export function createTools(toolCount: number): readonly BoundTool[] {
  const run = (args: unknown) => textResult((args as { readonly text: string }).text);
  const fillers = fillerNames(toolCount).map((name) => ({
    name,
    description: toolTexts.filler,
    input: fillerSchema,
    run: (args: unknown) => textResult((args as FillerArguments).filePath),
  }));
  return [{ ...echo, run }, ...fillers];
}

interface FillerArguments {
  readonly filePath: string;
  readonly line?: number;
  readonly preview?: boolean;
}

const fillerSchema = exactly<FillerArguments>()(
  v.object({
    filePath: v.pipe(v.string(), v.description(toolTexts.filePath)),
    line: v.exactOptional(v.pipe(v.number(), v.description(toolTexts.line))),
    preview: v.exactOptional(v.pipe(v.boolean(), v.description(toolTexts.preview))),
  }),
);

const echo = {
  name: "echo",
  description: toolTexts.echo,
  input: exactly<{ readonly text: string }>()(v.object({ text: v.string() })),
};

/** The real `openDiff` of Claude Code's dialect. */
export function createOpenDiff(host: BenchHost): readonly BoundTool[] {
  const tools = claudeCode.createTools(host, "posix");
  return tools.filter(({ name }) => name === "openDiff");
}

/** The list on the wire: the same for the floor as for ours. */
export function describeTools(toolCount: number): readonly ToolDescription[] {
  const tools = [...createOpenDiff(new BenchHost("/vault")), ...createTools(toolCount)];
  return tools.map(({ input, run: _, listed: __, ...tool }) => ({
    ...tool,
    inputSchema: compileInput(tool.name, input).jsonSchema,
  }));
}
