import type { Component, Modal } from "obsidian";

/** Opens a window. */
export type OpenWindow = (modal: Modal) => void;

/** Opens the windows of a plugin one at a time; the next one, or the end of the plugin, closes the one before. */
export function createWindows(plugin: Pick<Component, "register">): OpenWindow {
  let last: Modal | undefined;
  const close = () => {
    if (last?.containerEl.isConnected === true) last.close();
    last = undefined;
  };
  plugin.register(close);
  return (modal) => {
    close();
    last = modal;
    modal.open();
  };
}
