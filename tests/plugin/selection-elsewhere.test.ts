import { join } from "node:path";
import { describe, expect } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import { shared } from "../obsidian-host/shared.ts";
import type { RawClient } from "../src/raw-client.ts";
import { verifies } from "../src/verifies.ts";

const nodes = [
  { id: "a", type: "text", text: "Buy *seeds*\nand a spade", x: 0, y: 0, width: 9, height: 9 },
  { id: "b", type: "file", file: "Garden.md", x: 0, y: 0, width: 9, height: 9 },
  { id: "c", type: "file", file: "Part.md", subpath: "#Late", x: 0, y: 0, width: 9, height: 9 },
];
const canvas = `{\n\t"nodes":[\n${nodes.map((node) => `\t\t${JSON.stringify(node)}`).join(",\n")}\n\t],\n\t"edges":[]\n}`;
const vaultFiles = {
  "Map.canvas": canvas,
  "Garden.md": "# Garden\n\nSow **beans** and peas.\n",
  "Part.md": "# Early\n\nfirst\n\n# Late\n\nharvest\n",
  "Paper.pdf": "On worms\nand soil\f A second page\nof it",
  "Papers.canvas": JSON.stringify({ nodes: [{ ...nodes[1], file: "Paper.pdf" }], edges: [] }),
  "Secret/Plan.canvas": JSON.stringify({ nodes: [nodes[1]], edges: [] }),
  "Secret/Paper.pdf": "hidden words",
  "Secret/Note.md": "buried words\n",
  "Mixed.canvas": JSON.stringify({
    nodes: [
      nodes[1],
      { ...nodes[1], id: "d", file: "Secret/Note.md" },
      { ...nodes[1], id: "e", file: "Secret/Paper.pdf" },
    ],
    edges: [],
  }),
};
const settings = { excludedFolders: ["Secret"] };
const page = "https://example.org/beans?from=list";

interface ReceivedSelection {
  readonly filePath?: string;
  readonly text?: string;
  readonly selection: { readonly start: object; readonly end: object };
}

/** Waits until this text is the last that the agent received; returns the whole notification. */
async function untilSelected(client: RawClient, text: string): Promise<ReceivedSelection> {
  const last = () =>
    client.receivedOf("selection_changed").at(-1)?.params as ReceivedSelection | undefined;
  await expect.poll(() => last()?.text).toBe(text);
  return last() as ReceivedSelection;
}

async function ask(client: RawClient, tool: string): Promise<string> {
  return JSON.stringify((await client.callTool(tool, {}))["content"]);
}

async function openPage(host: ObsidianHost, mode: "webview" | "reader"): Promise<void> {
  const state = { url: page, title: "All on beans", text: "Beans need sun.", mode };
  await host.page.evaluate(`{
    const leaf = app.workspace.getLeaf("tab");
    leaf.setViewState({ type: "webviewer", state: ${JSON.stringify(state)}, active: true })
      .then(() => app.workspace.setActiveLeaf(leaf, { focus: true }));
  }`);
  await expect.poll(() => host.drive("openTabs")).toContain("All on beans");
}

const at = (line: number, character: number) => ({ line, character });

describe("a selection outside of notes", () => {
  const app = shared({ vaultFiles, settings, open: "Part.md" });

  verifies(
    "plugin:2:canvas",
    "in the card of a note is sent with the note and its lines, rendered, edited and in a window",
    async () => {
      const host = app();
      const client = await host.agents.raw();
      await host.open("Map.canvas");
      const filePath = join(host.vault, "Garden.md");
      await host.pointer.selectText("beans");
      const rendered = await untilSelected(client, "beans");
      expect(rendered).toMatchObject({ filePath, selection: { start: at(2, 6), end: at(2, 11) } });
      for (const tool of ["getCurrentSelection", "getLatestSelection"]) {
        expect(await ask(client, tool)).toContain("Garden.md");
      }
      await (await host.activePage()).locator(".canvas-node", { hasText: "beans" }).dblclick();
      await host.pointer.selectText("peas");
      const edited = await untilSelected(client, "peas");
      expect(edited).toMatchObject({ filePath, selection: { start: at(2, 18), end: at(2, 22) } });
      await host.page
        .locator(".view-content")
        .filter({ visible: true })
        .last()
        .click({ position: { x: 500, y: 600 } });
      expect(await untilSelected(client, "")).toMatchObject({
        filePath: join(host.vault, "Map.canvas"),
      });
      await host.popout();
      await host.pointer.selectText("spade");
      expect((await untilSelected(client, "spade")).filePath).toBe(join(host.vault, "Map.canvas"));
    },
  );

  verifies(
    "plugin:2:canvas",
    "in a card of text is sent with the line of the canvas that has the card; in a part of a note without lines",
    async () => {
      const host = app();
      const client = await host.agents.raw();
      await host.open("Map.canvas");
      await host.pointer.dragBetween("seeds", "spade");
      const selected = await untilSelected(client, "seeds\nand a spade");
      expect(selected.filePath).toBe(join(host.vault, "Map.canvas"));
      await host.page.locator(".canvas-node", { hasText: "seeds" }).dblclick();
      await host.pointer.selectText("seeds");
      const edited = await untilSelected(client, "seeds");
      const { length } = canvas.split("\n")[2] ?? "";
      expect(edited.selection).toEqual({ start: at(2, 0), end: at(2, length) });
      await host.page.locator(".canvas-node", { hasText: "harvest" }).dblclick();
      await host.pointer.selectText("harvest");
      const part = await untilSelected(client, "harvest");
      expect(part.filePath).toBe(join(host.vault, "Part.md"));
      expect(part.selection).toEqual({ start: at(0, 0), end: at(0, 7) });
    },
  );

  verifies(
    "plugin:2:pdf",
    "in a PDF is sent with its pages, in the card of a canvas, too",
    async () => {
      const host = app();
      const client = await host.agents.raw();
      await host.open("Paper.pdf");
      await host.pointer.selectText("worms");
      const filePath = join(host.vault, "Paper.pdf");
      expect(await untilSelected(client, "[page 1]\nworms")).toMatchObject({ filePath });
      await host.pointer.dragBetween("soil", "second");
      await untilSelected(client, "[pages 1-2]\nsoil\nA second");
      expect(await ask(client, "getCurrentSelection")).toContain("second");
      await host.open("Papers.canvas");
      await host.pointer.selectText("soil");
      expect(await untilSelected(client, "[page 1]\nsoil")).toMatchObject({ filePath });
    },
  );

  verifies(
    "plugin:2:elsewhere-excluded",
    "is never sent for an excluded canvas, nor for the card of a note in it, nor for an excluded PDF",
    async () => {
      const host = app();
      const client = await host.agents.raw();
      await host.open("Map.canvas");
      await host.pointer.selectText("beans");
      await untilSelected(client, "beans");
      for (const [name, word] of [
        ["Secret/Plan.canvas", "beans"],
        ["Secret/Paper.pdf", "hidden"],
      ] as const) {
        await host.open(name);
        await host.pointer.selectText(word);
        await expect
          .poll(() => host.page.locator(".idewire-status").textContent())
          .toContain("Not shared");
        await client.request("ping");
        expect((await untilSelected(client, "")).filePath).toBeUndefined();
        for (const tool of ["getCurrentSelection", "getLatestSelection", "getOpenEditors"]) {
          expect(await ask(client, tool)).not.toMatch(/Secret|beans|hidden|Garden/);
        }
        await host.open("Map.canvas");
        await host.pointer.selectText("beans");
        await untilSelected(client, "beans");
      }
    },
  );

  verifies(
    "plugin:2:elsewhere-excluded",
    "is never sent for an excluded file that a canvas shows, nor if it extends into that card",
    async () => {
      const host = app();
      const client = await host.agents.raw();
      await host.open("Mixed.canvas");
      const select: readonly (() => Promise<void>)[] = [
        () => host.pointer.selectText("hidden"),
        () => host.pointer.selectText("buried"),
        () => host.pointer.dragBetween("peas", "buried"),
      ];
      for (const each of select) {
        await host.pointer.selectText("beans");
        await untilSelected(client, "beans");
        await each();
        await untilSelected(client, "");
        for (const tool of ["getCurrentSelection", "getLatestSelection"]) {
          expect(await ask(client, tool)).not.toMatch(/Secret|hidden|buried/);
        }
      }
      const notifications = JSON.stringify(client.receivedOf("selection_changed"));
      expect(notifications).not.toMatch(/hidden|buried/);
    },
  );
});

verifies(
  ["plugin:2:web", "plugin:2:elsewhere-excluded"],
  "of a web page the address is sent where all open notes are, and words of reader mode where text is",
  async () => {
    const host = await start({ vaultFiles, settings: { share: "all" }, open: "Garden.md" });
    const client = await host.agents.raw();
    await host.pointer.selectText("Sow");
    await untilSelected(client, "Sow");
    await openPage(host, "webview");
    const tab = { uri: page, isActive: true, label: "All on beans", languageId: "html" };
    const [{ text }] = (await client.callTool("getOpenEditors", {}))["content"] as [
      { text: string },
    ];
    expect(JSON.parse(text)).toMatchObject({
      tabs: [{ label: "Garden" }, { ...tab, isDirty: false }],
    });
    expect(await ask(client, "get_all_opened_file_paths")).not.toContain("example.org");
    // The app's document cannot access the page in the frame.
    await host.page.frameLocator("iframe").locator("p").selectText();
    expect(await ask(client, "getLatestSelection")).not.toContain("sun");

    await host.page.locator(".idewire-status").click();
    await host.menus.choose("Open note and selected text");
    await openPage(host, "reader");
    expect(await ask(client, "getOpenEditors")).not.toContain("example.org");
    await host.pointer.selectText("sun");
    expect(await untilSelected(client, "sun")).toMatchObject({ filePath: page });
    expect(await ask(client, "getCurrentSelection")).toContain(page);

    await host.page.locator(".idewire-status").click();
    await host.menus.choose("Name of the open note");
    expect((await untilSelected(client, "")).filePath).toBeUndefined();
    expect(await ask(client, "getLatestSelection")).not.toContain("example.org");
  },
);
