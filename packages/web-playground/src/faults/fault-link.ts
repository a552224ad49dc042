import { FaultInjector, type FaultPlan, parseFaultPlan } from "@idewire/devtools/internal";
import type { PageModel } from "../state/page-model.ts";

/** The address of this page with faults in its fragment. */
export function addressOfFaults(plan: FaultPlan): string {
  return `${location.href.split("#")[0]}#f=${encodeURIComponent(JSON.stringify(plan))}`;
}

/**
 * Starts a new simulation with the faults of a link.
 * @returns why they are invalid
 */
export function openFaults(model: PageModel, text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "they are not JSON; the link is incomplete or was altered";
  }
  const plan = parseFaultPlan(value);
  if (!plan.ok) return plan.issue;
  const { value: faults } = plan;
  model.startOver(faults, () => new FaultInjector(faults));
  return undefined;
}
