import { messageOf } from "@idewire/core/internal/base";
import { line } from "../../../output/printable.ts";
import type { ReviewContext, TerminalCommand } from "./commands.ts";
import type { LineSource } from "./prompt.ts";

/**
 * Runs the typed lines one after the other. The end of the input stops the command, unless the input was empty,
 * as under a service manager.
 */
export async function runTyped<C extends ReviewContext>(
  prompt: LineSource,
  terminal: C,
  commands: readonly TerminalCommand<C>[],
): Promise<void> {
  let outputAnything = false;
  for (;;) {
    const typed = await prompt.next();
    if (typed === undefined || terminal.stop.signal.aborted) break;
    outputAnything ||= typed.trim() !== "";
    await runLine(typed.trim(), terminal, commands);
    terminal.diffs.lineDone();
  }
  if (outputAnything || prompt.isInteractive) terminal.stop.request(0);
}

async function runLine<C extends ReviewContext>(
  typed: string,
  terminal: C,
  commands: readonly TerminalCommand<C>[],
): Promise<void> {
  if (typed === "") return;
  if (terminal.edits.takes(typed)) return carryOut(() => terminal.edits.answer(typed), terminal);
  if (terminal.review.takes(typed)) return carryOut(() => terminal.review.answer(typed), terminal);
  const [, name = "", argument = ""] = /^(\S+)\s*(.*)$/s.exec(typed) ?? [];
  const command = commands.find((known) => known.name === name);
  const { screen, palette } = terminal;
  if (command === undefined) {
    screen.print(line`${palette.warning(`There is no command ${name}.`)} Type help.`);
    return;
  }
  await carryOut(() => command.run(argument, terminal), terminal);
}

async function carryOut(run: () => unknown, { screen, palette }: ReviewContext): Promise<void> {
  try {
    await run();
  } catch (error) {
    const message = messageOf(error);
    screen.print(palette.warning(message));
  }
}
