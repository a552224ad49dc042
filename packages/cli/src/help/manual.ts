import { type Command, Help, type HelpConfiguration } from "commander";
import { createPalette } from "../output/palette.ts";
import type { ExitMeaning } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { type EnvironmentName, environmentFacts, type FileName, fileFacts } from "./facts.ts";

/** The help of a command, apart from its summary, arguments and options. */
export interface HelpPage {
  /** Paragraphs. */
  readonly description?: readonly string[];
  /** The codes that the command can end with, and its subcommands without a list of their own. */
  readonly exits?: readonly ExitMeaning[];
  /** Advice after a wrong command line. */
  readonly hint?: string;
  readonly environment?: readonly EnvironmentName[];
  readonly files?: readonly FileName[];
  /** A command line, and what it is for. */
  readonly examples?: readonly (readonly [command: string, words: string])[];
}

const pages = new WeakMap<Command, HelpPage>();

/** Gives a command its page. */
export function describe(command: Command, page: HelpPage): Command {
  pages.set(command, page);
  return command.helpOption("-h, --help", "print this help");
}

/** Gives a command its summary, which is the first paragraph of its description too. */
export function introduce(command: Command, summary: string): Command {
  const { description = [] } = pages.get(command) ?? {};
  const first = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return command.summary(summary).description([first, ...description].join("\n\n"));
}

/** Answers a wrong command line with how the command is called. */
export function showUsageAfterError(command: Command): void {
  const path = pathOf(command);
  const { hint } = pages.get(command) ?? {};
  const usage = `Usage: ${new Help().commandUsage(command)}`;
  const lines = [hint, usage, `Try ${path} --help`].filter((line) => line !== undefined);
  command.showHelpAfterError(lines.join("\n"));
}

/** What is typed for a command: the names of the commands above it, and its own. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The codes that a command can end with. */
export function exitsOf(command: Command): readonly ExitMeaning[] {
  return pages.get(command)?.exits ?? (command.parent ? exitsOf(command.parent) : []);
}

/** Wider lines are hard to read. */
const MAX_WIDTH = 80;

/** A description that would be narrower than this is put below its term. */
const MIN_MEANING = 30;

/** As wide as the title before the usage. */
const USAGE = " ".repeat("Usage: ".length);

/** How wide help is for this terminal. */
export function helpWidth({ stdout }: Pick<CliIo, "stdout">): number {
  return Math.min(MAX_WIDTH, stdout.columns ?? MAX_WIDTH);
}

/** Commander's help, with the sections of a manual below it, and readable in a narrow terminal. */
export const helpConfiguration: HelpConfiguration = {
  minWidthToWrap: 20,
  // Where no colours are wanted commander takes them out again.
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

/** Something to type is broken as a shell takes it. */
function formatExample(line: string, words: string, helper: Help): string {
  const width = helper.helpWidth ?? MAX_WIDTH;
  const [first = "", ...rest] = helper.boxWrap(`$ ${line}`, width - 6).split("\n");
  // A long word has all the room that there is.
  const typed = [
    `  ${first}`,
    ...rest.map((part) => part.padStart(Math.min(part.length + 4, width))),
  ];
  return `${typed.join(" \\\n")}\n${indent(helper.boxWrap(words, width - 6), 6)}`;
}

function indent(text: string, by: number): string {
  return text.replace(/\n|^/g, (start) => start + " ".repeat(by));
}
