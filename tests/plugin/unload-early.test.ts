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
  // Anything that the late callbacks opened would be open before what is opened now.
  await host.page.evaluate("delete app.workspace.onLayoutReady");
  await host.enable();
  const { path } = await host.agents.lock();
  expect(host.agents.locks().map((lock) => lock.path)).toEqual([path]);
  await host.disable();
  await expect.poll(() => host.agents.locks()).toEqual([]);
  const left = async () => {
    const { globals: _, ...others } = await host.left();
    return others;
  };
  await expect.poll(left).toEqual({});
});
