import { describe, expect } from "vitest";
import { verifies } from "../src/verifies.ts";
import { openFixture, sharedFixture } from "./review-fixture.ts";

const note = "# Plan\n\nWe meet in the park.\n\nBring bread.\n\nGo home late.\n";
const proposed = "# Plan\n\nWe meet in the garden.\n\nBring bread and cheese.\n\nGo home early.\n";

describe("a review", () => {
  const names = ["A.md", "B.md", "C.md", "D.md", "E.md", "F.md", "G.md"];
  const vaultFiles = Object.fromEntries(names.map((name) => [name, note]));
  const enter = sharedFixture({ vaultFiles, open: "A.md" });

  verifies(
    "plugin:4:decisions",
    "a proposal is accepted, rejected, edited and decided hunk by hunk; the agent writes the shown text",
    async () => {
      const { host, agent, propose, person } = await enter();

      const accepted = await propose("A.md", proposed);
      await person.untilName("A.md");
      await person.untilStatus("3 hunks left");
      expect(accepted.unsettled).toBe(true);
      expect(host.read("A.md")).toBe(note);
      await person.press("Accept file");
      expect(await accepted.result).toMatchObject({
        decision: "accepted",
        by: "ide",
        written: proposed,
      });
      await person.untilClosed();

      const rejected = await propose("B.md", proposed);
      await person.press("Reject file");
      expect(await rejected.result).toMatchObject({ decision: "rejected", by: "ide" });

      const edited = await propose("C.md", proposed);
      await person.typeAfter("Bring bread and cheese.", " And wine.");
      await person.untilBadges("Edited by you");
      await person.press("Accept file");
      const mine = proposed.replace("cheese.", "cheese. And wine.");
      expect(await edited.result).toMatchObject({ written: mine, modifiedByUser: true });

      const perChange = await propose("D.md", proposed);
      await person.decide("accept");
      await person.decide("reject");
      await person.untilStatus("1 hunk left");
      await person.press("Accept file");
      const mixed = proposed.replace("bread and cheese", "bread");
      expect(await perChange.result).toMatchObject({ written: mixed, modifiedByUser: true });

      const takenBack = await propose("E.md", proposed);
      for (let left = 3; left > 0; left -= 1) await person.decide("reject");
      await person.untilStatus("All hunks decided");
      await person.press("Keep the file unchanged");
      expect(await takenBack.result).toMatchObject({ decision: "rejected", by: "ide" });
      expect(agent.violations).toEqual([]);
    },
  );

  verifies(
    "plugin:4:queue",
    "several files wait in a queue, one after the other, and two proposals for one file stay apart",
    async () => {
      const { host, agent, propose, person } = await enter();
      const other = await host.agents.connect();
      const first = await propose("F.md", proposed);
      const second = agent.edit(`${host.vault}/G.md`, proposed);
      const queue = host.page.locator(".idewire-review-queue");
      // Requests that two agents send at once arrive in any order.
      await queue.getByText("1 of 2").waitFor();
      const third = other.edit(`${host.vault}/F.md`, "Something else.\n");
      await queue.getByText("1 of 3").waitFor();
      expect(await host.page.locator(".idewire-review").count()).toBe(1);
      await host.commands.run("review-next-file");
      await person.untilName("G.md");
      await person.press("Reject file");
      expect((await second.result).decision).toBe("rejected");
      await queue.getByText("3 of 3").waitFor();
      await person.press("Accept file");
      expect(await third.result).toMatchObject({ written: "Something else.\n" });
      await queue.getByText("1 of 3").waitFor();
      // The note has changed: a proposal for the old text cannot be accepted unseen.
      await person.press("Compare with the new text");
      await person.press("Reject file");
      expect((await first.result).decision).toBe("rejected");
      await person.untilClosed();
    },
  );
});

verifies(
  ["plugin:4:side-by-side", "plugin:4:keyboard"],
  "side by side it is the same, the layout is remembered, and every action has a key",
  async () => {
    const vaultFiles = { "A.md": note, "B.md": note };
    const { host, propose, person } = await openFixture({ vaultFiles, open: "A.md" });
    const { keyboard } = host.page;
    const first = await propose("A.md", proposed);
    await host.commands.run("review-switch-layout");
    await host.page.waitForSelector(".idewire-review .cm-mergeView");
    await host.commands.run("review-next-change");
    await host.commands.run("review-reject-change");
    await person.untilStatus("2 hunks left");
    await person.decide("accept", 0);
    await person.untilStatus("1 hunk left");
    await person.untilArmed();
    await host.commands.run("review-accept-file");
    const kept = proposed.replace("bread and cheese", "bread");
    expect(await first.result).toMatchObject({ written: kept });

    const second = await propose("B.md", proposed);
    await host.page.waitForSelector(".idewire-review .cm-mergeView");
    await person.untilArmed();
    await person.untilFocused();
    await keyboard.press("Control+Enter");
    await keyboard.press("F7");
    await keyboard.press("Control+Shift+Backspace");
    await person.untilStatus("1 hunk left");
    await keyboard.press("Control+Shift+Enter");
    const result = await second.result;
    expect([result.decision, result.modifiedByUser]).toEqual(["accepted", true]);
    await expect.poll(() => host.commands.canRun("review-accept-file")).toBe(false);
  },
);
