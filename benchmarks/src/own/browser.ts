import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../checkout.ts";

/** A test in Chromium that writes its measurements. */
export interface BrowserTest {
  readonly project: "plugin" | "playground";
  /** Its file, without the extension. */
  readonly test: string;
  /** Whether it is a slow test. */
  readonly slow?: true;
}

/**
 * Runs a test and returns its measurements.
 * @throws Error with the end of its output when it fails
 */
export async function measureInBrowser<Found>(test: BrowserTest): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), "idewire-figures-"));
  const file = join(folder, "figures.json");
  try {
    await runTest(test, file);
    return JSON.parse(readFileSync(file, "utf8")) as Found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runTest({ project, test, slow }: BrowserTest, file: string): Promise<void> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const mode = slow === true ? ["--mode", "slow"] : [];
  const args = [vitest, "run", ...mode, "--project", project, test];
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
      else reject(new Error(`the test ${test} exited with ${code}: ${output.slice(-2000)}`));
    });
  });
}
