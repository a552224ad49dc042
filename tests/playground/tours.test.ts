import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { passUntil } from "./actions.ts";
import { framesOf, useSite } from "./site.ts";

interface TourFile {
  readonly id: string;
  readonly steps: readonly unknown[];
  readonly wire: readonly string[];
}

const folder = new URL("../../packages/web-playground/tours", import.meta.url);
const tours = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as TourFile,
);
const site = useSite();

test.each(tours)("$id plays to its end [playground:1:fixtures]", async ({ id, steps, wire }) => {
  const page = await site.page({ path: `#tour=${id}&play=no`, stopped: true });
  await passUntil(page, page.getByText(`0/${steps.length}`));
  await page.getByLabel("Speed").selectOption("10");
  for (let taken = 1; taken <= steps.length; taken += 1) {
    await page.getByTestId("step").click();
    await passUntil(page, page.getByText(`${taken}/${steps.length}`));
    // Until both ends have said all that the step makes them say.
    await page.clock.runFor(160);
  }
  await expect.poll(() => framesOf(page)).toBe(wire.length);
});
