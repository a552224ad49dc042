import { nodeProcess } from "./node/process.ts";
import { openServers } from "./node/servers.ts";
import { openSockets } from "./node/sockets.ts";
import { calledByPlugin, openTimers } from "./node/timers.ts";
import type { App } from "./obsidian/app.ts";
import { receivedEvents } from "./obsidian/events.ts";
import { countProcessors } from "./render/processors.ts";
import { openMenus } from "./ui/menu.ts";
import { openModals } from "./ui/modal.ts";

/** Everything that a disabled plugin must have released. */
export interface Holdings {
  readonly events: readonly string[];
  readonly domListeners: readonly string[];
  readonly processListeners: readonly string[];
  readonly timers: readonly string[];
  readonly sockets: number;
  readonly servers: number;
  readonly commands: readonly string[];
  readonly views: readonly string[];
  readonly settingTabs: number;
  readonly statusBarItems: number;
  readonly ribbonIcons: number;
  readonly editorExtensions: number;
  readonly postProcessors: number;
  readonly protocolHandlers: readonly string[];
  readonly cliHandlers: readonly string[];
  readonly menus: number;
  readonly modals: number;
  readonly styles: readonly string[];
  readonly bodyClasses: readonly string[];
  readonly bodyChildren: readonly string[];
  readonly globals: readonly string[];
  readonly leaves: readonly string[];
}

interface Listening {
  readonly target: string;
  readonly type: string;
  readonly listener: unknown;
}

const listening: Listening[] = [];
const nativeAdd = EventTarget.prototype.addEventListener;
const nativeRemove = EventTarget.prototype.removeEventListener;

const nameOf = (target: EventTarget) => {
  if (target instanceof Window) return "window";
  return target instanceof Document ? "document" : target === document.body ? "body" : undefined;
};

/** Counts listeners on the window, the document and the body, which outlive all other elements. */
export function watchListeners(): void {
  EventTarget.prototype.addEventListener = function (this: EventTarget, type, listener, options) {
    const target = nameOf(this ?? window);
    if (target !== undefined && listener !== null) {
      const isOnce = typeof options === "object" && options?.once === true;
      const isCodeMirrors = !isOnce && calledByEditor();
      if (!isOnce && !isCodeMirrors) listening.push({ target, type, listener });
    }
    nativeAdd.call(this, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (
    this: EventTarget,
    type,
    listener,
    options,
  ) {
    const target = nameOf(this ?? window);
    const at = listening.findIndex(
      (each) => each.target === target && each.type === type && each.listener === listener,
    );
    if (at >= 0) listening.splice(at, 1);
    nativeRemove.call(this, type, listener, options);
  };
}

/** Each open editor of CodeMirror listens on the window, which is no leak. */
function calledByEditor(): boolean {
  return !calledByPlugin() && /DOMObserver|InputState|ViewState/.test(new Error().stack ?? "");
}

const before = new Set(Object.keys(window));

export function countHoldings(app: App): Holdings {
  const { registries, workspace } = app;
  const leaves: string[] = [];
  workspace.iterateAllLeaves((leaf) => leaves.push(leaf.view.getViewType()));
  return {
    events: receivedEvents().sort(),
    domListeners: listening.map(({ target, type }) => `${target} ${type}`).sort(),
    processListeners: nodeProcess.eventNames().map(String).sort(),
    timers: [...openTimers.values()].sort(),
    sockets: openSockets.size,
    servers: openServers.size,
    commands: [...registries.commands.keys()].sort(),
    views: registries.viewTypes.sort(),
    settingTabs: registries.settingsWindow.pluginTabs.length,
    statusBarItems: registries.statusBarEl.childElementCount,
    ribbonIcons: workspace.leftRibbon.containerEl.childElementCount,
    editorExtensions: app.editorExtensions.length,
    postProcessors: countProcessors(),
    protocolHandlers: [...registries.protocolHandlers.keys()],
    cliHandlers: [...registries.cliHandlers.keys()],
    menus: openMenus.size,
    modals: openModals.size,
    styles: [...document.head.querySelectorAll("style[data-plugin]")].map(
      (el) => el.getAttribute("data-plugin") ?? "",
    ),
    bodyClasses: [...document.body.classList].sort(),
    bodyChildren: [...document.body.children]
      .map(({ className }) => className)
      .filter((name) => name !== "notice-container"),
    globals: Object.keys(window)
      .filter((name) => !before.has(name))
      .sort(),
    leaves: leaves.sort(),
  };
}
