import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectClient, openFile, openLive, untilLive } from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

test("a page that was frozen shows the messages that arrived meanwhile, and answers them [playground:6:sleep]", async () => {
  const { place, serve, page } = await openLive(site);
  const client = await connectClient(place);
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setWebLifecycleState", { state: "frozen" });
  const edit = client.edit(join(place.folder, "notes.md"), "one\n");
  await serve.event("diff-opened");
  await browser.send("Page.setWebLifecycleState", { state: "active" });
  await page.getByTestId("review").getByRole("button", { name: "Reject" }).first().click();
  expect((await edit.result).decision).toBe("rejected");
  await page.getByTestId("review").waitFor({ state: "detached" });
});

test("after a suspension of the bridge no typed text is lost [playground:6:stall]", async () => {
  const { place, serve, page } = await openLive(site);
  await openFile(page, "notes.md");
  serve.kill("SIGSTOP");
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Typed meanwhile.");
  await page.keyboard.press("Control+s");
  serve.kill("SIGCONT");
  const file = join(place.folder, "notes.md");
  await expect.poll(() => readFileSync(file, "utf8")).toContain("Typed meanwhile.");
  await untilLive(page);
});
