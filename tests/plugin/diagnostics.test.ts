import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import { shared } from "../obsidian-host/shared.ts";
import type { RawClient } from "../src/raw-client.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";

const vaultFiles = {
  "Note.md": "# Note\n\nSee [[Other#Here]].\n",
  "Other.md": "# Here\n\n[[Note]] ^b\n",
  "Broken.md": "---\ntags: one\n---\n\n[[Nowhere]] ![[gone.png]]\n\n```js\ncode\n",
};

interface Received {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly message: string;
    readonly severity: string;
    readonly range: { readonly start: { readonly line: number; readonly character: number } };
    readonly source?: string;
    readonly code?: string;
  }[];
}

/** The diagnostics that an agent receives for one file, or for all by default. */
async function ask(
  agent: RawClient,
  host: ObsidianHost,
  path?: string,
): Promise<readonly Received[]> {
  const named = path === undefined ? {} : { uri: `file://${join(host.vault, path)}` };
  const { content } = await agent.callTool("getDiagnostics", named);
  const [{ text } = { text: "[]" }] = content as { text: string }[];
  return JSON.parse(text) as Received[];
}

function places(received: readonly Received[]): readonly string[] {
  return received.flatMap(({ diagnostics }) =>
    diagnostics.map(({ range: { start }, code }) => `${start.line}:${start.character} ${code}`),
  );
}

describe("an agent", () => {
  verifies(
    "plugin:5:after-edit",
    "is notified of problems that its edit caused, in open notes and in others",
    async () => {
      const host = await start({ vaultFiles, open: "Note.md" });
      const claude = await host.agents.connect();
      for (const name of ["Note.md", "Other.md"]) {
        const edit = claude.edit(
          join(host.vault, name),
          "# Here\n\n[[Other#Nowhere]] [[Nobody]]\n",
        );
        edit.answerInTerminal("accept");
        const { newDiagnostics } = await edit.result;
        expect(newDiagnostics).toContain('There is no heading "Nowhere" in Other.md');
        expect(newDiagnostics).toContain('[Line 3:19] There is no note "Nobody"');
      }
      expect(claude.violations).toEqual([]);
      await host.disable();
      expect(await host.leaks()).toEqual({});
    },
  );

  verifies(
    "plugin:5:new-note",
    "is not notified of a link to a note that it has just created",
    async () => {
      const host = await start({ vaultFiles, open: "Note.md" });
      const claude = await host.agents.connect();
      host.write("Fresh.md", "# Start\n");
      const edit = claude.edit(join(host.vault, "Other.md"), "# Here\n\n[[Fresh#Start]] ^b\n");
      edit.answerInTerminal("accept");
      expect((await edit.result).newDiagnostics ?? "").toBe("");
    },
  );

  verifies(
    ["plugin:5:unsaved", "plugin:5:linters"],
    "receives the findings of unsaved text, and of linters of other plugins",
    async () => {
      const host = await start({ vaultFiles, open: "Note.md" });
      const agent = await host.agents.raw();
      await host.select([2, 0]);
      await host.page.keyboard.insertText("[[Typed]] ");
      expect(places(await ask(agent, host))).toEqual(["2:0 missing-note"]);
      await host.page.evaluate(`{
      const { cm } = app.workspace.activeEditor.editor;
      const { setDiagnostics } = require("@codemirror/lint");
      const found = { from: 2, to: 6, severity: "info", message: "Too short", source: "prose" };
      cm.dispatch(setDiagnostics(cm.state, [found]));
    }`);
      const [received] = await ask(agent, host, "Note.md");
      expect(received?.diagnostics.at(-1)).toMatchObject({
        message: "Too short",
        source: "prose",
        range: { start: { line: 0, character: 2 } },
      });
    },
  );
});

verifies(
  "plugin:5:only-changes",
  "an agent is notified again only when a list has changed",
  async () => {
    const host = await start({ vaultFiles, open: "Note.md" });
    const agent = await host.agents.raw();
    const pushed = () => agent.receivedOf("diagnostics_changed");
    // Until then, the agent receives no notifications.
    await until("the note that is open", () => agent.receivedOf("selection_changed").length > 0);
    await host.select([2, 0]);
    await host.page.keyboard.insertText("No link at all. ");
    await host.page.keyboard.insertText("[[Typed]] ");
    await until("the first push", () => pushed().length === 1);
    host.write("Typed.md", "Now it is there.\n");
    await until("the second push", () => pushed().length === 2);
    expect(pushed()[1]?.["params"]).toMatchObject({ diagnostics: [] });
  },
);

verifies(
  "plugin:5:excluded",
  "an agent receives nothing about excluded notes, or their content",
  async () => {
    const host = await start({
      vaultFiles: {
        "Mine.md": "---\nagent: false\n---\n[[Nowhere]]\n",
        "Private/Deep.md": "[[Nowhere]]\n",
        "Note.md": "[[Mine#No heading]] [[Deep#^none]] [[Nowhere]]\n",
      },
      settings: { excludedFolders: ["Private"] },
      open: "Mine.md",
    });
    const agent = await host.agents.raw();
    for (const path of ["Mine.md", "Private/Deep.md"]) {
      expect(places(await ask(agent, host, path))).toEqual([]);
    }
    expect(places(await ask(agent, host, "Note.md"))).toEqual(["0:35 missing-note"]);
    expect((await ask(agent, host)).map(({ uri }) => uri)).toEqual([
      `file://${join(host.vault, "Note.md")}`,
    ]);
    expect(await host.cli("idewire:check")).toBe(
      '1 warning found in 1 note. Excluded notes left out: 2.\nNote.md:1:36 warning: There is no note "Nowhere"',
    );
    await host.commands.run("check-all-notes");
    await host.page
      .getByText("Found in 1 note: 1 warning. 2 excluded notes were skipped.")
      .waitFor();
  },
);

describe("the problems of a vault", () => {
  const app = shared({ vaultFiles });

  verifies(
    "plugin:5:one-note",
    "an agent asks for one note and gets every finding at its place",
    async () => {
      const host = app();
      const agent = await host.agents.raw();
      expect(places(await ask(agent, host, "Broken.md"))).toEqual([
        "1:0 property-is-no-list",
        "4:0 missing-note",
        "4:12 missing-embed",
        "6:0 unclosed-code",
      ]);
      expect(places(await ask(agent, host, "Other.md"))).toEqual([]);
      expect(await ask(agent, host)).toHaveLength(2);
    },
  );

  verifies("plugin:5:report", "a report lists it, and leads to it", async () => {
    const host = app();
    const { page } = host;
    expect(await host.commands.run("check-all-notes")).toBe(true);
    const report = page.locator(".idewire-report");
    await report.getByText("Found in 3 notes: 1 error, 2 warnings, 1 info").waitFor();
    await host.screenshot("report");
    await report.getByText('There is no file "gone.png" to embed').click();
    const selected = "app.workspace.activeEditor?.editor.getSelection()";
    await page.waitForFunction(`${selected} === "![[gone.png]]"`);
  });
});

describe("the report of a vault", () => {
  verifies(
    "plugin:5:progress",
    "of many notes shows its progress, can be stopped, and does not block the app",
    async () => {
      const many = Array.from({ length: 300 }, (_, at) => [`n/${at}.md`, "[[Nowhere]]\n"] as const);
      const host = await start({
        vaultFiles: { ...Object.fromEntries(many), "Note.md": "x\n" },
      });
      const { page } = host;
      // Reads hang after a hundred notes, so that a button can be pressed meanwhile.
      await page.evaluate(`{
        const read = app.vault.cachedRead.bind(app.vault);
        const stop = new Promise((resolve) => { globalThis.goOn = resolve; });
        let left = 100;
        app.vault.cachedRead = async (file) => {
          if (left-- <= 0) await stop;
          return read(file);
        };
      }`);
      const report = page.locator(".idewire-report");
      await host.commands.run("check-all-notes");
      await report.getByText(/\d+ of 301 notes checked/).waitFor();
      await report.getByRole("button", { name: "Stop" }).click();
      await page.evaluate("goOn()");
      await report.getByText(/Stopped after \d+ of 301 notes\./).waitFor();
      await report.getByRole("button", { name: "Check again" }).click();
      await report.getByText(/Found in 301 notes: 300 warnings/).waitFor();
      expect(await report.locator("progress").count()).toBe(0);
    },
  );

  test("is correct when the targets of links have changed, appeared or disappeared since the last one", async () => {
    const host = await start({
      vaultFiles: { "From.md": "[[To#Plan]] [[Gone]]\n", "To.md": "# Plan\n" },
    });
    const { page } = host;
    const heading = (path: string) =>
      `app.metadataCache.getCache("${path}")?.headings?.[0].heading`;
    const found = async (text: string) => {
      await host.commands.run("check-all-notes");
      await expect.poll(() => page.locator(".idewire-report").textContent()).toContain(text);
    };
    await found("Found in 2 notes: 1 warning.");
    host.write("To.md", "# Other\n");
    await page.waitForFunction(`${heading("To.md")} === "Other"`);
    await found("Found in 2 notes: 2 warnings.");
    host.write("Gone.md", "# Here\n");
    await page.waitForFunction(`${heading("Gone.md")} === "Here"`);
    await found("Found in 3 notes: 1 warning.");
    host.write("From.md", "[[To]]\n");
    await page.waitForFunction("app.metadataCache.getCache('From.md').links[0].link === 'To'");
    await found("No problems found in 3 notes.");
  });
});
