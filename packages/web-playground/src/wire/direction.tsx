import type { Direction } from "@idewire/devtools/trace";

/** The sender of a frame, as a class. */
export function senderOf(dir: Direction): "ide" | "agent" {
  return dir === "ide>agent" ? "ide" : "agent";
}

/** The direction of a frame; the agent is always on the left, as in the sequence. */
export function DirectionCell({ dir }: { readonly dir: Direction }) {
  const isFromIde = dir === "ide>agent";
  return (
    <span class="from" role="img" aria-label={isFromIde ? "editor to agent" : "agent to editor"}>
      {isFromIde ? "Agent ◄ Editor" : "Agent ► Editor"}
    </span>
  );
}
