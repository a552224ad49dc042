import { join } from "node:path";
import { expect } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import type { RawClient } from "../src/raw-client.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";

const vaultFiles = { "Open.md": "Words for everyone. [[Nowhere]]\n", "Other.md": "Other.\n" };

interface Received {
  readonly filePath?: string;
  readonly text?: string;
}

/** The last selection that the agent received. */
function lastReceived(client: RawClient): Received {
  const received = client.receivedOf("selection_changed").at(-1);
  const { filePath, text } = (received?.params ?? {}) as Received;
  return { ...(filePath && { filePath }), ...(text && { text }) };
}

async function choose(host: ObsidianHost, level: string): Promise<void> {
  await host.page.locator(".idewire-status").click();
  await host.menus.choose(level);
}

/** The answers to an agent's requests at a share level. */
async function answers(client: RawClient, host: ObsidianHost) {
  const ask = async (name: string, args = {}) =>
    JSON.stringify((await client.callTool(name, args))["content"]);
  return {
    selection: (await ask("getCurrentSelection")).includes("everyone"),
    latest: (await ask("getLatestSelection")).includes("everyone"),
    diagnostics: (await ask("getDiagnostics")).includes("Nowhere"),
    editors: (await ask("getOpenEditors")).includes("Open.md"),
    openFiles: (await ask("get_all_opened_file_paths")).includes("Open.md"),
    dirty: (await ask("checkDocumentDirty", { filePath: join(host.vault, "Open.md") })).includes(
      "isDirty",
    ),
  };
}

const nothing = {
  ...{ selection: false, latest: false, diagnostics: false },
  ...{ editors: false, openFiles: false, dirty: false },
};

verifies(
  ["plugin:7:level-path", "plugin:7:level-selection", "plugin:7:level-all", "plugin:7:level-off"],
  "each share level sends the content that it states and no more, on change and on request",
  async () => {
    const host = await start({ vaultFiles, open: "Open.md" });
    const client = await host.agents.raw();
    const filePath = join(host.vault, "Open.md");
    const untilReceived = (wanted: Received) =>
      until(`received ${JSON.stringify(wanted)}`, () => {
        return JSON.stringify(lastReceived(client)) === JSON.stringify(wanted);
      });
    await host.pointer.selectText("everyone");
    await untilReceived({ filePath, text: "everyone" });
    const atSelection = { ...nothing, selection: true, latest: true, diagnostics: true };
    expect(await answers(client, host)).toEqual(atSelection);

    await choose(host, "Name of the open note");
    await untilReceived({ filePath });
    expect(await answers(client, host)).toEqual(nothing);

    await choose(host, "All open notes and unsaved text");
    await untilReceived({ filePath, text: "everyone" });
    expect(await answers(client, host)).toEqual({
      ...atSelection,
      ...{ editors: true, openFiles: true, dirty: true },
    });

    await choose(host, "Nothing");
    await untilReceived({});
    await client.request("ping");
    const before = client.received.length;
    expect(await answers(client, host)).toEqual(nothing);
    await host.pointer.selectText("Words");
    await host.open("Other.md");
    // Any pending message arrives before the answer to a later request.
    await client.request("ping");
    const unasked = client.received.slice(before).filter(({ id }) => id === undefined);
    expect(unasked).toEqual([]);
  },
);

verifies(
  ["plugin:7:level-path", "plugin:7:level-selection", "plugin:7:level-all", "plugin:7:level-off"],
  "a note that an agent has opened is known to its tools at each level, and to nobody else's",
  async () => {
    const host = await start({ vaultFiles, open: "Open.md", settings: { share: "off" } });
    const [client, other] = [await host.agents.raw(), await host.agents.raw()];
    const filePath = join(host.vault, "Other.md");
    const ask = async (from: RawClient, name: string, args = {}) =>
      JSON.stringify((await from.callTool(name, args))["content"]);
    expect(await ask(client, "checkDocumentDirty", { filePath })).toContain("not open");
    const answer = await ask(client, "openFile", { filePath, makeFrontmost: false });
    expect(answer).toContain('success\\":true');
    const levels = [
      "Name of the open note",
      "Open note and selected text",
      "All open notes and unsaved text",
      "Nothing",
    ];
    for (const level of levels) {
      await choose(host, level);
      expect(await ask(client, "checkDocumentDirty", { filePath }), level).toContain("isDirty");
      const editors = await ask(client, "getOpenEditors");
      expect(editors, level).toContain("Other.md");
      if (!level.startsWith("All")) {
        expect(editors, level).not.toContain("Open.md");
        expect(await ask(other, "getOpenEditors"), level).not.toContain("Other.md");
      }
    }
  },
);

verifies("plugin:7:level-off", "reviews work though nothing is shared", async () => {
  const host = await start({ vaultFiles, open: "Open.md", settings: { share: "off" } });
  const claude = await host.agents.connect();
  const edit = claude.edit(join(host.vault, "Other.md"), "Another.\n");
  await host.page.locator(".idewire-review button:enabled", { hasText: "Accept file" }).click();
  expect(await edit.result).toMatchObject({ decision: "accepted", written: "Another.\n" });
  expect(claude.badge).toBeUndefined();
});
