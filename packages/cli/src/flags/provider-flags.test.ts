import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { readCommandTree } from "../debug/completion/command-tree.ts";
import type { CliIo } from "../process/io.ts";
import { addProviderFlags, planProviders } from "./provider-flags.ts";

const createCommand = () => addProviderFlags(new Command("serve")).exitOverride();

async function plan(...flags: readonly string[]) {
  const command = createCommand().parse(flags, { from: "user" });
  return planProviders(command, command.opts(), { cwd: "/" } as CliIo);
}

describe("--check, the former name of --lint", () => {
  test("still runs a linter, in order with those of --lint", async () => {
    const { linters } = await plan("--check", "a", "--matcher", "tsc", "--lint", "b");
    expect(linters.map(({ command }) => command)).toEqual(["a", "b"]);
    expect(linters.map(({ matchers }) => matchers?.length)).toEqual([1, undefined]);
    expect((await plan("--check", "a")).linters).toEqual((await plan("--lint", "a")).linters);
  });

  test("appears in neither the help nor the completion", () => {
    expect(createCommand().helpInformation()).not.toContain("--check");
    const [serve] = readCommandTree(new Command().addCommand(createCommand()));
    const names = serve?.options.map(({ long }) => long);
    expect(names).toContain("--lint");
    expect(names).not.toContain("--check");
  });
});
