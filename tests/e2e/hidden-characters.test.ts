import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { joinAs, openTerminal, propose } from "../src/terminal-context.ts";

const OVERRIDE = 'if (role !== "user\u202e \u2066// only admins\u2069 \u2066") {\n';

describe("hidden characters are shown escaped, and a review reports on top how many it adds", () => {
  test("in a proposal, on arrival and during the review", async () => {
    const { run, lockFile, fixture } = await openTerminal();
    const agent = await joinAs(lockFile, "agent\u3164\u200b");
    const proposed = `${OVERRIDE}a\u180b\u034f\u2800b 👩‍💻 می‌خواهم\n`;
    void propose(agent, join(fixture.workspace, "auth\ufe0f.ts"), proposed, "tab\u17b4\u00a0name");
    const shown = await run.shows("accept, edit or reject?");
    const warning = "This proposal adds 7 hidden characters: U+2066 left-to-right isolate (2), ";
    expect(shown).toContain(warning);
    expect(shown.indexOf(warning)).toBeLessThan(shown.indexOf("role !=="));
    expect(shown).toContain('user\\u202e \\u2066// only admins\\u2069 \\u2066"');
    expect(shown).toContain("a\\u180b\\u034f\\u2800b 👩‍💻 می‌خواهم");
    expect(shown).toMatch(/agent\\u3164\\u200b \(s\d+\) proposes to create auth\\ufe0f\.ts/);
    expect(shown).toContain("tab\\u17b4\\u00a0name");
    const { length } = run.output;
    run.type("review");
    expect(await run.shows("accept this hunk?", length)).toContain(warning);
  });

  test("but not where it adds none", async () => {
    const { run, lockFile, fixture } = await openTerminal();
    const file = fixture.file("auth.ts", OVERRIDE);
    const agent = await joinAs(lockFile, "claude-code");
    void propose(agent, file, `${OVERRIDE}// 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️ ✓\n`);
    const shown = await run.shows("accept, edit or reject?");
    expect(shown).not.toContain("hidden character");
    expect(shown).toContain("user\\u202e \\u2066");
  });
});
