import { type Desk, terminalCommands } from "./commands.ts";
import { line } from "./printable.ts";
import type { Prompt } from "./prompt.ts";

/**
 * Carries out what is typed, one line after the other. Once the input ends so does the command,
 * unless it was empty: then nobody was there to begin with, as under a service manager.
 */
export async function runTyped(prompt: Prompt, desk: Desk): Promise<void> {
  let saidAnything = false;
  for (;;) {
    const typed = await prompt.next();
    if (typed === undefined || desk.stop.signal.aborted) break;
    saidAnything ||= typed.trim() !== "";
    await runLine(typed.trim(), desk);
    desk.diffs.lineDone();
  }
  if (saidAnything || prompt.isInteractive) desk.stop.request(0);
}

async function runLine(typed: string, desk: Desk): Promise<void> {
  if (typed === "") return;
  if (desk.review.takes(typed)) return carryOut(() => desk.review.answer(typed), desk);
  const [, name = "", argument = ""] = /^(\S+)\s*(.*)$/s.exec(typed) ?? [];
  const command = terminalCommands.find((known) => known.name === name);
  const { screen, palette } = desk;
  if (command === undefined) {
    screen.print(line`${palette.warning(`There is no command ${name}.`)} Type help.`);
    return;
  }
  await carryOut(() => command.run(argument, desk), desk);
}

async function carryOut(run: () => unknown, { screen, palette }: Desk): Promise<void> {
  try {
    await run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    screen.print(palette.warning(message));
  }
}
