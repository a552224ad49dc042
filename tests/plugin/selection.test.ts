import { join } from "node:path";
import { describe, expect } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import type { RawClient } from "../src/raw-client.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";

const text = "# Garden\n\nSow **beans** and 🌱 peas.\n\n- one\n- two\n\nSow again.\n";
const vaultFiles = {
  "Garden.md": text,
  "Other.md": "Another note.\n",
  "Map.canvas": '{"nodes":[],"edges":[]}',
};

interface Received {
  readonly filePath?: string | undefined;
  readonly text?: string;
  readonly selection: { readonly start: object; readonly end: object };
}

function receivedTo(client: RawClient): Received[] {
  return client.receivedOf("selection_changed").map(({ params }) => params as unknown as Received);
}

/** Runs an action and returns the agent's notifications as soon as the last one is as expected. */
async function emit(client: RawClient, act: () => Promise<unknown>, wanted: Partial<Received>) {
  const before = receivedTo(client).length;
  await act();
  return until(
    `received ${JSON.stringify(wanted)}`,
    () => {
      const received = receivedTo(client).slice(before);
      const last = received.at(-1);
      return last?.text === wanted.text && last?.filePath === wanted.filePath
        ? received
        : undefined;
    },
    undefined,
    () => `; received was ${JSON.stringify(receivedTo(client).slice(before))}`,
  );
}

/** Opening a note, or the click before, sends an empty selection; it does not count. */
const selected = (received: readonly Received[]) =>
  received.filter(({ text: words }) => words !== "");

/** Expects one selection per action; a slow drag on a loaded machine may send more on its way. */
async function emitOnce(client: RawClient, act: () => Promise<unknown>, wanted: Partial<Received>) {
  let lastedMs = 0;
  const timed = async () => {
    const startedMs = performance.now();
    await act();
    lastedMs = performance.now() - startedMs;
  };
  const received = await emit(client, timed, wanted);
  const words = selected(received).map(({ text }) => text);
  expect(words.length, `${words.join(", ")} in ${lastedMs} ms`).toBeLessThanOrEqual(
    1 + Math.floor(lastedMs / HELD_MS),
  );
  return received;
}

/** The longest delay of a selection. */
const HELD_MS = 3_000;

const at = (line: number, character: number) => ({ line, character });
const pathOf = (host: ObsidianHost, name: string) => join(host.vault, name);

describe("plugin 2: a selection", () => {
  verifies(
    "plugin:2:action",
    "reaches the agent once for each action, from mouse and keyboard, in source mode, live preview, a split and a window",
    async () => {
      const host = await start({ vaultFiles, open: "Garden.md" });
      const client = await host.agents.raw();
      const filePath = pathOf(host, "Garden.md");
      await until("the open note", () => receivedTo(client)[0]?.filePath === filePath);
      const byMouse = await emitOnce(client, () => host.pointer.selectText("again"), {
        text: "again",
        filePath,
      });
      expect(byMouse.at(-1)?.selection).toEqual({ start: at(7, 4), end: at(7, 9) });
      await host.switchMode("source");
      await host.select([2, 4]);
      const { keyboard } = host.page;
      await emit(
        client,
        async () => {
          await keyboard.down("Shift");
          for (let step = 0; step < 9; step += 1) await keyboard.press("ArrowRight");
          await keyboard.up("Shift");
        },
        { text: "**beans**", filePath },
      );
      await host.open("Other.md", { where: "split" });
      await emit(client, () => host.pointer.selectText("note"), {
        text: "note",
        filePath: pathOf(host, "Other.md"),
      });
      await host.popout();
      await emitOnce(client, () => host.pointer.selectText("Another"), {
        text: "Another",
        filePath: pathOf(host, "Other.md"),
      });
      await host.screenshot("selection-window", ["light"]);
    },
  );

  verifies(
    "plugin:2:reading",
    "in reading mode is the true range of the source, also of text that occurs twice, and in a window",
    async () => {
      const host = await start({ vaultFiles, open: "Garden.md" });
      const client = await host.agents.raw();
      const filePath = pathOf(host, "Garden.md");
      await until("the open note", () => receivedTo(client).at(-1)?.filePath === filePath);
      await host.switchMode("reading");
      const received = await emitOnce(client, () => host.pointer.selectText("beans"), {
        text: "beans",
        filePath,
      });
      expect(received.at(-1)?.selection).toEqual({ start: at(2, 6), end: at(2, 11) });
      const second = await emit(client, () => host.pointer.selectText("Sow", 1), {
        text: "Sow",
        filePath,
      });
      expect(second.at(-1)?.selection).toEqual({ start: at(7, 0), end: at(7, 3) });
      await emit(client, () => host.pointer.dragBetween("one", "two"), {
        text: "one\n- two",
        filePath,
      });
      await host.popout();
      await emit(client, () => host.pointer.selectText("peas"), { text: "peas", filePath });
    },
  );

  verifies(
    "plugin:2:action",
    "in reading mode is sent once for each action, however late the browser reports its last step",
    async () => {
      const host = await start({ vaultFiles, open: "Garden.md" });
      const client = await host.agents.raw();
      const filePath = pathOf(host, "Garden.md");
      await host.switchMode("reading");
      await until("the open note", () => receivedTo(client).at(-1)?.filePath === filePath);
      await emitOnce(
        client,
        () =>
          host.page.evaluate(`(async () => {
            const { containerEl } = app.workspace.activeLeaf.view;
            const { firstChild: words } = [...containerEl.querySelectorAll("strong")].at(-1);
            const mouse = (type) =>
              words.parentElement.dispatchEvent(new MouseEvent(type, { bubbles: true }));
            const selection = getSelection();
            mouse("mousedown");
            // The first step is read 25 ms after it.
            const isRead = new Promise((resolve) => {
              const wait = () => setTimeout(resolve, 50);
              document.addEventListener("selectionchange", wait, { once: true });
            });
            selection.setBaseAndExtent(words, 0, words, 2);
            await isRead;
            selection.setBaseAndExtent(words, 0, words, 5);
            mouse("mouseup");
          })()`),
        { text: "beans", filePath },
      );
    },
  );

  verifies(
    "plugin:2:mark",
    "survives the click elsewhere, faintly marked while an agent is connected, and ends with its note",
    async () => {
      const host = await start({ vaultFiles, open: "Garden.md" });
      const client = await host.agents.raw();
      const filePath = pathOf(host, "Garden.md");
      await emit(client, () => host.pointer.selectText("again"), { text: "again", filePath });
      const mark = host.page.locator(".idewire-shared-selection");
      expect(await mark.count()).toBe(0);
      await host.page.evaluate("document.activeElement.blur()");
      await mark.waitFor();
      expect(await mark.textContent()).toBe("again");
      await host.screenshot("selection-mark");
      expect(receivedTo(client).at(-1)?.text).toBe("again");
      const cleared = await emit(
        client,
        () => host.page.evaluate("app.workspace.activeLeaf.detach()"),
        { text: "", filePath: undefined },
      );
      expect(cleared).toHaveLength(1);
    },
  );

  verifies(
    "plugin:2:cursor",
    "is not sent again for each step of a cursor, and of a canvas it is the path alone",
    async () => {
      const host = await start({ vaultFiles, open: "Garden.md" });
      const client = await host.agents.raw();
      await until("the open note", () => receivedTo(client).length > 0);
      await host.select([0, 0]);
      const before = receivedTo(client).length;
      // In one call: the time that thirty keys take depends on the machine.
      await host.page.evaluate(`{
        const { editor } = app.workspace.activeEditor;
        for (let step = 0; step < 30; step += 1) editor.setCursor({ line: 2, ch: step });
      }`);
      await emit(client, () => host.open("Map.canvas"), {
        text: "",
        filePath: pathOf(host, "Map.canvas"),
      });
      // At most the last line on which the cursor rested.
      expect(receivedTo(client).length - before).toBeLessThanOrEqual(3);
      expect(receivedTo(client).at(-1)?.selection).toEqual({ start: at(0, 0), end: at(0, 0) });
    },
  );
});
