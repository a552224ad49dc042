import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture, startClaude } from "../src/reference-clients/context.ts";

test.each([
  [[], true],
  [["--no-checks"], false],
])(
  "idewire serve %j: whether the model reads findings of built-in checks: %s",
  async (flags, isTold) => {
    const fixture = openFixture();
    const files = ["package.json", "a.yaml", "a.md"].map((name) => fixture.file(name, ""));
    const run = new CliRun(fixture, { args: ["serve", "--script", ...flags] });
    await expect.poll(() => run.output).toContain("listening");
    const claude = await startClaude(fixture, { permissionMode: "acceptEdits" });
    await claude.untilReady();
    for (const file of files) {
      const { newDiagnostics } = await claude.edit(file, "{ [a](no.md)\n").result;
      expect(newDiagnostics !== undefined).toBe(isTold);
    }
  },
);
