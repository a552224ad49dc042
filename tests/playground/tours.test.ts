import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chooseInMenu, passUntil } from "./actions.ts";
import { framesOf, useSite } from "./site.ts";

const folder = new URL("../../packages/web-playground/tours/", import.meta.url);
const tours = readdirSync(folder).map((name) => {
  const [, ...lines] = readFileSync(new URL(name, folder), "utf8").trimEnd().split("\n");
  const steps = lines.map((line) => JSON.parse(line) as { expect?: string; frames?: string[] });
  return {
    id: name.replace(".jsonl", ""),
    steps: steps.filter((step) => step.expect === undefined),
    frames: steps.at(-1)?.frames ?? [],
  };
});
const site = useSite();

test.each(tours)("$id plays to its end [playground:1:fixtures]", async ({ id, steps, frames }) => {
  const page = await site.page({ path: `#tour=${id}&play=no`, stopped: true });
  await passUntil(page, page.getByText(`0/${steps.length}`));
  await chooseInMenu(page, "speed", "10×");
  for (let taken = 1; taken <= steps.length; taken += 1) {
    await page.getByTestId("step").click();
    await passUntil(page, page.getByText(`${taken}/${steps.length}`));
    // Enough for both ends to send all frames of the step.
    await page.clock.runFor(160);
  }
  await expect.poll(() => framesOf(page)).toBe(frames.length);
});
