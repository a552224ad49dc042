import { type Context, createContext } from "preact";
import { useContext, useId, useLayoutEffect } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import type { Command } from "./registry.ts";

/** Precedes the titles of the commands inside, such as `Agent`; undefined where none are registered. */
export const CommandScope: Context<string | undefined> = createContext<string | undefined>("");

/** Registers commands of a component while it is shown; their ids need to be unique only in it. */
export function useCommands(commands: readonly Command[]): void {
  const registry = usePage().commands;
  const scope = useContext(CommandScope);
  const owner = useId();
  // After each render: titles and conditions may have changed.
  useLayoutEffect(() => {
    if (scope !== undefined)
      registry.set(
        owner,
        commands.map((one) => placed(one, owner, scope)),
      );
  });
  useLayoutEffect(() => () => registry.delete(owner), []);
}

function placed(command: Command, owner: string, scope: string): Command {
  const { id, title } = command;
  return { ...command, id: `${owner}.${id}`, title: scope === "" ? title : `${scope}: ${title}` };
}
