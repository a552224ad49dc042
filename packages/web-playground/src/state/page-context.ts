import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { CommandRegistry } from "../commands/registry.ts";
import type { PageModel } from "./page-model.ts";
import type { Player } from "./player.ts";
import type { PageViewState } from "./view-state.ts";

/** The context of every view. */
export interface PageContext {
  readonly commands: CommandRegistry;
  readonly model: PageModel;
  readonly player: Player;
  readonly view: PageViewState;
}

/** Opens the selected file, and shows it even while diffs are pending. */
export function openChosen({ model, view }: PageContext, path: string): void {
  view.change.value = undefined;
  view.showsFile.value = model.state.peek().reviews.length > 0;
  model.actions?.open(path);
}

export const CurrentPage = createContext<PageContext | undefined>(undefined);

/** @throws Error outside of the page */
export function usePage(): PageContext {
  const page = useContext(CurrentPage);
  if (page === undefined) throw new Error("this view is outside of the page");
  return page;
}
