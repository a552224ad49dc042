import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../src/temporary-folder.ts";
import { verifies } from "../src/verifies.ts";
import { openFixture, sharedFixture } from "./review-fixture.ts";

const files: Record<string, readonly [before: string, proposed: string, written: string]> = {
  "crlf.md": ["a\r\nb\r\n\r\nc\r\n", "a\r\nB\r\n\r\nC\r\n", "a\r\nb\r\n\r\nC\r\n"],
  "mixed.md": ["a\r\nb\n\nc", "a\r\nB\n\nC", "a\r\nb\n\nC"],
  "mark.md": ["\uFEFFa\nb\n\nc\n", "\uFEFFa\nB\n\nC\n", "\uFEFFa\nb\n\nC\n"],
  "restyled.md": ["a\r\nb\r\n\r\nc\r\n", "a\nB\n\nC\n", "a\nb\n\nC\n"],
};

describe("a review", () => {
  const enter = sharedFixture({
    vaultFiles: {
      ...Object.fromEntries(Object.entries(files).map(([name, [text]]) => [name, text])),
      "Old.md": "old\n",
      "Art.png": new Uint8Array([137, 80, 78, 71, 0, 0]),
      "Latin.md": new Uint8Array(Buffer.from("caf\xe9\r\none\r\n", "latin1")),
      "Wide.md": new Uint8Array(Buffer.from("\uFEFFa\nb\n", "utf16le")),
    },
  });

  verifies(
    "plugin:4:line-endings",
    "line endings, byte order marks and final newlines are kept, through decisions and edits",
    async () => {
      const { host, propose, person } = await enter();
      for (const [name, [, proposed, written]] of Object.entries(files)) {
        const edit = await propose(name, proposed);
        await person.untilName(name);
        // No badge: an agent that proposes LF for a file with CRLF restores it when it writes.
        await person.untilBadges();
        await person.decide("reject");
        await person.press("Accept file");
        expect((await edit.result).written).toBe(written);
        expect(host.read(name)).toBe(written);
      }
    },
  );

  verifies(
    "plugin:4:new-and-deleted",
    "new, emptied and outside files are marked as such; binary files are pending like others",
    async () => {
      const outside = temporaryFolder("idewire-outside-");
      writeFileSync(join(outside, "x.md"), "far\n");
      const { host, propose, person } = await enter();

      const created = await propose("Sub/New.md", "fresh\n");
      await person.untilName("Sub/New.md");
      await person.untilBadges("New file");
      await person.press("Reject file");
      expect((await created.result).decision).toBe("rejected");

      const emptied = await propose("Old.md", "");
      await person.untilName("Old.md");
      await person.untilBadges("Empties the file");
      await person.press("Accept file");
      expect((await emptied.result).written).toBe("");

      const far = await propose(join(outside, "x.md"), "near\n");
      await person.untilName(join(outside, "x.md"));
      const where = `Outside the vault. The agent would write ${join(outside, "x.md")}, which is not in the vault.`;
      await person.untilBanners(where);
      await person.press("Accept file");
      await person.press("Do not accept");
      await person.untilBanners(where);
      expect(readFileSync(join(outside, "x.md"), "utf8")).toBe("far\n");
      await person.press("Accept file");
      await person.press("Accept outside the vault");
      await far.result;
      expect(readFileSync(join(outside, "x.md"), "utf8")).toBe("near\n");

      // An immediate answer would reveal to the agent that the file exists.
      const picture = await propose("Art.png", "text");
      await person.untilName("Art.png");
      await host.page.getByText("The current text cannot be shown").waitFor();
      await person.press("Reject file");
      expect((await picture.result).decision).toBe("rejected");
    },
  );

  test("a note in another encoding is compared as text, and its lost bytes are counted", async () => {
    const { host, propose, person } = await enter();
    const latin = await propose("Latin.md", "caf\uFFFD\nONE\n");
    await person.untilName("Latin.md");
    await host.page.getByText("The file is not UTF-8: 1 byte cannot be preserved.").waitFor();
    await person.untilStatus("1 hunk left");
    await person.press("Reject file");
    expect((await latin.result).decision).toBe("rejected");

    const wide = await propose("Wide.md", "\uFEFFa\nB\n");
    await person.untilName("Wide.md");
    await person.untilStatus("1 hunk left");
    expect(await host.page.getByText("cannot be").count()).toBe(0);
    await person.press("Reject file");
    expect((await wide.result).decision).toBe("rejected");
  });

  verifies(
    "plugin:bad:fifty-diffs",
    "of fifty reviews at once one is shown, and all can be rejected",
    async () => {
      const { host, agent, person } = await enter();
      const paths = Array.from({ length: 50 }, (_, i) => join(host.vault, `N${i}.md`));
      const all = paths.map((path, i) => agent.edit(path, `${i}\n`));
      await host.page.locator(".idewire-review-queue", { hasText: "1 of 50" }).waitFor();
      expect(await host.page.locator(".idewire-review").count()).toBe(1);
      await host.commands.run("review-reject-all");
      const results = await Promise.all(all.map(({ result }) => result));
      expect(results.every(({ decision }) => decision === "rejected")).toBe(true);
      await person.untilClosed();
    },
  );

  verifies(
    "plugin:4:ends",
    "a hundred reviews whose agent disconnects are one notice",
    async () => {
      const { host, person } = await enter();
      const other = await host.agents.connect();
      for (let i = 0; i < 100; i++) void other.edit(join(host.vault, `G${i}.md`), `${i}\n`);
      await host.page.locator(".idewire-review-queue", { hasText: "1 of 100" }).waitFor();
      const before = (await host.notices()).length;
      await other.exit();
      await host.notice(/disconnected before you decided about 100 reviews/);
      await person.untilClosed();
      expect(await host.notices()).toHaveLength(before + 1);
    },
  );
});

const years = (lines: number) =>
  Array.from(
    { length: lines },
    (_, i) => `Line ${i} of a note that somebody has kept for years.\n`,
  );

verifies(
  "plugin:bad:five-megabytes",
  "five megabytes, every line changed, and one endless line are shown, and the app goes on",
  async () => {
    const large = years(95_000).join("");
    const endless = "word ".repeat(60_000);
    const changed = years(20_000).join("");
    const vaultFiles = { "Large.md": large, "Changed.md": changed, "Endless.md": endless };
    const { host, propose, person } = await openFixture({ vaultFiles });
    const proposals = [
      ["Large.md", large.replace(/Line (\d+)000 of/g, "Line $1000, changed, of")],
      ["Changed.md", changed.replaceAll("years", "months")],
      ["Endless.md", endless.replace("word word", "word, word")],
    ] as const;
    for (const [name, text] of proposals) {
      const pending = await propose(name, text);
      await person.untilName(name);
      await host.page
        .locator(".idewire-review .cm-changedLine, .idewire-review .cm-changedText")
        .first()
        .waitFor();
      await person.press("Accept file");
      expect((await pending.result).written === text).toBe(true);
    }
  },
);
