import type { Figures } from "../row.ts";
import { measureInBrowser } from "./browser.ts";

const PLUGIN = { project: "plugin", slow: true } as const;

/** What the built plugin costs a vault of 10,000 notes: milliseconds, and units of 1,000,000 bytes. */
interface VaultFigures {
  /** After how long `onload` gives the app back. */
  readonly onloadMs: number;
  /** By how much it delays the layout. */
  readonly readyMs: number;
  /** How long it checks all notes, what the window's own thread works for it, and once more. */
  readonly tookMs: number;
  readonly cpuMs: number;
  readonly againMs: number;
  /** For how long at most it holds the window up meanwhile. */
  readonly longestMs: number;
  /** Within how long the window shows what is typed meanwhile, for 19 keys of 20. */
  readonly keyMs: number;
  /** What it holds while the report is open, and when it is closed. */
  readonly heldMb: number;
  readonly leftMb: number;
}

let measured: Promise<VaultFigures> | undefined;

/** One run in Chromium gives all figures. */
export async function vaultFigure(name: keyof VaultFigures): Promise<Figures> {
  measured ??= measureInBrowser({ ...PLUGIN, test: "large-vault" });
  return { idewire: [(await measured)[name]] };
}

/** How long it takes from a selection in the editor to the agent's frame, in ms: the median. */
export async function selectionFigure(): Promise<Figures> {
  const { selectionMs } = await measureInBrowser<{ readonly selectionMs: number }>({
    ...PLUGIN,
    test: "selection-speed",
  });
  return { idewire: [selectionMs] };
}
