import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { builtBin } from "./line-program.ts";
import type { Workspace } from "./reference-clients/serve-context.ts";

/** The result of a shell command. */
interface Ran {
  readonly code: number;
  readonly output: string;
}

/** The socket of the folder, once it accepts commands. */
export async function untilControlled(workspace: Workspace): Promise<string> {
  await expect.poll(() => socketsOf(workspace)).toEqual([expect.stringMatching(/\.sock$/)]);
  return socketsOf(workspace)[0] ?? "";
}

/** Runs a line of shell in a folder; `idewire` is the built command. */
export function sh(workspace: Workspace, line: string, cwd = workspace.folder): Promise<Ran> {
  const script = `idewire() { "${process.execPath}" "${builtBin}" "$@"; }\n${line}`;
  const env = { PATH: process.env["PATH"] ?? "", ...workspace.env };
  return new Promise((resolve) => {
    execFile("sh", ["-c", script], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

/** Success without output. */
export const quiet = { code: 0, output: "" };

export function socketsOf({ env }: Workspace): string[] {
  const folder = join(env.HOME, ".local", "state", "idewire");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.(sock|tmp)$/.test(name))
    .map((name) => join(folder, name));
}
