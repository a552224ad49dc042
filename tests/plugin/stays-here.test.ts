import { join } from "node:path";
import { expect } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";
import { connect, type } from "./vault-tools-fixture.ts";

const vaultFiles = {
  "Note.md": "Words. [[Nowhere]] ![picture](https://example.org/picture.png) https://example.org\n",
};

verifies(
  "plugin:7:stays-here",
  "nothing leaves this computer, whatever is done: it listens on loopback, and calls no other host",
  async () => {
    const host = await start({ vaultFiles, open: "Note.md", settings: { vaultTools: true } });
    const claude = await host.agents.connect();
    await host.pointer.selectText("Words");
    await claude.until("the selection", () => claude.badge?.includes("1 line"));
    await host.commands.run("send-note");
    await host.notice(/Sent Note/);
    await host.commands.run("check-all-notes");
    await host.page.getByText("Found in 1 note: 1 warning").waitFor();
    const tools = await connect(host);
    expect(await type(tools, "search_vault", { query: "words" })).toContain("Note.md:1");
    const edit = claude.edit(join(host.vault, "Note.md"), "Other words.\n");
    await host.page.locator(".idewire-review button:enabled", { hasText: "Accept file" }).click();
    await edit.result;
    await host.settings.open();
    await host.page
      .locator(".idewire-connection")
      .getByText(/^Claude Code .*connected since/)
      .waitFor();
    const { listened, connected, origins } = host.traffic();
    // The others are sockets of the file system, whose address is a path.
    const ofNetwork = (names: readonly string[]) => names.filter((name) => !name.startsWith("/"));
    expect(new Set(ofNetwork(listened))).toEqual(new Set(["127.0.0.1"]));
    // The plugin connects to check whether its published endpoint answers.
    expect(ofNetwork(connected).filter((name) => name !== "127.0.0.1")).toEqual([]);
    expect(origins).toEqual([new URL(host.page.url()).origin]);
    expect(host.opened).toEqual([]);
  },
);
