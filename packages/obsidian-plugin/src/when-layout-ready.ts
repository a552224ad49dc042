import type { Plugin } from "obsidian";

/** Runs once the app is laid out, unless the plugin is unloaded before: nobody would undo it then. */
export function whenLayoutReady(plugin: Plugin, run: () => void): void {
  let isUnloaded = false;
  plugin.register(() => {
    isUnloaded = true;
  });
  plugin.app.workspace.onLayoutReady(() => {
    if (!isUnloaded) run();
  });
}
