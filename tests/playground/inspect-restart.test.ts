import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LineProgram } from "../src/line-program.ts";
import { silentPort } from "../src/silent-port.ts";
import { openInspector, untilOpen } from "./inspector-page.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const everything = createRequire(new URL("../interop/package.json", import.meta.url)).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

async function startEverything(port: number): Promise<LineProgram> {
  const options = { env: { PORT: String(port) }, cwd: tmpdir() };
  const server = new LineProgram(process.execPath, [everything, "streamableHttp"], options);
  await expect.poll(() => server.errors).toContain(`port ${port}`);
  return server;
}

const calls = (page: Page) => page.getByRole("row", { name: /result of tools\/call/ });

test("the last call is repeated when a published server over HTTP has restarted", async () => {
  const port = await silentPort();
  const server = await startEverything(port);
  const page = await openInspector(site, [`http://localhost:${port}/mcp`]);
  await untilOpen(page);
  await page.locator("button.entry").filter({ hasText: "get-sum" }).first().click();
  await page.locator("#field-a").fill("2");
  await page.locator("#field-b").fill("40");
  await page.getByTestId("call").click();
  await expect.poll(() => calls(page).count()).toBe(1);
  process.kill(server.pid, "SIGKILL");
  await server.exited;
  await startEverything(port);
  await expect.poll(() => calls(page).count()).toBe(2);
});
