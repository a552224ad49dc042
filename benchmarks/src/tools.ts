import { claudeCode, type IdeSession } from "@idewire/core";
import type { ToolDescription } from "@idewire/core/client";
import { exactly } from "@idewire/core/internal";
import { defineTool, type Tool, textResult, valibotInput } from "@idewire/core/server";
import * as v from "valibot";
import { BenchHost } from "./bench-host.ts";
import { fillerNames, toolTexts } from "./tool-texts.ts";

/**
 * `echo` and the fillers, as this project writes a tool.
 * @param reports whether `echo` reports its progress
 */
export function createTools<Context>(toolCount: number, reports = false): readonly Tool<Context>[] {
  const echo = defineTool<{ readonly text: string }, Context>({
    name: "echo",
    description: toolTexts.echo,
    input: valibotInput(exactly<{ readonly text: string }>()(v.object({ text: v.string() }))),
    run(args, _, call) {
      if (reports) call.progress({ progress: 1 });
      return textResult(args.text);
    },
  });
  const fillers = fillerNames(toolCount).map((name) =>
    defineTool<FillerArguments, Context>({
      name,
      description: toolTexts.filler,
      input: valibotInput(fillerSchema),
      run: ({ filePath }) => textResult(filePath),
    }),
  );
  return [echo, ...fillers];
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

/** The real `openDiff` of Claude Code's dialect. */
export function createOpenDiff(host: BenchHost): readonly Tool<IdeSession>[] {
  const tools = claudeCode.createTools(host, "posix");
  return tools.filter((tool) => tool.description.name === "openDiff");
}

/** The list as it goes over the wire: the same for the floor as for us. */
export function describeTools(toolCount: number): readonly ToolDescription[] {
  const tools = [...createOpenDiff(new BenchHost("/vault")), ...createTools<IdeSession>(toolCount)];
  return tools.map((tool) => tool.description);
}
