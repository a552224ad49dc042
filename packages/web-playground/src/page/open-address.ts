import type { PageModel } from "../state/page-model.ts";
import type { Player } from "../state/player.ts";
import { loadTours } from "../tours/loaded-tours.ts";

/** Opens the trace, the faults or the tour that the fragment of the address names. */
export async function openFromAddress(model: PageModel, player: Player): Promise<void> {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const name = fragment.get("tour");
  if (name !== null) {
    const tour = (await loadTours()).find(({ id }) => id === name);
    if (tour !== undefined) player.start(tour, fragment.get("play") !== "no");
    else player.problem.value = `There is no tour called ${name.slice(0, 60)}.`;
  }
  const faults = fragment.get("f");
  if (faults !== null) {
    const { openFaults } = await import("../faults/fault-link.ts");
    const issue = openFaults(model, faults);
    if (issue !== undefined)
      player.problem.value = `The faults in this link are not valid: ${issue}`;
  }
  const packed = fragment.get("s");
  if (packed === null) return;
  const { openPacked } = await import("../share/permalink.ts");
  const issue = await openPacked(model, packed);
  if (issue !== undefined) player.problem.value = `This link cannot be opened: ${issue}`;
}
