import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";

const note = "# Plan\n\nWe meet in the park.\n\nThe soil for all five beds is dear.\n";

/** Starts an app with a comment on the third line of the plan. */
async function open(settings: Record<string, unknown>) {
  const host = await start({ vaultFiles: { "Plan.md": note }, open: "Plan.md", settings });
  await host.select([2, 0], [2, 0]);
  await host.commands.run("add-comment");
  const pane = host.page.locator(".idewire-comments");
  await pane.getByRole("combobox", { name: "Tag" }).selectOption("TODO");
  await pane.getByRole("textbox", { name: "Text" }).fill("Ask the gardener");
  await host.page.keyboard.press("Control+Enter");
  await pane.locator(".idewire-comment").waitFor();
  const claude = await host.agents.connect();
  /** What the model receives after it has written a text. */
  const edit = async (text: string) => {
    const written = claude.edit(join(host.vault, "Plan.md"), text);
    written.answerInTerminal("accept");
    return (await written.result).newDiagnostics;
  };
  return { host, claude, edit };
}

async function selectMeeting(host: ObsidianHost) {
  await host.page.evaluate("app.workspace.iterateAllLeaves((leaf) => leaf.view.editor?.focus())");
  await host.select([2, 0], [2, 7]);
}

describe("an agent", () => {
  verifies(
    "plugin:9:comments-told",
    "receives comments after its edit, and with the selection at the level all, if the person enables it",
    async () => {
      const { host, claude, edit } = await open({ tellComments: true, share: "all" });
      await selectMeeting(host);
      await expect
        .poll(async () => JSON.stringify(await claude.prompt("why?")))
        .toMatch(/line 3, TODO by [^:]+: Ask the gardener\]/);
      expect(await edit(note.replace("is dear", "is cheap"))).toMatch(/TODO: Ask the gardener/);
      expect(await edit(note.replace("is dear", "is free"))).toBeUndefined();
      const told = await edit(note.replace("We meet in the park.\n\n", ""));
      expect(told).toMatch(/Your edit removed the code of c_\d+, "TODO: Ask the gardener"/);
      expect(host.read("Plan.md.comments")).toContain("Ask the gardener");
    },
  );

  verifies("plugin:9:comments-told", "receives none by default", async () => {
    const { host, claude, edit } = await open({ share: "all" });
    await selectMeeting(host);
    await expect.poll(() => claude.badge).toContain("1 line selected");
    expect(JSON.stringify(await claude.prompt("why?"))).not.toContain("gardener");
    expect(await edit(note.replace("We meet in the park.\n\n", ""))).toBeUndefined();
  });

  verifies("plugin:9:comments-told", "receives none on a note that is never shared", async () => {
    const settings = { tellComments: true, share: "all", excludedTags: ["secret"] };
    const { host, claude, edit } = await open(settings);
    const secret = `${note}\n#secret\n`;
    host.write("Plan.md", secret);
    await expect.poll(() => host.text()).toBe(secret);
    await selectMeeting(host);
    expect(JSON.stringify(await claude.prompt("why?"))).not.toContain("gardener");
    expect(await edit(secret.replace("is dear", "is cheap"))).toBeUndefined();
    rmSync(join(host.vault, "Plan.md.comments"));
  });
});
