import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const study = fileURLToPath(new URL("../studies/anchors/run.mjs", import.meta.url));

// Fetches packages at pinned versions the first time; the grammars are those of the last build.
test("for each rule and constant of anchors there is a comment that is misplaced without it", async () => {
  const { stdout, stderr } = await promisify(execFile)("node", [study, "--ablate"], {
    timeout: 900_000,
  }).catch((error: { readonly stdout: string; readonly stderr: string }) => error);
  expect(stdout, stderr).toContain("| matching/match-trees.ts matchMoved |");
  expect(stdout).not.toContain("stopped after");
  expect(stdout).not.toContain("no comment needs");
}, 960_000);
