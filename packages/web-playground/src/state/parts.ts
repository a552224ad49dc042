import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Player } from "./player.ts";
import type { Session } from "./session.ts";
import type { ViewState } from "./view-state.ts";

/** What every view may use. */
export interface Parts {
  readonly session: Session;
  readonly player: Player;
  readonly view: ViewState;
}

export const PartsContext = createContext<Parts | undefined>(undefined);

export function useParts(): Parts {
  const parts = useContext(PartsContext);
  if (parts === undefined) throw new Error("a view stands outside of the page");
  return parts;
}
