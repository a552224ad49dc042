import type { Figures } from "../row.ts";
import { measureInBrowser } from "./browser.ts";

const PLUGIN = { project: "plugin", slow: true } as const;

/** The costs of the built plugin for a vault of 10,000 notes, in milliseconds and units of 1,000,000 bytes. */
interface VaultFigures {
  /** The duration of `onload`. */
  readonly onloadMs: number;
  /** The delay of the layout. */
  readonly readyMs: number;
  /** The duration of a check of all notes, its CPU time in the window's thread, and the duration of a second check. */
  readonly tookMs: number;
  readonly cpuMs: number;
  readonly againMs: number;
  /** The longest task meanwhile. */
  readonly longestMs: number;
  /** The time from a key press to the screen meanwhile, 95th percentile. */
  readonly keyMs: number;
  /** The memory while the report is open, and after it is closed. */
  readonly heldMb: number;
  readonly leftMb: number;
}

let measured: Promise<VaultFigures> | undefined;

/** One run in Chromium gives all figures. */
export async function vaultFigure(name: keyof VaultFigures): Promise<Figures> {
  measured ??= measureInBrowser({ ...PLUGIN, test: "large-vault" });
  return { idewire: [(await measured)[name]] };
}

/** The time from a selection in the editor to the agent's frame, in ms: the median. */
export async function selectionFigure(): Promise<Figures> {
  const { selectionMs } = await measureInBrowser<{ readonly selectionMs: number }>({
    ...PLUGIN,
    test: "selection-speed",
  });
  return { idewire: [selectionMs] };
}
