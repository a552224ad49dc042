import type { PageContext } from "../state/page-context.ts";
import { panesOf, titleOf } from "../state/panes.ts";
import type { PaneName } from "../state/view-state.ts";
import { dialogCommands, openKeys, openPalette, themeCommands } from "./dialogs.ts";
import { answerCommands, commentCommands, notifyCommand } from "./editor.ts";
import { focusWhenShown } from "./focus.ts";
import { frameCommands } from "./frame.ts";
import type { Command } from "./registry.ts";
import { tourCommands } from "./tours.ts";
import { traceCommands } from "./trace.ts";

/** Registers the commands that do not belong to one control. */
export function registerPageCommands(page: PageContext): void {
  page.commands.set("page", [
    openPalette(page),
    openKeys(page),
    ...tourCommands(page),
    ...traceCommands(page),
    ...frameCommands(page),
    ...answerCommands(page),
    notifyCommand,
    ...commentCommands(page),
    ...dialogCommands(page),
    ...themeCommands(page),
    ...paneCommands(page),
  ]);
}

function paneCommands({ model, view }: PageContext): readonly Command[] {
  // The panes differ by kind.
  void model.kind.value;
  const goTo = (pane: PaneName): void => {
    view.pane.value = pane;
    focusWhenShown(`[data-pane=${pane}] :is([tabindex="0"], button)`);
  };
  const cycle = (by: number) => () => {
    const panes = panesOf(model);
    goTo(panes.at((panes.indexOf(view.pane.value) + by) % panes.length) ?? "editor");
  };
  return [
    { id: "pane.next", title: "Go to the next pane", keys: ["F6"], run: cycle(1) },
    { id: "pane.previous", title: "Go to the previous pane", keys: ["Shift+F6"], run: cycle(-1) },
    ...panesOf(model).map((pane) => ({
      id: `pane.${pane}`,
      title: `Go to the ${titleOf(pane, model).toLowerCase()} pane`,
      run: () => goTo(pane),
    })),
  ];
}
