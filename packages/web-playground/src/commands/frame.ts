import type { PageContext } from "../state/page-context.ts";
import { Search } from "../ui/icons.ts";
import { focusWhenShown } from "./focus.ts";
import type { Command } from "./registry.ts";

/** Opens the search in the selected frame. */
export function findInFrame({ view }: PageContext): Command {
  return {
    id: "frame.find",
    title: "Find in the frame",
    icon: Search,
    keys: ["F"],
    when: () => view.selected.value !== undefined,
    run() {
      view.pane.value = "frame";
      // The schema is not part of the frame's text.
      if (view.frameTab.value === "schema") view.frameTab.value = "tree";
      view.searched.value ??= "";
      focusWhenShown("#find-text");
    },
  };
}

/** The selected frame. */
export function frameCommands(page: PageContext): readonly Command[] {
  const { model, view } = page;
  const selected = () => {
    const n = view.selected.value;
    return n === undefined ? undefined : model.log.at(n);
  };
  const mark = (text: string | undefined) => () => {
    const event = selected();
    if (event === undefined) return;
    model.log.mark(event.n, text);
    model.redraw();
  };
  return [
    findInFrame(page),
    {
      id: "frame.mark",
      title: "Mark the frame",
      keys: ["M"],
      when: () => selected() !== undefined && selected()?.mark === undefined,
      run: mark(""),
    },
    {
      id: "frame.unmark",
      title: "Remove the mark",
      keys: ["M"],
      when: () => selected()?.mark !== undefined,
      run: mark(undefined),
    },
    {
      id: "frame.leave",
      title: "Back from the frame to the list",
      keys: ["Escape"],
      when: () => document.activeElement?.id === "frame-view",
      run() {
        view.pane.value = "wire";
        focusWhenShown(".wire-list");
      },
    },
  ];
}
