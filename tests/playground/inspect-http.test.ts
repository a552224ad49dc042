import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { open as openProtected } from "../interop/protected-server.ts";
import { browsingPerson, enterCode } from "../interop/real-authorization-server.ts";
import { openInspector } from "./inspector-page.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** Logs in at the address on the page, as the person's browser would. */
async function logIn(page: Page): Promise<void> {
  const link = page.getByTestId("login").getByRole("link");
  const address = (await link.getAttribute("href")) ?? "";
  const until = new URL(address).searchParams.get("redirect_uri") ?? "";
  const { visit } = await browsingPerson(until);
  await fetch(await visit(address));
  await link.waitFor({ state: "detached" });
}

const row = (page: Page, name: string | RegExp) => page.getByRole("row", { name });

async function call(page: Page, tool: string): Promise<void> {
  await page.getByTestId("entry").locator("button.entry").filter({ hasText: tool }).first().click();
  await page.getByTestId("call").click();
}

test.each(["legacy", "modern"])(
  "in the %s era a login works from the page, and each of its steps is a row without secrets",
  async (era) => {
    const { audience } = await openProtected("jwt");
    const page = await openInspector(site, ["--era", era, audience]);
    await logIn(page);
    await page.locator('[data-testid=server][data-status="open"]').waitFor();
    for (const step of [
      /resource metadata 200/,
      /server metadata 200/,
      /registration 201/,
      /authorization 302/,
      /code for tokens 200/,
      /tools\/list 200/,
    ]) {
      await row(page, step).first().waitFor();
    }
    await call(page, "who");
    await page.getByTestId("answer").getByText("ann: read").first().waitFor();
    // More scope: the server challenges, and the person logs in again.
    await call(page, "write");
    await logIn(page);
    await page.getByTestId("answer").getByText("ann: read write").first().waitFor();
    await row(page, /tools\/call 403/)
      .first()
      .click();
    const detail = page.getByTestId("http-exchange");
    await detail.getByText("step-up").first().waitFor();
    expect(await detail.textContent()).toMatch(new RegExp(`era\\s*${era}, MCP`));
    expect(await detail.textContent()).toMatch(/authorizationDPoP redacted-token-/);
    await row(page, /code for tokens 200/)
      .first()
      .click();
    const tokens = await detail.textContent();
    expect(tokens).toMatch(/code=redacted-token-\d+/);
    expect(tokens).toMatch(/"access_token": "redacted-token-\d+"/);
    await expectGoodLook(page, "light");
    await lookAs(page, looks["phone, dark"]);
    await expectGoodLook(page, "phone, dark");
  },
);

test("a login on another device shows its code, and each of its steps is a row without secrets", async () => {
  const { audience } = await openProtected("jwt");
  const page = await openInspector(site, ["--device", audience]);
  const instruction = page.getByText(/and enter the code [A-Z]/).first();
  await instruction.waitFor();
  const where = page.getByText(/To log in to .*, visit /).first();
  const [, address = ""] =
    /visit (\S+) on any device/.exec((await where.textContent()) ?? "") ?? [];
  const [, code = ""] =
    /enter the code ([A-Z-]+)/.exec((await instruction.textContent()) ?? "") ?? [];
  await enterCode(address, code);
  await page.locator('[data-testid=server][data-status="open"]').waitFor();
  await call(page, "who");
  await page.getByTestId("answer").getByText("ann: read").first().waitFor();
  for (const step of [/device authorization 200/, /device tokens 200/]) {
    await row(page, step).first().waitFor();
  }
  await row(page, /device authorization 200/)
    .first()
    .click();
  const detail = page.getByTestId("http-exchange");
  expect(await detail.textContent()).toMatch(/"device_code": "redacted-token-\d+"/);
});
