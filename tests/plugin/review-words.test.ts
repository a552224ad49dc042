import { expect } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import { verifies } from "../src/verifies.ts";
import { sharedFixture } from "./review-fixture.ts";

const paragraph =
  "The garden lies behind the house, and gets sun from the morning until late in the afternoon; it is watered by hand, and nobody knows since when.";
const note = `# Garden\n\n${paragraph}\n\nBring bread.\n`;
const proposed = note
  .replace("behind the house", "behind the barn")
  .replace("nobody knows", "nobody remembers")
  .replace("Bring bread.", "Bring bread and *cheese*.");

const enter = sharedFixture({ vaultFiles: { "A.md": note } });

verifies(
  ["plugin:4:themes", "plugin:4:contrast"],
  "light, dark and with more contrast everything can be read, and changes need no colour to be seen",
  async () => {
    const { host, propose, person } = await enter();
    const { page } = host;
    const pending = await propose("A.md", proposed);
    await person.decide("accept");
    for (const theme of ["light", "dark", "contrast"] as const) {
      await host.setTheme(theme);
      expect(await axeComplaints(page, ".idewire-review"), theme).toEqual([]);
    }
    const inserted = page.locator(".idewire-review .cm-changedText").first();
    const look = () =>
      inserted.evaluate((dom) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle(dom: unknown): Record<string, string>;
        };
        const { borderBottomWidth, textDecorationLine, outlineStyle, outlineWidth } =
          getComputedStyle(dom);
        return { borderBottomWidth, textDecorationLine, outlineStyle, outlineWidth };
      });
    const plain = await look();
    const isMarked = plain.borderBottomWidth !== "0px" || plain.textDecorationLine !== "none";
    expect(isMarked, JSON.stringify(plain)).toBe(true);
    await page.emulateMedia({ contrast: "more" });
    await expect.poll(look).toMatchObject({ outlineStyle: "solid" });
    await page.emulateMedia({ contrast: null, forcedColors: "active" });
    await expect.poll(look).toMatchObject({ outlineStyle: "solid" });
    await page.emulateMedia({ forcedColors: null });
    await person.press("Reject file");
    await pending.result;
  },
);

// Runs last: it changes the layout, which is remembered.
verifies(
  "plugin:4:words",
  "in prose only the words that differ are marked, in both layouts",
  async () => {
    const { host, propose, person } = await enter();
    const pending = await propose("A.md", proposed);
    const words = (selector: string) => async () => {
      const texts = await host.page.locator(selector).allInnerTexts();
      return texts.map((text) => text.trim());
    };
    await host.page.locator(".idewire-review .cm-changedText").first().waitFor();
    const inserted = ["barn", "remembers", "and *cheese*"];
    await expect
      .poll(words(".idewire-review .cm-merge-b .cm-changedText"))
      .toEqual(expect.arrayContaining(inserted));
    await host.commands.run("review-switch-layout");
    await host.page.waitForSelector(".idewire-review .cm-mergeView");
    await expect.poll(words(".cm-merge-b .cm-changedText")).toEqual(inserted);
    await expect.poll(words(".cm-merge-a .cm-changedText")).toEqual(["house", "knows"]);
    await person.press("Reject file");
    await pending.result;
  },
);
