import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { untilIdle } from "./actions.ts";
import { framesOf, useSite } from "./site.ts";

const folder = fileURLToPath(new URL("../../packages/web-playground", import.meta.url));

const site = useSite({ mayComplain: true });

/** Returns the address that the server prints once it listens. */
async function startDevServer(): Promise<string> {
  const server = spawn(process.execPath, ["node_modules/vite/bin/vite.js", "--port", "0"], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  let printed = "";
  return new Promise((resolve, reject) => {
    server.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
      if (found !== null) resolve(found[0]);
    });
    server.once("exit", (code) => reject(new Error(`vite ended with ${code}: ${printed}`)));
  });
}

test("the development server shows the page from its sources, samples and tours included [playground:built:vite]", async () => {
  const origin = await startDevServer();
  const page = await site.page({ url: "about:blank" });
  // Vite pre-bundles the dependencies on the first load.
  page.setDefaultTimeout(300_000);
  await page.goto(`${origin}/#tour=handshake`);
  await page.getByText("Connected to").waitFor();
  await untilIdle(page);
  await expect.poll(() => framesOf(page)).toBeGreaterThan(5);
  const errors = site.complaints.filter((one) => !one.startsWith("request to"));
  expect(errors).toEqual([]);
});
