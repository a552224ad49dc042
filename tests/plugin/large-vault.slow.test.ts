import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { start } from "../obsidian-host/index.ts";

/** As a person's notes are: some 2 kB, with headings, links, lists and now and then a mistake. */
function note(at: number): string {
  const link = (step: number) => `[[Note ${(at + step) % 10_000}#Plan]]`;
  const paragraph = `Some words about ${link(1)} and **others**, see ${link(7)} for more of it.\n\n`;
  const list = `- [ ] do this\n- [x] and ![[Note ${at}]]\n  - below it, \`code\`\n\n`;
  const mistake = at % 50 === 0 ? "[[Nowhere]]\n" : "";
  const body = `${paragraph}${list}\`\`\`js\ncode();\n\`\`\`\n\n`.repeat(6);
  return `---\ntags: [a, b]\nup: "${link(3)}"\n---\n\n# Title\n\n## Plan\n\n${body}${mistake}`;
}

interface Figures {
  readonly tookMs: number;
  readonly longestMs: number;
}

test("10,000 notes delay no start, are checked in seconds, and nobody who types is kept waiting", {
  timeout: 600_000,
}, async () => {
  const notes = Array.from({ length: 10_000 }, (_, at) => [`Note ${at}.md`, note(at)] as const);
  const host = await start({ vaultFiles: Object.fromEntries(notes) });
  await host.page.evaluate(`{
    globalThis.longest = 0;
    const look = (list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    };
    new PerformanceObserver(look).observe({ type: "longtask" });
    globalThis.started = performance.now();
  }`);
  await host.commands.run("check-all-notes");
  await host.page.getByText(/Found in 10000 notes: 200 warnings/).waitFor({ timeout: 300_000 });
  const { tookMs, longestMs } = (await host.page.evaluate(
    "({ tookMs: performance.now() - started, longestMs: longest })",
  )) as Figures;
  const { readyMs } = host.times;
  // `pnpm bench` reads them here.
  const file = process.env["IDEWIRE_FIGURES"];
  if (file !== undefined) writeFileSync(file, JSON.stringify({ readyMs, tookMs, longestMs }));
  const figures = [readyMs, tookMs, longestMs].map((ms) => Math.round(ms));
  console.info(`10,000 notes: start, check, longest task: ${figures.join(", ")} ms`);
  // The limits are 50 ms, 5 s and 50 ms on an idle machine.
  expect(readyMs).toBeLessThan(250);
  expect(tookMs).toBeLessThan(25_000);
  expect(longestMs).toBeLessThan(250);
});
