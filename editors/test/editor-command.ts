import { spawnSync } from "node:child_process";
import { builtBin } from "../../tests/src/line-program.ts";
import type { Workspace } from "../../tests/src/reference-clients/serve-context.ts";

/** Runs `idewire editor` as the person of a workspace. */
export function editorCommand({ env }: Workspace, ...words: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [builtBin, "editor", ...words], {
    encoding: "utf8",
    env: { ...env, PATH: process.env["PATH"] ?? "" },
  });
  return { output: stdout + stderr, lines: stdout.trimEnd().split("\n"), status };
}
