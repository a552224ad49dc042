import { join } from "node:path";
import { expect } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";
import { connect, type } from "./vault-tools-fixture.ts";

const kept = "---\nagent: false\n---\nKept carrots. [[Nowhere]]\n";
const vaultFiles = {
  "Open.md": "Carrots. See [[Kept]] and [[Never]].\n",
  "Later.md": "Later carrots.\n",
  "Kept.md": kept,
};
const settings = { vaultTools: true, vaultToolsChange: true, share: "all" };

verifies(
  "plugin:7:existence",
  "no answer distinguishes an excluded note from a missing one",
  async () => {
    const host = await start({ vaultFiles, settings, open: "Kept.md" });
    const agent = await host.agents.raw();
    const client = await connect(host);
    const ask = async (name: string) => {
      const path = join(host.vault, `${name}.md`);
      const calls = [
        ["openFile", { filePath: path }],
        ["openFile", { filePath: path, startText: "Kept", makeFrontmost: false }],
        ["open_files", { file_paths: [path] }],
        ["getDiagnostics", { uri: `file://${path}` }],
        ["checkDocumentDirty", { filePath: path }],
        ["saveDocument", { filePath: path }],
      ] as const;
      const output: unknown[] = [];
      for (const [tool, args] of calls) output.push(tool, await agent.callTool(tool, args));
      const change = { path, new_path: "Mine.md", set: { a: 1 } };
      for (const tool of ["describe_note", "rename_note", "set_properties"]) {
        output.push(tool, await type(client, tool, change));
      }
      return JSON.stringify(output).replaceAll(name, "NAME");
    };
    expect(await ask("Kept")).toBe(await ask("Never"));
    const { links, unresolved } = JSON.parse(
      await type(client, "describe_note", { path: "Open.md" }),
    );
    expect([links, unresolved.sort()]).toEqual([[], ["Kept", "Never"]]);
    expect(host.read("Kept.md")).toBe(kept);
  },
);

verifies(
  "plugin:7:existence",
  "nor does an attempt to replace it, by a new name or a proposal; and nothing is overwritten",
  async () => {
    const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);
    const files = { ...vaultFiles, "Diary/Art.png": bytes, "Diary/Day.md": "Dear diary.\n" };
    const host = await start({
      vaultFiles: files,
      settings: { ...settings, excludedFolders: ["Diary"] },
    });
    const agent = await host.agents.raw();
    const client = await connect(host);
    const move = async (new_path: string) => {
      const output = await type(client, "rename_note", { path: "Open.md", new_path });
      return output.replaceAll(new_path, "NAME");
    };
    const refused = await move("Kept.md");
    // The refusal is the same for a visible note, an excluded note, and a missing one.
    for (const path of ["Later.md", "Diary/Day.md", "Diary/Never.md", "DIARY/day.md", "kept.MD"]) {
      expect(await move(path), path).toBe(refused);
    }
    expect(await move("Kept.md/x.md")).toBe(await move("Never.md/x.md"));
    expect(host.read("Open.md")).toBe(files["Open.md"]);
    const propose = async (name: string) => {
      const path = join(host.vault, name);
      const answer = agent.callTool("openDiff", {
        ...{ old_file_path: path, new_file_path: path },
        ...{ new_file_contents: "Mine.\n", tab_name: "A change" },
      });
      const button = host.page.locator(".idewire-review button:enabled");
      await button.filter({ hasText: "Reject file" }).click();
      const output = JSON.stringify(await answer);
      await host.page.locator(".idewire-review").waitFor({ state: "detached" });
      return output;
    };
    const nothing = await propose("Diary/Never.png");
    for (const name of ["Diary/Art.png", "Diary", "Diary/Day.md", "Kept.md", "Never.md"]) {
      expect(await propose(name), name).toBe(nothing);
    }
    expect(host.read("Kept.md")).toBe(kept);
  },
);

/** Runs an action while a search reads a note. */
const meanwhile = (path: string, act: string) => `
  const read = app.vault.cachedRead.bind(app.vault);
  app.vault.cachedRead = async (file) => {
    const text = await read(file);
    if (file.path === ${JSON.stringify(path)}) await (${act})(file);
    return text;
  };`;

verifies(
  "plugin:7:existence",
  "a note that the person excludes during a search is not in its answer",
  async () => {
    const host = await start({ vaultFiles, settings, open: "Open.md" });
    const client = await connect(host);
    const search = () => type(client, "search_vault", { query: "carrots" });
    expect(await search()).toContain("Later carrots");
    await host.page.evaluate(
      meanwhile(
        "Later.md",
        `async (file) => {
          if (app.metadataCache.getFileCache(file).frontmatter) return;
          const known = new Promise((resolve) => {
            const ref = app.metadataCache.on("changed", ({ path }) => {
              if (path !== file.path) return;
              app.metadataCache.offref(ref);
              resolve();
            });
          });
          await app.vault.process(file, (text) => "---\\nagent: false\\n---\\n" + text);
          await known;
        }`,
      ),
    );
    const found = await search();
    expect(found).toContain("Open.md:1");
    expect(found).not.toContain("Later");
    await host.page.evaluate(
      meanwhile("Open.md", `async () => app.commands.executeCommandById("idewire:pause")`),
    );
    expect(await search()).toContain("Sharing is off or paused");
  },
);
