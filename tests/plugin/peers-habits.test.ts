import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { start } from "../obsidian-host/index.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";

// More bugs of similar plugins.
const vaultFiles = { "Note.md": "# Note\n\nSame words, and the same words.\n" };

verifies(
  ["plugin:peers:same-text", "plugin:peers:one-state", "plugin:peers:silent"],
  "a text that occurs twice is identified by its place; one state follows the handshake; nothing is logged",
  async () => {
    const host = await start({ vaultFiles, open: "Note.md" });
    const logged: string[] = [];
    host.page.on("console", (message) => logged.push(message.text()));
    const client = await host.agents.raw();
    const received = () => client.receivedOf("selection_changed");
    await until("the open note", () => received().length > 0);
    // A duplicate would arrive before the answer to a later request.
    await client.request("ping");
    expect(received()).toHaveLength(1);
    for (const from of [5, 25]) {
      await host.select([2, from], [2, from + 5]);
      await until(`words at ${from}`, () => {
        const { params } = received().at(-1) ?? {};
        const { text, selection } = params as {
          text: string;
          selection: { start: { character: number } };
        };
        return text === "words" && selection.start.character === from;
      });
    }
    await client.callTool("getDiagnostics", {});
    await host.disable();
    expect(logged).toEqual([]);
  },
);

verifies(
  "plugin:peers:listens-first",
  "as soon as the lock file is visible, its port admits clients with the token",
  async () => {
    const host = await start({ vaultFiles, enabled: false });
    const folder = host.agents.lockFolder;
    const enabled = host.enable();
    await until("a lock file", () => {
      return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".lock"));
    });
    const client = await host.agents.raw();
    expect("result" in (await client.request("ping"))).toBe(true);
    await enabled;
  },
);

verifies(
  "plugin:peers:cap",
  "a client that exceeds the limit is closed without affecting others",
  async () => {
    const host = await start({ vaultFiles });
    const calm = await host.agents.raw();
    const { port, authToken } = await host.agents.lock();
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, ["mcp"], {
      headers: { "X-Claude-Code-Ide-Authorization": authToken },
    });
    onTestFinished(() => socket.terminate());
    socket.on("error", () => undefined);
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send("x".repeat((1 << 24) + 1));
    expect(await closed).toBe(1009);
    expect("result" in (await calm.request("ping"))).toBe(true);
    expect(existsSync(join(host.vault, "Note.md"))).toBe(true);
  },
);
