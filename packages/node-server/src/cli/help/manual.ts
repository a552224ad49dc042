import type { Command } from "commander";
import { exitStatus } from "../exit-status.ts";
import { type EnvironmentName, environmentFacts, type FileName, fileFacts } from "./facts.ts";

/** What the help of a command says beyond its arguments and options. */
export interface HelpPage {
  /** Paragraphs. */
  readonly description: readonly string[];
  readonly environment?: readonly EnvironmentName[];
  readonly files?: readonly FileName[];
  /** A command line, and what it is for. */
  readonly examples: readonly (readonly [command: string, words: string])[];
}

/** A piece of a page: a paragraph, a term and what it means, or something to type. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "entry"; readonly term: string; readonly text: string }
  | { readonly kind: "example"; readonly term: string; readonly text: string };

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

const pages = new WeakMap<Command, HelpPage>();

/** Gives a command its page. */
export function describe(command: Command, page: HelpPage): Command {
  pages.set(command, page);
  return command.helpOption("-h, --help", "print this help");
}

/** The page of a command, as of a manual. */
export function manualOf(command: Command): readonly Section[] {
  const page = pages.get(command);
  const { description = [], environment = [], files = [], examples = [] } = page ?? {};
  const sections: readonly Section[] = [
    { title: "NAME", blocks: [text(`${fullName(command)} - ${summaryOf(command)}`)] },
    { title: "SYNOPSIS", blocks: [text(synopsisOf(command))] },
    { title: "DESCRIPTION", blocks: description.map(text) },
    { title: "COMMANDS", blocks: commandsOf(command) },
    { title: "OPTIONS", blocks: optionsOf(command) },
    { title: "EXIT STATUS", blocks: exitsOf(command) },
    {
      title: "ENVIRONMENT",
      blocks: environment.map((name) => entry(name, environmentFacts[name])),
    },
    { title: "FILES", blocks: files.map((name) => entry(name, fileFacts[name])) },
    { title: "EXAMPLES", blocks: examples.map(([term, words]) => example(term, words)) },
  ];
  return sections.filter(({ blocks }) => blocks.length > 0);
}

/** `idewire serve` */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

/** As in a list of commands: no capital, no full stop. */
export function summaryOf(command: Command): string {
  const words = command.description().replace(/\.$/, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function synopsisOf(command: Command): string {
  return `${fullName(command)} ${command.usage()}`;
}

function commandsOf(command: Command): readonly Block[] {
  return command.commands.map((sub) => entry(sub.name(), summaryOf(sub)));
}

function optionsOf(command: Command): readonly Block[] {
  const helper = command.createHelp();
  return [
    ...command.registeredArguments.map((argument) =>
      entry(helper.argumentTerm(argument), helper.argumentDescription(argument)),
    ),
    ...helper
      .visibleOptions(command)
      .map((option) => entry(helper.optionTerm(option), helper.optionDescription(option))),
  ];
}

function exitsOf(command: Command): readonly Block[] {
  const meanings = exitStatus[command.name()] ?? [];
  return meanings.map(([code, when]) => entry(String(code), when));
}

function text(words: string): Block {
  return { kind: "text", text: words };
}

function entry(term: string, words: string): Block {
  return { kind: "entry", term, text: words };
}

function example(term: string, words: string): Block {
  return { kind: "example", term, text: words };
}
