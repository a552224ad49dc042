import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { verifies } from "../src/verifies.ts";
import { openFixture, sharedFixture } from "./review-fixture.ts";

const note = "# Plan\n\nWe meet in the park.\n\nBring bread.\n";
const proposed = "# Plan\n\nWe meet in the garden.\n\nBring bread and cheese.\n";

describe("a pending review", () => {
  const vaultFiles = { "A.md": note, "B.md": note, "C.md": note, "D.md": note };
  const enter = sharedFixture({ vaultFiles, open: "D.md" });

  verifies(
    "plugin:4:renamed",
    "of a note that is renamed follows it: the text goes there in one step, and nothing is written twice",
    async () => {
      const { host, propose, person } = await enter();
      const edit = await propose("A.md", proposed);
      await host.page.evaluate(`app.fileManager.renameFile(
        app.vault.getFileByPath("A.md"), "Moved.md")`);
      await person.untilName("Moved.md");
      await host.page.locator(".workspace-tab-header", { hasText: "Review Moved.md" }).waitFor();
      await host.page.getByText("The note was called A.md").waitFor();
      await person.press("Accept file");
      expect(await edit.result).toMatchObject({ decision: "rejected", by: "ide" });
      await expect.poll(() => host.text()).toBe(proposed);
      await host.save();
      expect(host.read("Moved.md")).toBe(proposed);
      expect(existsSync(join(host.vault, "A.md"))).toBe(false);
      await host.page.waitForFunction("app.workspace.activeEditor?.editor?.hasFocus()");
      await host.page.keyboard.press("Control+z");
      await expect.poll(() => host.text()).toBe(note);
    },
  );

  verifies(
    "plugin:4:undo",
    "takes back decisions by key and button, in the other layout and after a look at another review",
    async () => {
      const { host, agent, propose, person } = await enter();
      const { page } = host;
      const { keyboard } = page;
      const edit = await propose("B.md", proposed);
      const other = agent.edit(join(host.vault, "C.md"), proposed);
      // A key press of the previous scenario may count as typing, which keeps the focus where it is.
      await host.commands.run("review-show");
      await person.untilArmed();
      await person.untilFocused();
      await keyboard.press("Control+Enter");
      await keyboard.press("Control+Shift+Backspace");
      await person.untilStatus("All hunks decided");
      await keyboard.press("Control+z");
      await person.untilStatus("1 hunk left");
      await keyboard.press("Control+Shift+z");
      await person.untilStatus("All hunks decided");
      await page.locator(".idewire-review-queue", { hasText: "of 2" }).waitFor();
      await host.commands.run("review-next-file");
      await person.untilName("C.md");
      await host.commands.run("review-previous-file");
      await person.untilName("B.md");
      await host.commands.run("review-switch-layout");
      await page.locator(".idewire-review .cm-mergeView").waitFor();
      await host.commands.run("review-undo");
      await person.untilStatus("1 hunk left");
      await page.getByRole("button", { name: "Undo the last decision" }).click();
      await person.untilStatus("2 hunks left");
      const undo = page.getByRole("button", { name: "Undo the last decision" });
      await expect.poll(() => undo.isDisabled()).toBe(true);
      await host.commands.run("review-switch-layout");
      await person.press("Accept file");
      expect(await edit.result).toMatchObject({ written: proposed, modifiedByUser: false });
      await person.untilName("C.md");
      await person.untilArmed();
      await person.press("Reject file");
      expect((await other.result).decision).toBe("rejected");
    },
  );

  verifies(
    "plugin:4:waiting",
    "is counted in the status bar, which leads to it and then to the next",
    async () => {
      const { host, agent, propose, person } = await enter();
      const waiting = host.page.locator(".idewire-waiting");
      expect(await waiting.isVisible()).toBe(false);
      const first = await propose("B.md", "b\n");
      await waiting.getByText("1 review").waitFor();
      const second = agent.edit(join(host.vault, "C.md"), "c\n");
      await waiting.getByText("2 reviews").waitFor();
      await host.open("D.md", { where: "tab" });
      await waiting.click();
      await person.untilName("B.md");
      await waiting.press("Enter");
      await person.untilName("C.md");
      await person.press("Reject file");
      await waiting.getByText("1 review").waitFor();
      await person.untilName("B.md");
      await person.press("Reject file");
      await waiting.waitFor({ state: "hidden" });
      for (const { result } of [first, second]) expect((await result).decision).toBe("rejected");
    },
  );
});

describe("an agent is answered before the connection closes", () => {
  for (const end of ["quit", "disable"] as const) {
    verifies("plugin:4:disabled", `when the person leaves by ${end}`, async () => {
      const { host, propose } = await openFixture({ vaultFiles: { "A.md": note } });
      const edit = await propose("A.md", proposed);
      await host[end]();
      await expect.poll(() => edit.asking).toBe("terminal-only");
      expect(edit.unsettled).toBe(false);
    });
  }
});
