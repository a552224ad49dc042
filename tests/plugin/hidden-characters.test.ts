import { describe, expect, test } from "vitest";
import { sharedFixture } from "./review-fixture.ts";

const RAW = /[\u202a-\u202e\u2066-\u2069\u200b\u3164]|\u034f/u;

describe("hidden characters in the vault", () => {
  const enter = sharedFixture({
    vaultFiles: { "Plan.md": "old \u202b line\n\nsame\n" },
    open: "Plan.md",
  });

  test("a review shows each, counts the added ones on top, and accepts them as they were sent", async () => {
    const { host, propose, person } = await enter();
    const proposed = "new \u202e\u2066line\u2069 x\u200by\u3164z\u034f 👩🏽‍🚀\n\nsame\n";
    const edit = await propose("Plan.md", proposed);
    await person.untilArmed();
    await person.untilBanners(
      "This proposal adds 6 hidden characters: U+034F combining grapheme joiner, U+200B zero width space, U+202E right-to-left override, U+2066 left-to-right isolate, U+2069 pop directional isolate, U+3164 Hangul filler.",
    );
    const review = person.page.locator(".idewire-review");
    expect(await review.locator(".idewire-banner").getAttribute("role")).toBe("alert");
    const pills = review.locator(".cm-line .cm-hidden-character");
    await expect
      .poll(async () => (await pills.allTextContents()).filter((number) => number !== "U+202B"))
      .toEqual(["U+202E", "U+2066", "U+2069", "U+200B", "U+3164", "U+034F"]);
    expect(await review.textContent()).not.toMatch(RAW);
    await person.press("Accept file");
    expect((await edit.result).written).toBe(proposed);
    expect(host.read("Plan.md")).toBe(proposed);
  });
});
