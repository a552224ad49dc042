import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";
import { connect, type } from "./vault-tools-fixture.ts";

const vaultFiles = {
  "Plan.md":
    '---\nstatus: "open" # since May\ntags: [garden]\n---\n# Plan\n\nSee [[Beds]] for the carrots.\n',
  "Beds.md": "# Beds\n\nCarrots in the north.\n",
  "Private/Diary.md": "Carrots, secretly. [[Beds]]\n",
  "Garden/Bed.md": "A bed.\n",
  "Index.md": "All of it: [[Bed]]\n",
};
const settings = { vaultTools: true, vaultToolsChange: true, excludedFolders: ["Private"] };

verifies(
  "plugin:9:tools",
  "a note is renamed with its links, its properties are changed, and it is found",
  async () => {
    const host = await start({ vaultFiles, settings });
    const client = await connect(host);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "search_vault",
      "describe_note",
      "rename_note",
      "set_properties",
    ]);
    const renamed = await type(client, "rename_note", {
      path: "Beds.md",
      new_path: "Garden/All beds",
    });
    expect(renamed).toContain("Renamed Beds.md to Garden/All beds.md");
    expect(host.read("Garden/All beds.md")).toBe(vaultFiles["Beds.md"]);
    await expect.poll(() => host.read("Plan.md")).toContain("All beds]]");
    await type(client, "set_properties", {
      path: "Plan.md",
      set: { status: "done" },
      remove: ["tags"],
    });
    await expect.poll(() => host.read("Plan.md")).toMatch(/^---\nstatus: done\n---\n# Plan/);
    // Comments and quotes are lost, as the description warns the model.
    const described = tools.find(({ name }) => name === "set_properties")?.description;
    expect(described).toContain("comments and quotes among them are lost; the text of the note is");
    const found = await type(client, "search_vault", { query: "carrots" });
    expect(found).toContain("Garden/All beds.md:3: Carrots in the north.");
    expect(found).not.toContain("Diary");
    await type(client, "rename_note", { path: "Plan.md", new_path: "Plan 1.2" });
    expect(host.read("Plan 1.2.md")).toContain("# Plan");
    const unlinkable = { path: "Plan 1.2.md", new_path: "Plan #2.md" };
    expect(await type(client, "rename_note", unlinkable)).toContain("would break links");
  },
);

verifies(
  "plugin:9:tools-private",
  "excluded notes are indistinguishable from missing ones",
  async () => {
    const host = await start({ vaultFiles, settings });
    const client = await connect(host);
    const described = await type(client, "describe_note", { path: "Beds.md" });
    expect(JSON.parse(described)).toMatchObject({ path: "Beds.md", backlinks: ["Plan.md"] });
    for (const [tool, args] of [
      ["describe_note", { path: "Private/Diary.md" }],
      ["rename_note", { path: "Private/Diary.md", new_path: "Mine.md" }],
      ["set_properties", { path: "Private/Diary.md", set: { a: 1 } }],
      ["describe_note", { path: "../elsewhere.md" }],
      ["describe_note", { path: "/etc/passwd" }],
    ] as const) {
      expect(await type(client, tool, args)).toMatch(/There is no file|does not name a file/);
    }
    const into = { path: "Beds.md", new_path: "Private/Beds.md" };
    expect(await type(client, "rename_note", into)).toContain("not for agents");
    expect(await type(client, "rename_note", { path: "Beds.md", new_path: "Plan.md" })).toContain(
      "is taken",
    );
    const taken = { path: "Beds.md", new_path: "Private/Diary.md" };
    expect(await type(client, "rename_note", taken)).toContain("not for agents");
    const agent = { path: "Plan.md", set: { agent: true } };
    expect(await type(client, "set_properties", agent)).toContain("cannot be changed");
    expect(host.read("Private/Diary.md")).toBe(vaultFiles["Private/Diary.md"]);
  },
);

verifies(
  "plugin:9:tools-private",
  "a tag in the properties is a tag; no link leads outside; nothing is returned while sharing is paused",
  async () => {
    const host = await start({ vaultFiles, settings });
    const client = await connect(host);
    expect(JSON.parse(await type(client, "describe_note", { path: "Plan.md" }))).toMatchObject({
      tags: ["#garden"],
    });
    const outside = join(host.home, "outside.md");
    writeFileSync(outside, "Carrots of somebody else\n");
    symlinkSync(outside, join(host.vault, "Led.md"));
    host.write("Later.md", "Carrots, later\n");
    const search = () => type(client, "search_vault", { query: "carrots" });
    await expect.poll(search).toContain("Later.md");
    expect(await search()).not.toContain("somebody else");
    expect(await type(client, "describe_note", { path: "Led.md" })).toContain("There is no file");
    await host.commands.run("pause");
    for (const [tool, args] of [
      ["search_vault", { query: "carrots" }],
      ["describe_note", { path: "Plan.md" }],
    ] as const) {
      expect(await type(client, tool, args)).toContain("Sharing is off or paused");
    }
  },
);

verifies(
  "plugin:9:tools-change",
  "they are read-only until the person allows changes, and then change notes in the chosen folders alone",
  async () => {
    const host = await start({ vaultFiles, settings: { ...settings, vaultToolsChange: false } });
    const client = await connect(host);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(["search_vault", "describe_note"]);
    await host.settings.open("Vault tools");
    const setting = host.page.locator(".setting-item", { hasText: "Agents may change notes" });
    const toggle = () => setting.locator(".checkbox-container").click();
    await toggle();
    await expect.poll(names).toContain("rename_note");
    await host.page.getByRole("button", { name: "Allow changes in a folder" }).click();
    await host.page.locator(".suggestion-item").getByText("Garden").click();
    await expect.poll(() => host.read(".obsidian/plugins/idewire/data.json")).toContain("Garden");
    for (const [tool, args] of [
      ["rename_note", { path: "Garden/Bed.md", new_path: "Bed.md" }],
      ["rename_note", { path: "Plan.md", new_path: "Garden/Plan.md" }],
      ["rename_note", { path: "Garden/Bed.md", new_path: "Gardens/Bed.md" }],
      ["set_properties", { path: "Plan.md", set: { a: 1 } }],
    ] as const) {
      expect(await type(client, tool, args)).toContain("allows changes only in Garden");
    }
    const inside = { path: "Garden/Bed.md", new_path: "Garden/Beds/Compost.md" };
    expect(await type(client, "rename_note", inside)).toContain("Renamed");
    // Only links to the note change in other notes, as the person and the model were told.
    await expect.poll(() => host.read("Index.md")).toBe("All of it: [[Compost]]\n");
    expect(await setting.textContent()).toContain("Links to a renamed note change in all notes");
    await toggle();
    await expect.poll(names).not.toContain("rename_note");
    const call = {
      name: "set_properties",
      arguments: { path: "Garden/Beds/Bed.md", set: { a: 1 } },
    };
    await expect(client.callTool(call)).rejects.toThrow("Unknown tool");
    expect(host.read("Plan.md")).toBe(vaultFiles["Plan.md"]);
  },
);

verifies(
  "plugin:9:tools-offer",
  "they are offered only while the person has enabled them, and leave nothing behind",
  async () => {
    const host = await start({ vaultFiles });
    await host.settings.open("Vault tools");
    await host.page.getByText("Add them to an agent").click();
    await host.notice(/Turn on the vault tools first/);
    await host.settings.close();
    await host.disable();
    expect(await host.leaks()).toEqual({});
    const other = await start({ vaultFiles, settings });
    await connect(other);
    await other.disable();
    expect(await other.leaks()).toEqual({});
  },
);
