import type { Argument, Command, Option } from "commander";
import { agentWords } from "../../serve/run/agents.ts";

/** The possible values of a word of the command line. */
export type WordKind =
  | { readonly kind: "folder" | "file" | "text" }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

export interface CompletedOption {
  readonly long: string;
  readonly short?: string;
  readonly summary: string;
  /** Missing if it has no value. */
  readonly value?: WordKind;
  readonly repeats: boolean;
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** A command with subcommands has no words of its own. */
  readonly subcommands: readonly CompletedCommand[];
  readonly options: readonly CompletedOption[];
  readonly words: readonly WordKind[];
}

/** Reads the words to complete from the commands themselves. */
export function readCommandTree(
  program: Command,
  root: Command = program,
): readonly CompletedCommand[] {
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    subcommands: readCommandTree(command, root),
    options: command.createHelp().visibleOptions(command).map(readOption),
    words: command.registeredArguments.map((argument) => readArgument(argument, root)),
  }));
}

function readOption(option: Option): CompletedOption {
  const { long, short, description, argChoices } = option;
  const takesValue = option.required || option.optional;
  return {
    long: long ?? "",
    summary: description,
    ...(short != null && { short }),
    ...(takesValue && { value: kindOf(option.flags, argChoices) }),
    repeats: /may be repeated/.test(description),
  };
}

function readArgument(argument: Argument, program: Command): WordKind {
  if (argument.name() === "command-name") {
    return { kind: "choice", choices: program.commands.map((command) => command.name()) };
  }
  if (argument.name() === "agent") return { kind: "choice", choices: agentWords };
  return kindOf(argument.name(), argument.argChoices);
}

function kindOf(named: string, choices: readonly string[] | undefined): WordKind {
  if (choices !== undefined) return { kind: "choice", choices };
  if (/folder/.test(named)) return { kind: "folder" };
  return { kind: /file|place|scenario/.test(named) ? "file" : "text" };
}
