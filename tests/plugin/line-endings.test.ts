import { describe, expect, test } from "vitest";
import { announceSeed } from "../src/fuzz.ts";
import { anyProposal, linesOf, sample, strangeLines } from "../src/kept-bytes.ts";
import { openFixture } from "./review-fixture.ts";

announceSeed();

describe("what a person accepts in the plugin, whole, edited or in parts, is written to the byte", () => {
  const proposals = sample(anyProposal, 30)
    .filter(({ before, after }) => after !== "" && after !== before)
    .map((proposal, index) => ({ ...proposal, name: `N${index}.md`, isInParts: index % 2 === 1 }));
  // Reviews mostly wait, so two apps run them in parallel.
  const half = Math.ceil(proposals.length / 2);
  const halves = [proposals.slice(0, half), proposals.slice(half)];

  test("with line ends of all kinds and a byte order mark", async () => {
    await Promise.all(halves.map(expectKept));
  });

  async function expectKept(some: typeof proposals): Promise<void> {
    const vaultFiles = Object.fromEntries(some.map(({ name, before }) => [name, before]));
    const { host, propose, person } = await openFixture({ vaultFiles });
    const controls = person.page.locator(".idewire-change-controls button");
    for (const { name, before, after, isInParts } of some) {
      const edit = await propose(name, after);
      await person.untilName(name);
      await person.untilArmed();
      for (let step = 0; isInParts && (await controls.count()) > 0; step += 1) {
        await controls.nth(step % 2).click();
      }
      await person.page
        .locator(".idewire-review-actions button:enabled", { hasText: /Accept file|Keep the file/ })
        .click();
      const { decision, written } = await edit.result;
      const text = decision === "accepted" ? written : before;
      expect(host.read(name)).toBe(text);
      if (!isInParts) expect(written).toBe(after);
      else expect(strangeLines(text ?? "", before, after)).toEqual([]);
      expect(linesOf(text ?? "").join("")).toBe(text ?? "");
    }
  }
});
