import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { browser } from "@wdio/globals";
import { WebSocket } from "ws";

const { after, before, describe, it } = globalThis;
const folder = join(process.env.CLAUDE_CONFIG_DIR, "ide");

/** An agent that sends given messages. */
class Agent {
  received = [];
  #lastId = 0;

  constructor(lockFile) {
    const { authToken } = JSON.parse(readFileSync(lockFile, "utf8"));
    const [, port] = /(\d+)\.lock$/.exec(lockFile);
    this.socket = new WebSocket(`ws://127.0.0.1:${port}`, ["mcp"], {
      headers: { "X-Claude-Code-Ide-Authorization": authToken },
    });
    this.socket.on("message", (data) => this.received.push(JSON.parse(data.toString())));
  }

  async initialize() {
    await new Promise((resolve, reject) => this.socket.once("open", resolve).once("error", reject));
    const clientInfo = { name: "claude-code", version: "2.1.330" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const answer = await this.request("initialize", params);
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    return answer;
  }

  request(method, params) {
    this.#lastId += 1;
    const id = this.#lastId;
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return this.untilReceived((message) => message.id === id && message.method === undefined);
  }

  untilReceived(wanted) {
    return browser.waitUntil(() => this.received.find(wanted), { timeout: 10_000, interval: 50 });
  }
}

const locks = () => {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".lock"));
  } catch {
    return [];
  }
};

describe("the plugin in Obsidian", () => {
  let agent;
  let lockFile;

  before(async () => {
    await browser.waitUntil(() => locks().length === 1, { timeout: 20_000 });
    lockFile = join(folder, locks()[0]);
    agent = new Agent(lockFile);
  });

  after(() => agent?.socket.terminate());

  it("publishes a private lock file with the vault's path", async () => {
    const root = await browser.executeObsidian(({ app }) => app.vault.adapter.getBasePath());
    const facts = JSON.parse(readFileSync(lockFile, "utf8"));
    assert.ok(facts.workspaceFolders.includes(root), `${facts.workspaceFolders} lacks ${root}`);
    if (process.platform !== "win32") assert.equal(statSync(lockFile).mode & 0o777, 0o600);
  });

  it("completes the handshake, and sends the selection", async () => {
    const { result } = await agent.initialize();
    assert.match(result.serverInfo.version, /^\d+\.\d+\.\d+$/);
    await browser.executeObsidian(async ({ app }) => {
      const leaf = app.workspace.getLeaf(false);
      await leaf.openFile(app.vault.getFileByPath("Note.md"));
      leaf.view.editor.setSelection({ line: 2, ch: 5 }, { line: 2, ch: 10 });
      leaf.view.editor.focus();
    });
    const isSelection = ({ method, params }) =>
      method === "selection_changed" && params.text === "words";
    const { params } = await agent.untilReceived(isSelection);
    assert.equal(params.selection.start.character, 5);
  });

  it("reports the link that leads nowhere", async () => {
    const { result } = await agent.request("tools/call", { name: "getDiagnostics", arguments: {} });
    assert.match(result.content[0].text, /Nowhere/);
  });

  it("opens a review, and answers with the accepted text", async () => {
    const path = await browser.executeObsidian(({ app }) =>
      app.vault.adapter.getFullPath("Note.md"),
    );
    const proposed = "# Note\n\nOther words.\n";
    const answer = agent.request("tools/call", {
      name: "openDiff",
      arguments: {
        old_file_path: path,
        new_file_path: path,
        new_file_contents: proposed,
        tab_name: "✻ [Claude Code] Note.md (abc123) ⧉",
      },
    });
    await browser.$(".idewire-review").waitForDisplayed();
    await browser.executeObsidianCommand("idewire:review-accept-file");
    const { result } = await answer;
    assert.deepEqual(
      result.content.map(({ text }) => text),
      ["FILE_SAVED", proposed],
    );
  });

  it("removes its lock file and closes its socket when it is disabled", async () => {
    await browser.executeObsidian(({ app }) => app.plugins.disablePlugin("idewire"));
    await browser.waitUntil(() => locks().length === 0, { timeout: 5_000 });
    await browser.waitUntil(() => agent.socket.readyState === WebSocket.CLOSED);
  });
});
