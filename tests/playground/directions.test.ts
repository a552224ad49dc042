import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { connectClient, openLive, write } from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const HEBREW = "שלום עולם, זו שורה.";

/** The text direction of a line, as the browser resolved it. */
function directionOf(line: Locator): Promise<string> {
  return line.evaluate(
    (element) => element.ownerDocument.defaultView?.getComputedStyle(element).direction ?? "",
  );
}

test("each line of a review reads in the direction of its own text, in one column and in two", async () => {
  const { page, place } = await openLive(site);
  const client = await connectClient(place);
  const file = write(place, "mixed.md", `# Greeting\n${HEBREW}\nlast line\n`);
  client.edit(file, `# Greeting\n${HEBREW} ועוד.\nlast line\n`);
  const review = page.getByTestId("review");
  const proposed = review.getByLabel("Proposed text of mixed.md");
  const line = (text: string) => proposed.locator(".cm-line", { hasText: text });
  await line("ועוד").waitFor();
  expect(await directionOf(line("ועוד"))).toBe("rtl");
  expect(await directionOf(line("Greeting"))).toBe("ltr");
  expect(await directionOf(proposed.locator(".cm-deletedLine"))).toBe("rtl");
  await review.getByRole("button", { name: "Side by side" }).click();
  const current = review.getByLabel("Current text of mixed.md");
  const old = current.locator(".cm-line", { hasText: "שלום" });
  expect(await directionOf(old)).toBe("rtl");
  expect(await directionOf(current.locator(".cm-line", { hasText: "last" }))).toBe("ltr");
});
