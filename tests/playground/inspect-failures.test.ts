import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { AuthorizationFixture } from "../src/authorization-fixture.ts";
import {
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";
import { openInspector, untilOpen } from "./inspector-page.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const tools = ["refused", "unknown", "reset"].map((name) => ({ name, inputSchema: {} }));

/** The answers of a failing server. */
const failing: Readonly<Record<string, ScriptedAnswer>> = {
  refused: (_, response) => response.writeHead(503).end("busy"),
  unknown({ message: { id } }, response) {
    const error = { code: -32602, message: "Unknown tool" };
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
  },
  reset: (_, response) => response.destroy(),
};

const answer: ScriptedAnswer = (seen, response) => {
  const { id, method, params } = seen.message;
  if (method === "tools/list") return json(response, result(id, { tools }));
  const fail = failing[String(params?.["name"])];
  return fail === undefined ? false : void fail(seen, response);
};

const row = (page: Page, name: string | RegExp) => page.getByRole("row", { name });

test("a call that fails over HTTP is shown as failed in its row and its panel, with the reason", async () => {
  await using server = await new ScriptedHttpServer(withSessions(answer)).listen();
  const page = await openInspector(site, ["--era", "legacy", server.url]);
  await untilOpen(page);
  for (const [tool, reason] of [
    ["refused", "HTTP 503 busy"],
    ["unknown", "Unknown tool"],
    ["reset", "the connection broke off"],
  ] as const) {
    await page.locator("button.entry").filter({ hasText: tool }).first().click();
    await page.getByTestId("call").click();
    await page.getByTestId("answer").getByText(reason).waitFor();
    const failed = row(page, new RegExp(`tools/call ${tool}.*failed.*${reason}`));
    await failed.waitFor();
    await failed.click();
    await page.getByTestId("frame-view").getByText(`It failed: `).waitFor();
  }
  expect(await page.getByText("waiting").count()).toBe(0);
  await expectGoodLook(page, "light");
  await lookAs(page, looks["phone, dark"]);
  await expectGoodLook(page, "phone, dark");
});

test("the first request of a refused login is shown as failed, with the reason", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  const usual = fixture.issuer.answer;
  fixture.issuer.answer = (seen, response) =>
    seen.path === "/register"
      ? response.writeHead(403).end("clients are registered by hand")
      : usual(seen, response);
  const page = await openInspector(site, ["--era", "legacy", fixture.server.url]);
  await page.getByTestId("server-problem").waitFor();
  await row(page, /initialize.*failed.*HTTP 403/)
    .first()
    .waitFor();
  expect(
    await row(page, /initialize/)
      .getByText("waiting")
      .count(),
  ).toBe(0);
});
