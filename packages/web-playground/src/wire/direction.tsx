import type { EndNames } from "@idewire/devtools/internal";
import type { Direction } from "@idewire/devtools/trace";
import { usePage } from "../state/page-context.ts";

/** The sender of a frame, as a class. */
export function senderOf(dir: Direction): "ide" | "agent" {
  return dir === "ide>agent" ? "ide" : "agent";
}

interface DirectionCellProps {
  readonly dir: Direction;
  /** The names of the ends of its connection; those of most connections if left out. */
  readonly ends?: EndNames;
}

/** The direction of a frame; the agent, or the client, is always on the left, as in the sequence. */
export function DirectionCell({ dir, ends = usePage().model.ends }: DirectionCellProps) {
  const { agent, ide } = ends;
  const isFromIde = dir === "ide>agent";
  return (
    <span
      class="from"
      role="img"
      aria-label={isFromIde ? `${ide} to ${agent}` : `${agent} to ${ide}`}
    >
      <span class="end">{`${capital(agent)} `}</span>
      {isFromIde ? "◄" : "►"}
      <span class="end">{` ${capital(ide)}`}</span>
    </span>
  );
}

/** `agent` as a title. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
