import { type Command, Help, type HelpConfiguration } from "commander";
import { createPalette } from "../output/palette.ts";
import type { ExitMeaning } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { type EnvironmentName, environmentFacts, type FileName, fileFacts } from "./facts.ts";

/** The help of a command, apart from its summary, arguments and options. */
export interface HelpPage {
  /** Paragraphs. */
  readonly description?: readonly string[];
  /** The exit codes of the command, and of its subcommands without their own list. */
  readonly exits?: readonly ExitMeaning[];
  /** Advice after a wrong command line. */
  readonly hint?: string;
  readonly environment?: readonly EnvironmentName[];
  readonly files?: readonly FileName[];
  /** A command line and its purpose. */
  readonly examples?: readonly (readonly [command: string, words: string])[];
}

const pages = new WeakMap<Command, HelpPage>();

/** Sets the page of a command. */
export function describe(command: Command, page: HelpPage): Command {
  pages.set(command, page);
  return command.helpOption("-h, --help", "print this help");
}

/** Sets the summary of a command, which is also the first paragraph of its description. */
export function introduce(command: Command, summary: string): Command {
  const { description = [] } = pages.get(command) ?? {};
  const first = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return command.summary(summary).description([first, ...description].join("\n\n"));
}

/** Answers a wrong command line with the usage. */
export function showUsageAfterError(command: Command): void {
  const path = pathOf(command);
  const { hint } = pages.get(command) ?? {};
  // The hint of a group names its commands.
  if (hint !== undefined && command.commands.length > 0) command.showSuggestionAfterError(false);
  const usage = `Usage: ${new Help().commandUsage(command)}`;
  const lines = [hint, usage, `Try ${path} --help`].filter((line) => line !== undefined);
  command.showHelpAfterError(lines.join("\n"));
}

/** The typed path of a command: the names of its parents, and its own. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The exit codes of a command. */
export function exitsOf(command: Command): readonly ExitMeaning[] {
  return pages.get(command)?.exits ?? (command.parent ? exitsOf(command.parent) : []);
}

/** Wider lines are hard to read. */
const MAX_WIDTH = 80;

/** A description narrower than this is put below its term. */
const MIN_MEANING = 30;

/** As wide as the title before the usage. */
const USAGE = " ".repeat("Usage: ".length);

/** The width of the help in this terminal. */
export function helpWidth({ stdout }: Pick<CliIo, "stdout">): number {
  return Math.min(MAX_WIDTH, stdout.columns ?? MAX_WIDTH);
}

/** Commander's help followed by the sections of a manual; readable in a narrow terminal. */
export const helpConfiguration: HelpConfiguration = {
  minWidthToWrap: 20,
  // Commander removes colours if they are disabled.
  styleTitle: (title) => createPalette(true).bold(title).text,
  commandUsage(this: Help, command) {
    const usage = Help.prototype.commandUsage.call(this, command);
    const width = (this.helpWidth ?? MAX_WIDTH) - USAGE.length;
    return this.boxWrap(usage, width).replaceAll("\n", `\n${USAGE}`);
  },
  subcommandTerm: (command) => command.name(),
  formatItem: (term, termWidth, description, helper) => {
    const width = helper.helpWidth ?? MAX_WIDTH;
    const isWide = width - termWidth >= MIN_MEANING;
    if (isWide) return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    return `  ${term}\n${indent(helper.boxWrap(description, width - 6), 6)}`;
  },
  formatHelp: (command, helper) =>
    [new Help().formatHelp(command, helper), ...sectionsOf(command, helper)].join("\n"),
};

type Entries = readonly (readonly [term: string, words: string])[];

function sectionsOf(command: Command, helper: Help): readonly string[] {
  const { environment = [], files = [], examples = [] } = pages.get(command) ?? {};
  const least = helper.padWidth(command, helper);
  const list = (title: string, entries: Entries) => {
    const termWidth = Math.max(least, ...entries.map(([term]) => term.length));
    const items = entries.map(([term, words]) => helper.formatItem(term, termWidth, words, helper));
    return helper.formatItemList(title, items, helper);
  };
  const shown = examples.map(([line, words]) => formatExample(line, words, helper));
  return [
    ...list(
      "Exit status:",
      exitsOf(command).map(([code, when]) => [String(code), when]),
    ),
    ...list(
      "Environment:",
      environment.map((name) => [name, environmentFacts[name]]),
    ),
    ...list(
      "Files:",
      files.map((name) => [name, fileFacts[name]]),
    ),
    ...helper.formatItemList("Examples:", shown, helper),
  ];
}

/** Command lines are broken as a shell accepts them. */
function formatExample(line: string, words: string, helper: Help): string {
  const width = helper.helpWidth ?? MAX_WIDTH;
  const [first = "", ...rest] = helper.boxWrap(`$ ${line}`, width - 6).split("\n");
  // A long word may use the whole width.
  const typed = [
    `  ${first}`,
    ...rest.map((part) => part.padStart(Math.min(part.length + 4, width))),
  ];
  return `${typed.join(" \\\n")}\n${indent(helper.boxWrap(words, width - 6), 6)}`;
}

function indent(text: string, by: number): string {
  return text.replace(/\n|^/g, (start) => start + " ".repeat(by));
}
