import { Search, Share2, Zap } from "lucide";
import type { PageContext } from "../state/page-context.ts";
import type { DialogAction, DialogName } from "../state/view-state.ts";
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
  return { id: "keys.open", title: "Keys", keys: ["?"], run: () => view.openDialog("keys") };
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
    run: () => view.openDialog("files"),
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
    act("share", "openFile", "Open a trace"),
    act("share", "saveJsonl", "Save the trace as JSON Lines"),
    act("share", "saveHar", "Save the trace as HAR"),
    act("share", "copyLink", "Copy a link to this trace"),
    open("compare", "Compare sessions"),
    open("replay", "Replay against the editor"),
    open("latency", "Latency by tool"),
    open("scenario", "Save as a scenario"),
    openFaults(page),
    open("breakpoint", "Breakpoint", { when: isSimulated }),
    { ...act("faults", "copyFaultLink", "Copy a link with the faults"), when: isSimulated },
    { ...act("faults", "changeToken", "Change the token of the editor"), when: isSimulated },
  ];
}
