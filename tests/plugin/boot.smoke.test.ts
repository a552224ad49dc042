import { expect, test } from "vitest";
import { start } from "../obsidian-host/index.ts";

const vaultFiles = { "Note.md": "# Note\n\nSome words to select.\n" };

test("an agent finds the vault by its lock file, and a plugin that is disabled leaves nothing", async () => {
  const host = await start({ vaultFiles, open: "Note.md" });
  const client = await host.agents.connect();
  expect(client.violations).toEqual([]);
  await host.disable();
  expect(await host.leaks()).toEqual({});
  await expect.poll(() => host.agents.locks()).toEqual([]);
});
