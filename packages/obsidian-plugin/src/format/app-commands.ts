import type { App } from "obsidian";

/** No part of Obsidian's documented API, so that nothing of it may be there. */
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

/** The commands of Obsidian and of all plugins, as far as they can be known. */
export function allCommands(app: App): readonly NamedCommand[] {
  return Object.values((app as WithCommands).commands?.commands ?? {});
}

/** Says whether the command ran. */
export function execute(app: App, id: string): boolean {
  return (app as WithCommands).commands?.executeCommandById?.(id) === true;
}
