import type { ObsidianHost } from "../obsidian-host/index.ts";
import { start } from "../obsidian-host/index.ts";

export const note = `# Plan

We meet in the park. ^meeting

## Costs

The soil for all five beds is dear this year.

Water from the well is free.
`;

const vaultFiles = { "Plan.md": note, "Other.md": "# Other\n\nNothing here.\n" };
export const file = "Plan.md.comments";

/** The pane, as a person uses it. */
function paneOf(host: ObsidianHost) {
  const pane = host.page.locator(".idewire-comments");
  const items = pane.locator(".idewire-comment");
  const button = (name: string | RegExp) => pane.getByRole("button", { name });
  return {
    pane,
    items,
    button,
    shown: async () => (await items.allTextContents()).join("\n"),
    async write(text: string, tag?: string) {
      if (tag !== undefined) await pane.getByRole("combobox", { name: "Tag" }).selectOption(tag);
      await pane.getByRole("textbox", { name: "Text" }).fill(text);
      await host.page.keyboard.press("Control+Enter");
      await pane.locator("form").waitFor({ state: "detached" });
    },
  };
}

/** Starts an app with a comment on the given line of the plan, 0-based. */
export async function withComment(line: number, text: string, tag = "TODO", files = {}) {
  const host = await start({ vaultFiles: { ...vaultFiles, ...files }, open: "Plan.md" });
  const pane = paneOf(host);
  await host.select([line, 0], [line, 0]);
  await host.commands.run("add-comment");
  await pane.write(text, tag);
  return { host, pane };
}
