import { type CheckReport, type RunChecksOptions, runChecks } from "@idewire/devtools/checks";
import { openCheckPort } from "./check-port.ts";
import type { FoundTarget } from "./find-target.ts";

/** How an editor is checked. Once the signal is aborted, every connection is cut. */
export type CheckEditorOptions = Omit<RunChecksOptions, "port" | "log" | "clock">;

/** Asks a live editor whether it keeps the rules that agents rely on. No connection outlives it. */
export async function checkEditor(
  target: FoundTarget,
  options: CheckEditorOptions = {},
): Promise<CheckReport> {
  const port = await openCheckPort(target);
  const cut = () => port.close();
  options.signal?.addEventListener("abort", cut, { once: true });
  try {
    return await runChecks({ ...options, port });
  } finally {
    options.signal?.removeEventListener("abort", cut);
    port.close();
  }
}
