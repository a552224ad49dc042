import { type Plugin, requireApiVersion } from "obsidian";

/** Adds a command to the command line of the app, which earlier versions do not have. */
export function addCliHandler(
  plugin: Pick<Plugin, "registerCliHandler">,
  ...handler: Parameters<Plugin["registerCliHandler"]>
): void {
  if (requireApiVersion("1.12.2")) plugin.registerCliHandler(...handler);
}
