import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import { shared } from "../obsidian-host/shared.ts";
import type { RawClient } from "../src/raw-client.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";

const odd = "Über & 'uns' 🌱.md";
const vaultFiles = {
  "Note.md":
    "# One\n\nFirst [[Other]] block\ngoes on.\n\n## Below\n\n- item\n  - child\n\n# Two\n\nEnd.\n",
  "Other.md": "Another.\n",
  "Code.md": "```sh\n# a comment\n```\n\nUnderlined\n===\n",
  [`Folder/${odd}`]: "Odd.\n",
  "Private/Diary.md": "Dear diary.\n",
  "Pictures/pixel.png": new Uint8Array([137, 80, 78, 71, 0, 0]),
  "Pictures/paper.pdf": new Uint8Array([37, 80, 68, 70, 0, 255]),
  "Pictures/latin1.txt": new Uint8Array([99, 97, 102, 233]),
  "Pictures/large.md": "x".repeat(20 * 1024 * 1024),
};

function mentionsTo(client: RawClient) {
  return client.receivedOf("at_mentioned").map(({ params }) => params as unknown as Mentioned);
}

interface Mentioned {
  readonly filePath: string;
  readonly lineStart?: number;
  readonly lineEnd?: number;
}

/** Runs an action and returns the mentions that it sent, with vault paths. */
async function mentioned(
  host: ObsidianHost,
  client: RawClient,
  act: () => Promise<unknown>,
  count = 1,
) {
  const before = mentionsTo(client).length;
  await act();
  await until("the mention", () => mentionsTo(client).length >= before + count);
  // The answer arrives after all earlier messages, so a superfluous mention would be here by now.
  await client.request("ping");
  return mentionsTo(client)
    .slice(before)
    .map(({ filePath, lineStart, lineEnd }) => {
      const path = filePath.slice(host.vault.length + 1);
      return lineStart === undefined ? path : `${path} ${lineStart}-${lineEnd}`;
    });
}

describe("plugin 3: sending to an agent", () => {
  verifies(
    "plugin:3:refused",
    "gives the reason for not sending: no agent, sharing is paused, the note is excluded",
    async () => {
      const host = await start({
        vaultFiles,
        open: "Note.md",
        settings: { excludedFolders: ["Private"] },
      });
      await host.commands.run("send-note");
      await host.notice(/No agent is connected/);
      const client = await host.agents.raw();
      await host.page.locator(".idewire-status").getByText("raw").waitFor();
      expect(await host.cli("idewire:send", { path: "Private/Diary.md" })).toContain(
        "the folder Private is excluded",
      );
      expect(await host.cli("idewire:send", { path: "No.md" })).toContain("no note No.md");
      expect(await host.cli("idewire:send", { lines: "7-3" })).toContain("got 7-3");
      await host.commands.run("pause");
      await host.commands.run("send-note");
      await host.notice(/Sharing is paused. Resume it/);
      expect(mentionsTo(client)).toEqual([]);
    },
  );
});

describe("plugin 3: sending to an agent", () => {
  const app = shared({ vaultFiles, open: "Note.md" });

  verifies(
    "plugin:3:files",
    "works from the menus of files, folders, several files and links, whatever their names, and by drag",
    async () => {
      const host = app();
      const client = await host.agents.raw();
      const fromMenu = (open: () => Promise<string[]>, title: string) => () =>
        open().then((titles) => {
          expect(titles).toContain(title);
          return host.menus.choose(title);
        });
      const path = `Folder/${odd}`;
      expect(
        await mentioned(
          host,
          client,
          fromMenu(() => host.menus.file("Other.md"), "Send to agent"),
        ),
      ).toEqual(["Other.md"]);
      expect(
        await mentioned(
          host,
          client,
          fromMenu(() => host.menus.files(["Note.md", "Other.md"]), "Send 2 files to agent"),
          2,
        ),
      ).toEqual(["Note.md", "Other.md"]);
      const dropped = `obsidian://open?vault=Vault&file=${encodeURIComponent(path)}`;
      expect(
        await mentioned(host, client, () =>
          host.page.evaluate(`{
          const dataTransfer = new DataTransfer();
          dataTransfer.setData("text/plain", ${JSON.stringify(dropped)});
          const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector(".idewire-status").dispatchEvent(event);
        }`),
        ),
      ).toEqual([path]);
      expect(await host.cli("idewire:send", { path, lines: "1" })).toContain("Sent Über");
      await until("the mention", () => mentionsTo(client).at(-1)?.lineStart === 0);
      expect(mentionsTo(client).at(-1)?.filePath).toBe(join(host.vault, path));
    },
  );

  test("of a folder, an image, a PDF or a large file the path is sent", async () => {
    const host = app();
    const client = await host.agents.raw();
    const names = ["pixel.png", "paper.pdf", "latin1.txt", "large.md"];
    for (const path of ["Pictures", ...names.map((name) => `Pictures/${name}`)]) {
      expect(await mentioned(host, client, () => host.cli("idewire:send", { path }))).toEqual([
        path,
      ]);
    }
    const choose = async () => {
      expect(await host.menus.file("Pictures")).toContain("Send to agent");
      await host.menus.choose("Send to agent");
    };
    expect(await mentioned(host, client, choose)).toEqual(["Pictures"]);
    const drop = (path: string) => () =>
      host.page.evaluate(`{
        const dataTransfer = new DataTransfer();
        dataTransfer.setData("text/plain", "obsidian://open?vault=Vault&file=${path}");
        const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
        document.querySelector(".idewire-status").dispatchEvent(event);
      }`);
    for (const path of ["Pictures", "Pictures/pixel.png"]) {
      expect(await mentioned(host, client, drop(encodeURIComponent(path)))).toEqual([path]);
    }
    // An open image has no unsaved text.
    await host.open("Pictures/pixel.png");
    expect(await mentioned(host, client, () => host.commands.run("send-note"))).toEqual([
      "Pictures/pixel.png",
    ]);
  });

  verifies(
    "plugin:3:choose",
    "asks which of several agents is meant, and sends to that one alone",
    async () => {
      const host = app();
      const [first, second] = [await host.agents.raw(), await host.agents.raw()];
      await host.page.locator(".idewire-status").getByText("2 agents").waitFor();
      await host.commands.run("send-note");
      await host.page.locator(".suggestion-item").nth(1).waitFor();
      await host.screenshot("choose-agent", ["light"]);
      await host.page.keyboard.press("ArrowDown");
      await host.page.keyboard.press("Enter");
      await until("the mention", () => mentionsTo(second).length === 1);
      expect(mentionsTo(first)).toEqual([]);
      await host.commands.run("send-note");
      await host.page.locator(".suggestion-item").first().waitFor();
      await host.page.keyboard.press("Escape");
      await host.page.locator(".suggestion-item").first().waitFor({ state: "detached" });
      expect(mentionsTo(second)).toHaveLength(1);
    },
  );

  verifies(
    "plugin:3:editor",
    "works from the editor's menu, by selection, section and block, and from commands",
    async () => {
      const host = app();
      const client = await host.agents.raw();
      const { menus, commands } = host;
      const choose = (title: string) => async () => {
        expect(await menus.editor()).toContain(title);
        await menus.choose(title);
      };
      await host.select([2, 0], [3, 4]);
      expect(await mentioned(host, client, choose("Send selection to agent"))).toEqual([
        "Note.md 2-3",
      ]);
      await host.notice(/Sent Note, lines 3 to 4 to raw/);
      await host.select([2, 1]);
      expect(await mentioned(host, client, () => commands.run("send-block"))).toEqual([
        "Note.md 2-3",
      ]);
      await host.select([5, 2]);
      expect(await mentioned(host, client, () => commands.run("send-section"))).toEqual([
        "Note.md 5-9",
      ]);
      await host.select([7, 3]);
      expect(await mentioned(host, client, () => commands.run("send-block"))).toEqual([
        "Note.md 7-8",
      ]);
      // With unsaved text, the lines are those of the file once it is saved.
      await host.select([0, 0]);
      await host.page.keyboard.type("New first line\n\n");
      await host.select([7, 2]);
      expect(await mentioned(host, client, () => commands.run("send-section"))).toEqual([
        "Note.md 7-11",
      ]);
      expect(host.read("Note.md")).toContain("New first line");
      expect(await mentioned(host, client, () => commands.run("send-note"))).toEqual(["Note.md"]);
    },
  );

  test("a comment in code is not a heading, and an underlined line is one", async () => {
    const host = app();
    await host.open("Code.md");
    await host.select([1, 3]);
    expect(await host.menus.editor()).toContain("Send block to agent");
    await host.page.keyboard.press("Escape");
    await host.select([4, 3]);
    expect(await host.menus.editor()).toContain("Send section to agent");
    await host.page.keyboard.press("Escape");
  });
});
