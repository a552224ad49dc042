import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { createTestVault } from "../obsidian-host/node/test-vault.ts";
import { verifies } from "../src/verifies.ts";
import { connect } from "./vault-tools-fixture.ts";

const vaultFiles = { "Note.md": "# Note\n\nSome words.\n" };

const wrong: readonly unknown[] = [
  undefined,
  null,
  [],
  "text",
  7,
  { filePath: 7, tab_name: [], old_file_path: null, uri: {}, file_path: true, paths: "x" },
  { filePath: "\0", tab_name: "\0", file_path: "\0", uri: "file://%zz" },
  { filePath: "relative.md", old_file_path: "relative.md", new_file_path: "x", tab_name: "y" },
  { filePath: "/".repeat(70_000), file_path: "/".repeat(70_000), tab_name: "x".repeat(70_000) },
];

verifies(
  "plugin:bad:arguments",
  "whatever arguments a tool is called with, it answers with a result or an error, and continues",
  async () => {
    const host = await start({ vaultFiles, open: "Note.md", settings: { share: "all" } });
    const client = await host.agents.raw();
    const { result } = await client.request("tools/list");
    const tools = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(tools.length).toBeGreaterThan(10);
    for (const name of [...tools, "nobody", ""]) {
      const call = (args: unknown) => client.request("tools/call", { name, arguments: args });
      for (const answer of await Promise.all(wrong.map(call))) {
        const output = JSON.stringify(answer);
        expect("result" in answer || "error" in answer, output).toBe(true);
        expect(output).not.toContain("Internal error");
      }
    }
    expect(host.read("Note.md")).toBe(vaultFiles["Note.md"]);
    expect(await host.page.locator(".idewire-review").count()).toBe(0);
    expect(JSON.stringify(await client.callTool("getOpenEditors", {}))).toContain("Note.md");
  },
);

verifies("plugin:bad:arguments", "so do the tools of the vault", async () => {
  const host = await start({ vaultFiles, settings: { vaultTools: true, vaultToolsChange: true } });
  const client = await connect(host);
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(4);
  const odd: readonly Record<string, unknown>[] = [
    { path: 7, query: {}, new_path: [] },
    { path: "\0", query: " ", new_path: "\0" },
    { path: "Note.md", query: "x", limit: -1, new_path: "../../x.md", remove: ["constructor"] },
    { path: "Note.md", query: "(".repeat(50_000), new_path: "a/".repeat(5_000), set: [] },
    { path: "Note.md", query: "x", new_path: `${"a".repeat(300)}.md`, set: { a: 1 } },
  ];
  for (const { name } of tools) {
    for (const args of odd) {
      const answer = await client.callTool({ name, arguments: args }).catch((error) => error);
      const output = `${name} ${JSON.stringify(args).slice(0, 200)}: ${answer}`;
      expect(output).not.toContain("Internal error");
    }
  }
  await expect.poll(() => host.read("Note.md")).toContain("Some words.");
});

verifies(
  "plugin:bad:names",
  "a name with every odd character is reported, read, reviewed, searched and sent",
  async () => {
    const name = 'Ä b\'c "d" $e `f` 100% {g} [h] #i &j =k ,l ;m !n (o) ~p @q 🌱 é.md';
    const testVault = createTestVault({ vaultFiles: { [name]: "Odd words.\n", "Note.md": "x\n" } });
    onTestFinished(() => testVault.remove());
    const settings = { vaultTools: true };
    const host = await start({ sameAs: testVault, open: name, settings });
    const path = join(host.vault, name);
    const claude = await host.agents.connect();
    await host.pointer.selectText("Odd");
    await claude.until("the selection", () => claude.badge?.includes("1 line"));
    const client = await host.agents.raw();
    const answer = await client.callTool("openFile", { filePath: path, startText: "words" });
    expect(JSON.stringify(answer)).not.toContain('success\\":false');
    const edit = claude.edit(path, "Odder words.\n");
    await host.page.locator(".idewire-review button:enabled", { hasText: "Accept file" }).click();
    expect((await edit.result).written).toBe("Odder words.\n");
    const tools = await connect(host);
    const described = await tools.callTool({ name: "describe_note", arguments: { path } });
    expect(JSON.stringify(described)).toContain("link");
    expect(claude.violations).toEqual([]);
  },
);

test("a diff of a folder of the vault is refused at once: no review opens", async () => {
  const host = await start({ vaultFiles: { "Plans/Note.md": "x\n" }, open: "Plans/Note.md" });
  const client = await host.agents.raw();
  const path = join(host.vault, "Plans");
  client.propose(path, "x\n");
  const answer = await client.answer(({ id }) => id === "diff");
  expect(JSON.stringify(answer)).toContain(`${path} is a folder; name a file`);
  expect(await host.page.locator(".idewire-review").count()).toBe(0);
});

verifies(
  ["plugin:bad:binary", "plugin:6:close-tab"],
  "a binary file is named and never read; a review is closed by its file's path",
  async () => {
    const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe, 0xc3, 0x28]);
    const host = await start({
      vaultFiles: { ...vaultFiles, "Art.png": bytes, "Fake.md": bytes },
      open: "Note.md",
    });
    const client = await host.agents.raw();
    for (const name of ["Art.png", "Fake.md"]) {
      const filePath = join(host.vault, name);
      const opened = await client.callTool("openFile", { filePath, startText: "x" });
      expect(JSON.stringify(opened), name).toContain("not text");
      expect(new Uint8Array(readFileSync(filePath)), name).toEqual(bytes);
    }
    const path = join(host.vault, "New.md");
    client.propose(path, "x\n");
    await host.page.locator(".idewire-review").waitFor();
    await client.callTool("close_tab", { tab_name: path });
    await host.page.locator(".idewire-review").waitFor({ state: "detached" });
    expect("result" in (await client.answer(({ id }) => id === "diff"))).toBe(true);
  },
);

verifies(
  ["plugin:bad:lock-directory", "plugin:bad:read-only-disk"],
  "a file in place of a folder is reported with its path, and unsaved settings still apply",
  async () => {
    const testVault = createTestVault({ vaultFiles });
    onTestFinished(() => testVault.remove());
    const lockFolder = join(testVault.home, ".claude");
    writeFileSync(lockFolder, "a file");
    const host = await start({ sameAs: testVault, open: "Note.md" });
    expect(await host.notice(/Agents cannot connect to this vault/)).toContain(lockFolder);
    expect(await host.cli("idewire:status")).toContain(lockFolder);
    const data = join(host.vault, ".obsidian/plugins/idewire/data.json");
    rmSync(data);
    mkdirSync(data);
    await host.commands.run("pause");
    await host.notice(/could not be saved/);
    await host.page.locator(".idewire-status").getByText("Not connected").waitFor();
    rmSync(lockFolder);
    await host.commands.run("connection");
    await host.page.getByRole("button", { name: "Reconnect" }).click();
    await host.agents.connect();
    await host.page.locator(".idewire-status").getByText("Paused").waitFor();
  },
);

verifies(
  ["plugin:bad:read-only-disk", "plugin:6:close-tab"],
  "a note that cannot be saved is neither closed nor lost",
  async () => {
    const host = await start({ vaultFiles, open: "Note.md", settings: { share: "all" } });
    const client = await host.agents.raw();
    await host.select([2, 0]);
    await host.page.keyboard.insertText("Typed. ");
    host.faults.push({ under: host.vault, code: "EROFS" });
    const filePath = join(host.vault, "Note.md");
    for (const tab_name of [filePath, "Note", "Note.md"]) {
      await client.callTool("close_tab", { tab_name });
      await expect.poll(() => host.drive("openTabs"), { message: tab_name }).toEqual(["Note"]);
    }
    expect(JSON.stringify(await client.callTool("saveDocument", { filePath }))).toContain("EROFS");
    await expect.poll(() => host.text()).toContain("Typed. Some");
    host.faults.splice(0);
    await client.callTool("close_tab", { tab_name: "Note.md" });
    await expect.poll(() => host.read("Note.md")).toContain("Typed. Some");
    await expect.poll(() => host.drive("openTabs")).not.toContain("Note");
    // Accepts the errors of the app's own attempts to save.
    await host.errors();
  },
);
