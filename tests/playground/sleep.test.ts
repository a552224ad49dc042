import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { verifies } from "../src/verifies.ts";
import { connectClient, openFile, openFixture, openPage, untilLive } from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

verifies(
  "playground:6:sleep",
  "a page that was asleep shows what came meanwhile, and answers it",
  async () => {
    const { place, link, serve } = await openFixture();
    const page = await openPage(site, link);
    await untilLive(page);
    const client = await connectClient(place);
    const browser = await page.context().newCDPSession(page);
    await browser.send("Page.setWebLifecycleState", { state: "frozen" });
    const edit = client.edit(join(place.folder, "notes.md"), "one\n");
    await serve.event("diff-opened");
    await browser.send("Page.setWebLifecycleState", { state: "active" });
    await page.getByTestId("review").getByRole("button", { name: "Reject" }).first().click();
    expect((await edit.result).decision).toBe("rejected");
    await page.getByTestId("review").waitFor({ state: "detached" });
  },
);

verifies(
  "playground:6:stall",
  "a bridge that stood still goes on where it was: what was typed meanwhile is not lost",
  async () => {
    const { place, link, serve } = await openFixture();
    const page = await openPage(site, link);
    await untilLive(page);
    await openFile(page, "notes.md");
    serve.kill("SIGSTOP");
    await page.getByLabel("Text of notes.md").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Typed meanwhile.");
    await page.keyboard.press("Control+s");
    serve.kill("SIGCONT");
    const file = join(place.folder, "notes.md");
    await expect
      .poll(() => readFileSync(file, "utf8"), { timeout: 30_000 })
      .toContain("Typed meanwhile.");
    await untilLive(page);
  },
);
