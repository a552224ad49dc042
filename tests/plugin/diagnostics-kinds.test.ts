import { join } from "node:path";
import { expect } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";

const broken = `---
up: "[[Nowhere]]"
up: two
---
[[Nowhere]] ![[gone.png]] [[Other#Nothing]] [[Other#^none]] [[Twice]]

One ^b

Two ^b

A note[^1].

%% comment

\`\`\`js
code
`;
const vaultFiles = {
  "Broken.md": broken,
  "Tags.md": "---\ntags: one\n---\n",
  "Bad.md": "---\na: [\n---\n",
  "Tabs.md": "---\na:\n\tb: 1\n---\n",
  "Code.md": "```js\ncode\n",
  "Math.md": "$$\nx\n",
  "Other.md": "# Here\n",
  "A/Twice.md": "x\n",
  "B/Twice.md": "x\n",
};

verifies(
  "plugin:5:kinds",
  "each kind of mistake is found: links, headings, blocks, properties, footnotes, unclosed blocks",
  async () => {
    const host = await start({ vaultFiles });
    const agent = await host.agents.raw();
    const codes = async (name: string) => {
      const uri = `file://${join(host.vault, name)}`;
      const { content } = await agent.callTool("getDiagnostics", { uri });
      const [{ text } = { text: "[]" }] = content as { text: string }[];
      const files = JSON.parse(text) as { diagnostics: { code: string }[] }[];
      return files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)).sort();
    };
    // Excluded until its properties, which are invalid YAML, have been read.
    await expect
      .poll(() => codes("Broken.md"))
      .toEqual([
        "ambiguous-link",
        "missing-block",
        "missing-embed",
        "missing-footnote",
        "missing-heading",
        "missing-note",
        "missing-note",
        "repeated-block",
        "repeated-property",
        "unclosed-comment",
      ]);
    await expect.poll(() => codes("Bad.md")).toContain("invalid-properties");
    expect(await codes("Tags.md")).toEqual(["property-is-no-list"]);
    await expect.poll(() => codes("Tabs.md")).toContain("tab-in-properties");
    expect(await codes("Code.md")).toEqual(["unclosed-code"]);
    expect(await codes("Math.md")).toEqual(["unclosed-math"]);
    expect(await codes("Other.md")).toEqual([]);
  },
);

verifies(
  "plugin:5:cap",
  "a report lists two thousand findings, and states the number of the others",
  async () => {
    // A single note reports at most a hundred.
    const many = "[[Nowhere]]\n".repeat(150);
    const notes = Array.from({ length: 21 }, (_, at) => [`${at}.md`, many] as const);
    const host = await start({ vaultFiles: Object.fromEntries(notes) });
    const output = await host.cli("idewire:check");
    expect(output.split("\n")[0]).toBe(
      "2100 warnings found in 21 notes. The first 2000 of 2100 are listed.",
    );
    expect(output.split("\n")).toHaveLength(2_001);
    await host.commands.run("check-all-notes");
    const report = host.page.locator(".idewire-report");
    await report.getByText("Found in 21 notes: 2100 warnings").waitFor();
    await report.getByText("The first 2000 of 2100 are listed.").waitFor();
  },
);
