import { expect, test } from "vitest";
import { openFixture } from "./review-fixture.ts";

const note = `---
tags: [garden]
---
# The kitchen garden

The garden lies behind the house, and gets sun from the morning until late in the afternoon.
It is watered by hand.

## What grows there

- Tomatoes, along the wall
- Beans and peas
- Three kinds of lettuce

The soil was dug over in the autumn, mixed with compost and then left alone for the whole winter.

## Next year

1. Build a second bed.
2. Ask Maria about the apple tree.
3. Buy seeds.
4. Mend the fence.
5. Read the book about pruning.

Everything else can wait.
`;
const proposed = note
  .replace("sun from the morning until late in the", "the sun from early morning until the late")
  .replace("of lettuce\n", "of lettuce\n- Basil, between the tomatoes\n")
  .replace("2. Ask Maria about the apple tree.\n", "")
  .replace("else can wait.\n", "else can wait until spring.\n");

test("pictures of a review, for a person to look at: light, dark, with more contrast, narrow", async () => {
  const vaultFiles = { "Garden.md": note, "Other.md": "One\n" };
  const { host, agent, propose, person } = await openFixture({ vaultFiles, open: "Garden.md" });
  const { page } = host;
  const first = await propose("Garden.md", proposed);
  agent.edit(`${host.vault}/Sub/New note.md`, "# New\n\nA note that was not there.\n");
  await page.locator(".idewire-review-queue").waitFor();
  await person.untilArmed();
  await host.screenshot("review-unified");
  await host.commands.run("review-switch-layout");
  await host.screenshot("review-side-by-side");
  await page.emulateMedia({ contrast: "more" });
  await host.screenshot("review-contrast");
  await page.emulateMedia({ contrast: null, forcedColors: "active" });
  await host.screenshot("review-forced-colors", ["light"]);
  await page.emulateMedia({ forcedColors: null });

  await page.setViewportSize({ width: 660, height: 720 });
  await page.locator(".idewire-review .cm-mergeView").waitFor({ state: "detached" });
  await host.screenshot("review-narrow");
  await page.setViewportSize({ width: 1100, height: 720 });

  host.write("Garden.md", note.replace("Buy seeds", "Buy new seeds"));
  await page.locator(".idewire-banner").waitFor();
  await host.screenshot("review-newer");
  await person.press("Merge both");
  await person.press("Accept file");
  expect((await first.result).written).toContain("Buy new seeds");
  await person.untilName("Sub/New note.md");
  await page.mouse.move(0, 0);
  await person.untilArmed();
  await host.screenshot("review-new-file");
  await person.press("Reject file");
  await person.untilClosed();

  await host.commands.run("review-history");
  await page.locator(".idewire-history-item").first().waitFor();
  await host.screenshot("review-history");
  await page.locator(".idewire-history-open", { hasText: "Garden.md" }).last().click();
  await page.locator(".idewire-review .cm-merge-b").waitFor();
  await host.screenshot("review-past");
  await person.press("Restore the previous text");
  await page.getByText("Nothing is written until you press").waitFor();
  await host.screenshot("review-restore");
});
