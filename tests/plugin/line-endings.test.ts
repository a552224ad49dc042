import { describe, expect, test } from "vitest";
import { announceSeed } from "../src/fuzz.ts";
import { anyProposal, linesOf, sample, strangeLines } from "../src/kept-bytes.ts";
import { sharedFixture } from "./review-fixture.ts";

announceSeed();

describe("what a person accepts in the plugin, whole, edited or in parts, is written to the byte", () => {
  const proposals = sample(anyProposal, 30).filter(
    ({ before, after }) => after !== "" && after !== before,
  );
  const vaultFiles = Object.fromEntries(
    proposals.map(({ before }, index) => [`N${index}.md`, before]),
  );
  const enter = sharedFixture({ vaultFiles, open: "N0.md" });

  test("with line ends of all kinds and a byte order mark", async () => {
    const { host, propose, person } = await enter();
    const controls = person.page.locator(".idewire-change-controls button");
    for (const [index, { before, after }] of proposals.entries()) {
      const edit = await propose(`N${index}.md`, after);
      await person.untilName(`N${index}.md`);
      await person.untilArmed();
      for (let step = 0; index % 2 === 1 && (await controls.count()) > 0; step += 1) {
        await controls.nth(step % 2).click();
      }
      await person.page
        .locator(".idewire-review-actions button:enabled", { hasText: /Accept file|Keep the file/ })
        .click();
      const { decision, written } = await edit.result;
      const text = decision === "accepted" ? written : before;
      expect(host.read(`N${index}.md`)).toBe(text);
      if (index % 2 === 0) expect(written).toBe(after);
      else expect(strangeLines(text ?? "", before, after)).toEqual([]);
      expect(linesOf(text ?? "").join("")).toBe(text ?? "");
    }
  });
});
