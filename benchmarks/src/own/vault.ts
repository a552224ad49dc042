import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../checkout.ts";
import type { Figures } from "../row.ts";

/** What the built plugin costs a vault of 10,000 notes: milliseconds, and units of 1,000,000 bytes. */
interface VaultFigures {
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
  measured ??= measure("large-vault");
  return { idewire: [(await measured)[name]] };
}

/** How long it takes from a selection in the editor to the agent's frame, in ms: the median. */
export async function selectionFigure(): Promise<Figures> {
  const { selectionMs } = await measure<{ readonly selectionMs: number }>("selection-speed");
  return { idewire: [selectionMs] };
}

async function measure<Found>(test: string): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), "idewire-figures-"));
  const file = join(folder, "vault.json");
  try {
    await runTest(test, file);
    return JSON.parse(readFileSync(file, "utf8")) as Found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runTest(test: string, file: string): Promise<void> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--mode", "slow", "--project", "plugin", test];
  const env = { ...process.env, IDEWIRE_FIGURES: file };
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes) => {
      output += String(bytes);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the plugin's test ended with ${code}: ${output.slice(-2000)}`));
    });
  });
}
