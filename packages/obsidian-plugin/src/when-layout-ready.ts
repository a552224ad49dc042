import type { Plugin } from "obsidian";

/** Runs when the layout is ready, unless the plugin is unloaded before. */
export function whenLayoutReady(plugin: Plugin, run: () => void): void {
  let isUnloaded = false;
  plugin.register(() => {
    isUnloaded = true;
  });
  plugin.app.workspace.onLayoutReady(() => {
    if (!isUnloaded) run();
  });
}
