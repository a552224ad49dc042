import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ObsidianHost } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";
import { openFixture, Reviewer, sharedFixture } from "./review-fixture.ts";

const note = "# Plan\n\nWe meet in the park.\n\nBring bread.\n";
const proposed = "# Plan\n\nWe meet in the garden.\n\nBring bread.\n";

/** Whether the editor's styles apply in the window of the element; runs in that window. */
function displayOf(dom: { ownerDocument: { defaultView: unknown } }): string {
  type Window = { getComputedStyle(dom: unknown): { readonly display: string } };
  return (dom.ownerDocument.defaultView as Window).getComputedStyle(dom).display;
}

describe("a review", () => {
  const enter = sharedFixture({ vaultFiles: { "A.md": note, "B.md": note }, open: "A.md" });

  verifies(
    "plugin:4:ends",
    "a review ends with its tab, in the terminal, and with its agent; a late press changes nothing",
    async () => {
      const { host, agent, propose, person } = await enter();
      const closed = await propose("A.md", proposed);
      await person.closeTab();
      expect(await closed.result).toMatchObject({ decision: "rejected", by: "ide" });
      await person.untilClosed();

      const elsewhere = await propose("A.md", proposed);
      elsewhere.answerInTerminal("reject");
      await person.untilClosed();
      expect(await elsewhere.result).toMatchObject({ decision: "rejected", by: "terminal" });

      const other = await host.agents.connect();
      other.edit(join(host.vault, "A.md"), "gone\n");
      await host.page.waitForSelector(".idewire-review .cm-editor");
      await other.exit();
      await person.untilClosed();
      await host.notice(/disconnected before you decided about A\.md/);
      expect(host.read("A.md")).toBe(note);
      expect(agent.violations).toEqual([]);
    },
  );

  verifies(
    "plugin:4:popout",
    "in a window of its own a review looks and works the same",
    async () => {
      const { host, propose } = await enter();
      const edit = await propose("A.md", proposed);
      const popout = await host.popout();
      const there = new Reviewer(popout);
      await popout.locator(".idewire-review .cm-editor").waitFor();
      await popout.locator(".cm-changedLineGutter, .cm-inlineChangedLineGutter").first().waitFor();
      const line = popout.locator(".idewire-review .cm-scroller");
      await expect.poll(() => line.evaluate(displayOf)).toBe("flex");
      await there.decide("reject");
      await there.press("Keep the file unchanged");
      expect((await edit.result).decision).toBe("rejected");
    },
  );

  verifies(
    "plugin:4:changed-meanwhile",
    "a note that changes during its review is not overwritten: both are merged, or compared",
    async () => {
      const { host, propose, person } = await enter();
      await host.open("B.md");
      const onDisk = await propose("A.md", proposed);
      host.write("A.md", note.replace("Bring bread", "Bring cheese"));
      await person.untilBanners("The file has changed since this was proposed.");
      const accept = host.page.locator("button", { hasText: "Accept file" });
      await expect.poll(() => accept.isDisabled()).toBe(true);
      await person.press("Merge both");
      await person.untilBanners("Both versions are merged. Check the result.");
      await host.page.getByRole("button", { name: "Undo the last decision" }).click();
      await person.untilBanners("The file has changed since this was proposed.");
      await expect.poll(() => accept.isDisabled()).toBe(true);
      await person.press("Merge both");
      await person.untilBanners("Both versions are merged. Check the result.");
      await person.press("Accept file");
      const merged = proposed.replace("Bring bread", "Bring cheese");
      expect(await onDisk.result).toMatchObject({ decision: "accepted", written: merged });

      const typed = await propose("B.md", proposed);
      await host.open("B.md", { where: "tab" });
      await host.select([4, 12]);
      await host.page.keyboard.insertText(" And a chair.");
      await host.commands.run("review-show");
      await host.page.locator(".idewire-banner").waitFor();
      await person.press("Compare with the new text");
      await person.untilStatus("2 hunks left");
      await person.press("Reject file");
      expect((await typed.result).decision).toBe("rejected");
      await expect.poll(() => host.text()).toContain("And a chair.");
    },
  );

  verifies(
    "plugin:4:changed-meanwhile",
    "a hunk whose lines both sides have changed is marked as such, merged or compared, and the person chooses",
    async () => {
      const { host, propose, person } = await enter();
      const text = "# Plan\n\nWe meet in the park.\n\nBring bread.\n\nEnd\n";
      host.write("B.md", text);
      const edit = await propose("B.md", text.replace("park", "garden").replace("End", "The end"));
      await person.untilStatus("2 hunks left");
      const mine = text.replace("park", "forest");
      host.write("B.md", mine);
      const mark = host.page.locator(".idewire-review .cm-conflict");
      const named = host.page.getByRole("button", { name: /^Reject hunk 1 of 2, line 3, changed/ });
      await person.press("Compare with the new text");
      await person.untilStatus("2 hunks left, 1 changed on both sides");
      await host.page.getByRole("button", { name: "Undo the last decision" }).click();
      await person.press("Merge both");
      await person.untilStatus("2 hunks left, 1 changed on both sides");
      expect(await mark.allInnerTexts()).toEqual(["Changed on both sides"]);
      await named.click();
      await person.untilStatus("1 hunk left");
      await host.page.getByRole("button", { name: "Undo the last decision" }).click();
      await person.untilStatus("2 hunks left, 1 changed on both sides");
      await named.click();
      await person.press("Accept file");
      const chosen = mine.replace("End", "The end");
      expect(await edit.result).toMatchObject({ decision: "accepted", written: chosen });
    },
  );

  verifies(
    "plugin:4:changed-meanwhile",
    "a note that is written on disk is not overwritten while its tab still shows the old text",
    async () => {
      const { host, propose, person } = await enter();
      host.write("B.md", note);
      await host.open("B.md");
      await expect.poll(() => host.text()).toBe(note);
      // On some network drives the app learns of changes on disk late or never.
      await host.page.evaluate("app.workspace.activeLeaf.view.setViewData = () => {}");
      const edit = await propose("B.md", proposed);
      await person.untilArmed();
      const written = note.replace("Bring bread", "Bring cheese");
      host.write("B.md", written);
      await person.press("Accept file");
      await person.untilBanners("The file has changed since this was proposed.");
      await person.press("Merge both");
      await person.untilBanners("Both versions are merged. Check the result.");
      await person.press("Accept file");
      const merged = proposed.replace("Bring bread", "Bring cheese");
      expect(await edit.result).toMatchObject({ decision: "accepted", written: merged });

      const stale = await propose("B.md", merged.replace("garden", "forest"));
      await person.untilBanners();
      await person.press("Accept file");
      const last = merged.replace("garden", "forest");
      expect(await stale.result).toMatchObject({ decision: "accepted", written: last });
    },
  );
});

verifies(
  ["plugin:4:restart", "plugin:7:history"],
  "after a restart an open review has expired, and its proposal can be put into the note, and undone",
  async () => {
    const { host, agent, propose } = await openFixture({
      vaultFiles: { "A.md": note },
      open: "A.md",
    });
    await propose("A.md", proposed);
    await host.restart();
    const { page } = host;
    const reviewer = new Reviewer(page);
    await page.locator(".workspace-tab-header", { hasText: "Review" }).first().click();
    await page.locator(".idewire-banner", { hasText: "This review has expired" }).waitFor();
    expect(host.read("A.md")).toBe(note);
    await reviewer.press("Apply it myself");
    await reviewer.press("Apply to the note");
    await host.notice(/A\.md now has this text/);
    await expect.poll(() => host.text()).toBe(proposed);
    await page.waitForFunction("app.workspace.activeEditor.editor.hasFocus()");
    await page.keyboard.press("Control+z");
    await expect.poll(() => host.text()).toBe(note);
    await agent.exit();
  },
);

verifies(
  "plugin:4:crash",
  "a person's edits of a proposal, be it a megabyte long, survive a crash, and can be put into the note",
  async () => {
    const long = "And another line of a long note.\n".repeat(31_000);
    const { host, agent, propose, person } = await openFixture({
      vaultFiles: { "A.md": note + long },
      open: "A.md",
    });
    await propose("A.md", proposed + long);
    await person.typeAfter("Bring bread.", " And wine.");
    const mine = proposed.replace("bread.", "bread. And wine.") + long;
    await expect.poll(async () => (await keptTexts(host)).includes(mine)).toBe(true);
    await host.crash();
    await agent.exit();
    await host.launch();
    await host.commands.run("review-history");
    await host.page.locator(".idewire-history-open", { hasText: "A.md" }).click();
    // The layout may have restored the tab, too.
    const tab = host.page.locator(".workspace-leaf.mod-active .idewire-review");
    await tab.getByText("This review has expired").waitFor();
    await tab.getByRole("button", { name: "Apply it myself" }).click();
    await tab.getByRole("button", { name: "Apply to the note" }).click();
    await host.notice(/A\.md now has this text/);
    await expect.poll(async () => (await host.text()) === mine).toBe(true);
  },
);

/** The stored drafts: texts that people made of proposals. */
async function keptTexts(host: ObsidianHost): Promise<readonly string[]> {
  return (await host.page.evaluate(`(async () => {
    const settled = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const [{ name }] = await indexedDB.databases();
    const database = await settled(indexedDB.open(name));
    const texts = await settled(database.transaction("texts").objectStore("texts").getAll());
    database.close();
    return texts.map(({ result }) => result);
  })()`)) as readonly string[];
}

verifies(
  "plugin:7:history",
  "the history deletes the texts of a note that the person excludes later",
  async () => {
    const { host, propose, person } = await openFixture({
      vaultFiles: { "A.md": note, "B.md": note },
      open: "B.md",
    });
    for (const name of ["A.md", "B.md"]) {
      const edit = await propose(name, `${name} ${proposed}`);
      await person.press("Reject file");
      await edit.result;
    }
    await expect.poll(() => keptTexts(host)).toHaveLength(2);
    host.write("A.md", `---\nagent: false\n---\n${note}`);
    await expect.poll(() => keptTexts(host)).toEqual([`B.md ${proposed}`]);
    await host.commands.run("review-history");
    await host.page.locator(".idewire-history-open", { hasText: "A.md" }).click();
    await host.page.getByText("The text of this note is not kept").waitFor();
  },
);

verifies(
  "plugin:4:disabled",
  "when the plugin is disabled during a review the agent asks in its terminal, and nothing is left",
  async () => {
    const { host, propose } = await openFixture({ vaultFiles: { "A.md": note }, open: "A.md" });
    const edit = await propose("A.md", proposed);
    await host.disable();
    await host.notice(
      /disabled or updated before you decided about A\.md\. .* asks in its terminal now/,
    );
    await expect.poll(() => edit.asking).toBe("terminal-only");
    edit.answerInTerminal("accept");
    expect(await edit.result).toMatchObject({ decision: "accepted", by: "terminal" });
    // The tab stays, as Obsidian requires.
    const left = async () => {
      const { domListeners, ...rest } = await host.left();
      // From its first use on, the page's driver listens on its windows.
      const ours = ((domListeners ?? []) as string[]).filter((name) => !name.startsWith("window "));
      return [rest, ours];
    };
    await expect.poll(left).toEqual([{ leaves: ["idewire-review"] }, []]);
  },
);

test("after an update during a review, a notice and the tab say so, and the proposal can still be applied", async () => {
  const { host, propose } = await openFixture({ vaultFiles: { "A.md": note }, open: "A.md" });
  const edit = await propose("A.md", proposed);
  // An update in the app disables and enables the plugin.
  await host.disable();
  await host.enable();
  await host.notice(/updated before you decided about A\.md\. .* asks in its terminal now/);
  const tab = host.page.locator(".idewire-review");
  await tab.getByText("Idewire was updated").waitFor();
  edit.answerInTerminal("reject");
  expect(await edit.result).toMatchObject({ decision: "rejected", by: "terminal" });
  await tab.getByRole("button", { name: /^Apply it myself/ }).waitFor();
  await tab.getByText("garden", { exact: true }).waitFor();
  expect(host.read("A.md")).toBe(note);
});
