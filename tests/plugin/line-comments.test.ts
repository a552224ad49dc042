import { join } from "node:path";
import { describe, expect } from "vitest";
import { verifies } from "../src/verifies.ts";
import { openFixture } from "./review-fixture.ts";

const note = "# Plan\n\nWe meet in the park.\n\nBring bread.\n";
const proposed = "# Plan\n\nWe meet in the garden.\n\nBring bread.\n";

describe("comments on lines", () => {
  verifies(
    "plugin:4:line-comments",
    "of a proposal reject it, and the next prompt of the agent has them; of an edit they are sent as well",
    async () => {
      const { host, agent, propose } = await openFixture({
        vaultFiles: { "A.md": note },
        open: "A.md",
      });
      const { page } = host;
      const edit = await propose("A.md", proposed);
      const add = async (line: string, label: string, text: string) => {
        await page.locator(".idewire-review .cm-merge-b .cm-line", { hasText: line }).click();
        await page.getByRole("button", { name: "Comment on the selected lines" }).click();
        const form = page.getByRole("form", { name: label });
        await form.getByRole("textbox").fill(text);
        await page.keyboard.press("Control+Enter");
      };
      await add("garden", "Line 3", "It rains there.");
      await page.getByText("Line 3: It rains there.").waitFor();
      await page.getByRole("button", { name: "Send 1 comment, reject" }).click();
      await host.notice(/Sent as a mention of A\.md\.comments/);
      expect((await edit.result).decision).toBe("rejected");
      expect(host.read("A.md.comments")).toContain("> We meet in the garden.");
      await expect
        .poll(async () => JSON.stringify(await agent.prompt("")))
        .toContain("A.md.comments");

      agent.permissionMode = "acceptEdits";
      await agent.edit(join(host.vault, "A.md"), proposed).result;
      await host.notice(/Written without a review: A\.md\. /);
      const notices = page.locator(".notice", { hasText: "Written without a review" });
      expect(await notices.allInnerTexts()).toEqual([expect.not.stringContaining(".comments")]);
      await page.locator(".notice").getByRole("button", { name: "Show the edits" }).click();
      await page.locator(".idewire-history-open").first().click();
      await add("garden", "Line 3", "Still raining.");
      await page.getByRole("button", { name: "Send 1 comment", exact: true }).click();
      await expect.poll(() => host.read("A.md.comments")).toContain("Still raining.");
      await expect
        .poll(async () => JSON.stringify(await agent.prompt("")))
        .toContain("A.md.comments");
      expect(agent.violations).toEqual([]);
    },
  );

  verifies(
    "plugin:4:line-comments",
    "of a new note reject it, are stored beside its future path, and are at their lines once it is written",
    async () => {
      const { host, agent, propose } = await openFixture({ vaultFiles: { "A.md": note } });
      const { page } = host;
      const edit = await propose("Sub/New.md", proposed);
      const line = page.locator(".idewire-review .cm-line", { hasText: "garden" });
      await line.click();
      await page.getByRole("button", { name: "Comment on the selected lines" }).click();
      await page.getByRole("form", { name: "Line 3" }).getByRole("textbox").fill("Which?");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("button", { name: "Send 1 comment, reject" }).click();
      await host.notice(/Sent as a mention of New\.md\.comments/);
      expect((await edit.result).decision).toBe("rejected");
      expect(host.read("Sub/New.md.comments")).toContain("> We meet in the garden.");
      await expect
        .poll(async () => JSON.stringify(await agent.prompt("")))
        .toContain("New.md.comments");
    },
  );
});
