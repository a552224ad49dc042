import { expect, test } from "vitest";
import { start } from "../obsidian-host/index.ts";

test("a plugin that is disabled before the app is laid out opens nothing afterwards", async () => {
  const host = await start({
    vaultFiles: { "Note.md": "Words.\n" },
    settings: { vaultTools: true },
    enabled: false,
  });
  await host.page.evaluate(`
    globalThis.late = [];
    app.workspace.onLayoutReady = (run) => late.push(run);
  `);
  await host.enable();
  expect(await host.page.evaluate("late.length")).toBeGreaterThan(0);
  await host.disable();
  await host.page.evaluate("late.forEach((run) => run())");
  await host.page.waitForTimeout(500);
  await expect.poll(() => host.agents.locks()).toEqual([]);
  const left = async () => {
    const { globals: _, ...others } = await host.left();
    return others;
  };
  await expect.poll(left).toEqual({});
});
