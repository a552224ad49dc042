import type { Player } from "./player.ts";
import { loadTours } from "./sample.ts";
import type { Session } from "./session.ts";

/** Opens what the address asks for: a trace in its fragment, faults, or a tour by its name. */
export async function openFromAddress(session: Session, player: Player): Promise<void> {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const name = fragment.get("tour");
  if (name !== null) {
    const tour = (await loadTours()).find(({ id }) => id === name);
    if (tour !== undefined) player.start(tour, fragment.get("play") !== "no");
    else player.problem.value = `There is no tour called ${name.slice(0, 60)}.`;
  }
  const faults = fragment.get("f");
  if (faults !== null) {
    const { openFaults } = await import("./fault-link.ts");
    const issue = openFaults(session, faults);
    if (issue !== undefined) player.problem.value = `The faults of this link are no good: ${issue}`;
  }
  const packed = fragment.get("s");
  if (packed === null) return;
  const { openPacked } = await import("./permalink.ts");
  const issue = await openPacked(session, packed);
  if (issue !== undefined) player.problem.value = `This link cannot be opened: ${issue}`;
}

/** A page's way to idewire. */
export interface Ticket {
  /** What is behind the page: `folder` or `inspect`; undefined when it stands alone. */
  readonly behind: string | undefined;
  readonly ticket: string | undefined;
}

/** What is behind this page, and the ticket that leads there, which leaves the address. */
export function takeTicket(): Ticket {
  const behind = document.documentElement.dataset["live"];
  if (behind === undefined) return { behind, ticket: undefined };
  const ticket = new URLSearchParams(location.hash.slice(1)).get("t") ?? undefined;
  history.replaceState(null, "", location.pathname);
  return { behind, ticket };
}
