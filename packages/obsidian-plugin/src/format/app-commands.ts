import type { App } from "obsidian";

/** Not part of the documented API of Obsidian, so any of it may be missing. */
interface WithCommands {
  readonly commands?: {
    readonly commands?: Readonly<Record<string, NamedCommand>>;
    executeCommandById?(id: string): boolean;
  };
}

interface NamedCommand {
  readonly id: string;
  readonly name: string;
}

/** The commands of Obsidian and of all plugins; empty if they cannot be listed. */
export function allCommands(app: App): readonly NamedCommand[] {
  return Object.values((app as WithCommands).commands?.commands ?? {});
}

/** Runs a command; returns whether it ran. */
export function execute(app: App, id: string): boolean {
  return (app as WithCommands).commands?.executeCommandById?.(id) === true;
}
