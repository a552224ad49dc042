import { type CheckReport, type RunChecksOptions, runChecks } from "@idewire/devtools/checks";
import { openCheckPort } from "./check-port.ts";
import type { FoundTarget } from "./find-target.ts";

/** How an editor is checked. Aborting the signal terminates all connections. */
export type CheckEditorOptions = Omit<RunChecksOptions, "port" | "log" | "clock">;

/** Checks whether a live editor obeys the rules that agents rely on. All connections are closed at the end. */
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
