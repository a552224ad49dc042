import type { PageContext } from "../state/page-context.ts";
import type { DialogAction, DialogName, PageTheme } from "../state/view-state.ts";
import type { IconNode } from "../ui/icon.tsx";
import {
  FolderOpen,
  GitCompare,
  History,
  Keyboard,
  Moon,
  Radar,
  ScrollText,
  Search,
  Share2,
  Sun,
  SunMoon,
  TextSearch,
  Timer,
  Zap,
} from "../ui/icons.ts";
import type { Command } from "./registry.ts";

/** Opens the palette. */
export function openPalette({ view }: PageContext): Command {
  const run = (): void => {
    view.palette.value = !view.palette.value;
  };
  return { id: "palette.open", title: "Commands", icon: Search, keys: ["Ctrl+K"], run };
}

/** Lists the keys. */
export function openKeys({ view }: PageContext): Command {
  return {
    id: "keys.open",
    title: "Keys",
    icon: Keyboard,
    keys: ["?"],
    run: () => view.openDialog("keys"),
  };
}

/** Opens the dialog that saves, shares and opens traces. */
export function openShare({ view }: PageContext): Command {
  return {
    id: "share.open",
    title: "Save and share",
    icon: Share2,
    run: () => view.openDialog("share"),
  };
}

/** Opens a file of the folder by its name. */
export function quickOpen({ view, model }: PageContext): Command {
  return {
    ...{ id: "files.open", title: "Open a file", icon: Search, keys: ["Ctrl+P"] },
    when: () => model.live !== undefined,
    needsConnection: true,
    run: () => view.openDialog("files"),
  };
}

/** Searches in the contents of all files. */
export function searchInFiles({ view, model }: PageContext): Command {
  return {
    ...{ id: "files.search", title: "Search in files", icon: TextSearch, keys: ["Ctrl+Shift+F"] },
    when: () => model.kind.value !== "live" || model.live !== undefined,
    needsConnection: true,
    run: () => view.openDialog("search"),
  };
}

/** Opens the faults of a simulation. */
export function openFaults({ view, model }: PageContext): Command {
  return {
    id: "faults.open",
    title: model.faults.value === undefined ? "Faults" : "Faults: on",
    icon: Zap,
    when: () => model.kind.value !== "live",
    run: () => view.openDialog("faults"),
  };
}

/** The available themes. */
export function themeCommands({ view }: PageContext): readonly Command[] {
  const define = (theme: PageTheme, title: string, icon: IconNode): Command => ({
    ...{ id: `theme.${theme}`, title: `Theme: ${title}`, icon },
    checked: () => view.theme.value === theme,
    run() {
      view.theme.value = theme;
    },
  });
  return [
    define("system", "System", SunMoon),
    define("light", "Light", Sun),
    define("dark", "Dark", Moon),
  ];
}

/** Rarely used commands, which are in a menu. */
export function menuCommands(page: PageContext): readonly (readonly Command[])[] {
  const all = dialogCommands(page);
  const inMenu = ["files.search", "share.openFile", ...analyses.map((dialog) => `${dialog}.open`)];
  return [
    inMenu.flatMap((id) => all.filter((command) => command.id === id)),
    themeCommands(page),
    [...all.filter(({ id }) => id === "inspector.open"), openKeys(page)],
  ];
}

const analyses = ["compare", "replay", "latency", "scenario"] as const;

/** The dialogs, and their actions. */
export function dialogCommands(page: PageContext): readonly Command[] {
  const { view, model } = page;
  const isSimulated = (): boolean => model.kind.value !== "live";
  const open = (dialog: DialogName, title: string, more: Partial<Command> = {}): Command => ({
    id: `${dialog}.open`,
    title,
    run: () => view.openDialog(dialog),
    ...more,
  });
  const act = (dialog: DialogName, action: DialogAction, title: string): Command => ({
    id: `${dialog}.${action}`,
    title,
    run: () => view.openDialog(dialog, action),
  });
  return [
    openShare(page),
    quickOpen(page),
    searchInFiles(page),
    { ...act("share", "openFile", "Open a trace"), icon: FolderOpen },
    act("share", "saveJsonl", "Save the trace as JSON Lines"),
    act("share", "saveHar", "Save the trace as HAR"),
    act("share", "copyLink", "Copy a link to this trace"),
    open("compare", "Compare sessions", { icon: GitCompare }),
    open("replay", "Replay against the editor", { icon: History }),
    open("latency", "Latency by tool", { icon: Timer }),
    open("scenario", "Save as a scenario", { icon: ScrollText }),
    open("inspector", "Inspector", { icon: Radar }),
    openFaults(page),
    open("breakpoint", "Breakpoint", { when: isSimulated }),
    { ...act("faults", "copyFaultLink", "Copy a link with the faults"), when: isSimulated },
    { ...act("faults", "changeToken", "Change the token of the editor"), when: isSimulated },
  ];
}
