import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { startInspect } from "../src/inspect-process.ts";
import { openWorkspace, type Workspace } from "../src/reference-clients/serve-context.ts";
import { savedBy } from "./actions.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const properties = { id: { type: "integer" }, rest: { type: "array" } };
const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2024-11-05",
    capabilities: { tools: {} },
    serverInfo: { name: "echo", version: "1" },
  },
  "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object", properties } }] },
};

/** An editor whose only tool returns its arguments verbatim; records everything that it receives. */
async function openEcho(place: Workspace) {
  const received: string[] = [];
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, "listening");
  server.on("connection", (socket) =>
    socket.on("message", (data) => {
      const frame = String(data);
      received.push(frame);
      const { id, method } = JSON.parse(frame);
      const [, args = "{}"] = /"arguments":(.*)\}\}$/.exec(frame) ?? [];
      const echoed = `{"structuredContent":${args},"content":[{"type":"data","value":${args}}]}`;
      const result = JSON.stringify(results[method]) ?? echoed;
      if (id !== undefined) {
        socket.send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
      }
    }),
  );
  const { port } = server.address() as AddressInfo;
  const folder = join(String(place.env.HOME), ".claude", "ide");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = { pid: process.pid, workspaceFolders: [place.folder], ideName: "Echo" };
  const content = { ...lock, transport: "ws", authToken: "a token of the test" };
  writeFileSync(join(folder, `${port}.lock`), JSON.stringify(content), { mode: 0o600 });
  return { received, port };
}

test("numbers beyond 2^53 keep their spelling in arguments, answers, saved calls, frames and traces", async () => {
  const place = openWorkspace("home", "notes");
  const { received, port } = await openEcho(place);
  const calls = () => received.filter((frame) => frame.includes('"tools/call"'));
  const run = startInspect(place, ["--web", "--as-agent", "--port", String(port)]);
  const { page: link } = await run.event("inspecting");
  const page = await site.page({ url: "about:blank" });
  await page.goto(String(link));
  await page.getByTestId("tool").selectOption("echo");

  // As a form.
  await page.locator("#field-id").fill("9007199254740993");
  await page.locator("#field-rest").fill("[18446744073709551615]");
  await page.getByTestId("call").click();
  const answer = page.getByTestId("answer");
  await answer.getByText('"id": 9007199254740993').first().waitFor();
  const args = '{"id":9007199254740993,"rest":[18446744073709551615]}';
  expect(calls().at(-1)).toContain(`"arguments":${args}`);

  // As JSON, saved, and run again.
  await page.getByTestId("as-json").click();
  const json = await page.getByTestId("arguments").inputValue();
  expect(JSON.stringify(json)).toContain("18446744073709551615");
  await page.getByTestId("call-name").fill("long");
  await page.getByTestId("save-call").click();
  await page.getByText(`echo ${args}`).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Run long" }).click();
  await expect.poll(() => calls().length).toBe(2);
  expect(calls().at(-1)).toContain(`"arguments":${args}`);
  await page.getByRole("button", { name: "Edit long" }).click();
  expect(await page.getByTestId("arguments").inputValue()).toContain("9007199254740993");

  // The frame as a tree, found by its digits, and edited as text.
  await page.getByRole("row", { name: "echo" }).last().click();
  await page.getByRole("tab", { name: "Tree" }).click();
  await page.getByTestId("frame-view").getByText("18446744073709551615").first().waitFor();
  await page.getByRole("row", { name: "tools/call" }).first().click();
  await page.getByRole("tab", { name: "Raw" }).click();
  const raw = page.getByTestId("frame-view").locator("textarea");
  await raw.fill((await raw.inputValue()).replace("9007199254740993", "9007199254740995"));
  await page.getByTestId("resend").click();
  await expect.poll(() => calls().at(-1)).toContain('"id":9007199254740995');

  // The trace.
  await page.getByTestId("share").click();
  const trace = await savedBy(page, () => page.getByTestId("save-jsonl").click());
  for (const digits of ["9007199254740993", "9007199254740995", "18446744073709551615"]) {
    expect(trace).toContain(digits);
  }
  expect(trace).not.toContain("9007199254740992");
});
