import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture, startClaude } from "../src/reference-clients/context.ts";

test.each([
  [["--exclude", "private/"], undefined],
  [["--exclude", "nothing", "--exclude", "private/**/b.json"], undefined],
  [[], "Read(./private/**)"],
  [[], "Read(b.json)"],
])("the model reads nothing of a file that %j or settings %j exclude", async (flags, rule) => {
  const fixture = openFixture();
  for (const name of ["a", "none"]) {
    mkdirSync(join(fixture.workspace, "private", name), { recursive: true });
  }
  if (rule !== undefined) {
    mkdirSync(join(fixture.workspace, ".claude"), { recursive: true });
    const settings = JSON.stringify({ permissions: { deny: [rule] } });
    writeFileSync(join(fixture.workspace, ".claude", "settings.json"), settings);
  }
  const [hidden, shown] = ["private/a/b.json", "c.json"].map((name) => fixture.file(name, "{}\n"));
  const run = new CliRun(fixture, { args: ["serve", "--script", ...flags] });
  await expect.poll(() => run.output).toContain("listening");
  const claude = await startClaude(fixture, { permissionMode: "acceptEdits" });
  await claude.untilReady();
  const reported = async (file = "") => (await claude.edit(file, "{\n").result).newDiagnostics;
  expect(await reported(shown)).toContain("c.json");
  expect(await reported(hidden)).toBeUndefined();
  const ask = (name: string) =>
    claude.callAsModel("getDiagnostics", { uri: `file://${name}` }).reply;
  const missing = fixture.file("private/none/b.json", "");
  rmSync(missing);
  const [ofHidden, ofMissing] = [await ask(hidden ?? ""), await ask(missing)];
  expect(ofHidden).toEqual(ofMissing);
});
