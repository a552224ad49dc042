import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import { shared } from "../obsidian-host/shared.ts";
import { frame, RawSocket } from "../src/raw-frames.ts";
import { TIMEOUT_MS, until } from "../src/reference-clients/transcript.ts";
import { isObject, sleep, toObject } from "../src/reference-clients/wire.ts";
import { verifies } from "../src/verifies.ts";

// Each of these bugs was found in a similar plugin.
const vaultFiles = { "Note.md": "# Note\n\nSome words to select.\n" };

const app = shared({ vaultFiles });

const ping = (id: string, padding = "") =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "ping", ...(padding && { params: { padding } }) });

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
});

async function openRaw(host: ObsidianHost, follows?: Buffer): Promise<RawSocket> {
  const { port, authToken } = await host.agents.lock();
  const raw = await RawSocket.open(port, authToken, follows);
  onTestFinished(() => void raw.socket.destroy());
  return raw;
}

const answered = (raw: RawSocket, id: string) =>
  until(`an answer to ${id}`, () => raw.received.includes(`"id":"${id}"`));

verifies(
  ["plugin:peers:segments", "plugin:peers:large", "plugin:peers:continued", "plugin:peers:head"],
  "a request is answered however its bytes arrive: in pieces, large, in continued frames, with the upgrade",
  async () => {
    const host = app();
    const raw = await openRaw(host, frame(initialize));
    await answered(raw, "hello");
    const bytes = frame(ping("pieces"));
    for (const [from, to] of [
      [0, 3],
      [3, 20],
      [20, bytes.length],
    ]) {
      raw.socket.write(bytes.subarray(from, to));
      // Events closer together may be read as one.
      await sleep(15);
    }
    await answered(raw, "pieces");
    raw.socket.write(frame(ping("large", "x".repeat(200_000))));
    await answered(raw, "large");
    const text = ping("continued");
    raw.socket.write(frame(text.slice(0, 10), { last: false }));
    raw.socket.write(frame(text.slice(10, 20), { first: false, last: false }));
    raw.socket.write(frame(text.slice(20), { first: false }));
    await answered(raw, "continued");
    expect(raw.socket.destroyed).toBe(false);
  },
);

verifies(
  "plugin:peers:own-answers",
  "an answer goes to its requester, also when two use the same id",
  async () => {
    const host = app();
    const [one, two] = [await host.agents.raw(), await host.agents.raw()];
    one.send({ jsonrpc: "2.0", id: 7, method: "tools/list" });
    await one.answer(({ id }) => id === 7);
    await two.request("ping");
    expect(two.received.filter(({ id }) => id === 7)).toEqual([]);
  },
);

verifies(
  [
    "plugin:peers:version",
    "plugin:peers:schemas",
    "plugin:peers:no-code",
    "plugin:peers:templates",
  ],
  "it reports its true version, every tool has a schema, none runs code, and a missing feature is refused by the book",
  async () => {
    const host = app();
    const raw = await host.agents.raw();
    const { version } = JSON.parse(
      readFileSync(join(host.vault, ".obsidian/plugins/idewire/manifest.json"), "utf8"),
    );
    const hello = raw.received.find(({ result }) => isObject(result) && "serverInfo" in result);
    expect(toObject(toObject(hello?.result)["serverInfo"])["version"]).toBe(version);
    const { result } = await raw.request("tools/list");
    const tools = toObject(result)["tools"] as { name: string; inputSchema: object }[];
    expect(tools.length).toBeGreaterThan(3);
    for (const tool of tools) expect(tool.inputSchema, tool.name).toMatchObject({ type: "object" });
    expect(tools.map(({ name }) => name).filter((name) => /eval|exec|run|api/i.test(name))).toEqual(
      [],
    );
    const templates = await raw.request("resources/templates/list");
    const isEmptyList = isObject(templates.result) && "resourceTemplates" in templates.result;
    expect(isEmptyList || toObject(templates.error)["code"] === -32_601).toBe(true);
  },
);

verifies(
  ["plugin:peers:loopback", "plugin:peers:quiet"],
  "it is reachable only by loopback, and a successful start shows no notice",
  async () => {
    const host = await start({ vaultFiles, open: "Note.md" });
    const agent = await host.agents.connect();
    const { port } = await host.agents.lock();
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const outside = addresses.filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of outside) expect(await reaches(address, port), address).toBe(false);
    expect(await reaches("127.0.0.1", port)).toBe(true);
    // A session that reconnects would cause a notice.
    await agent.exit();
    await host.restart();
    await host.agents.lock(host.pid);
    expect(await host.notices()).toEqual([]);
    expect(
      await host.page.evaluate(
        "Object.values(app.commands.commands).filter((c) => c.hotkeys?.length > 0)",
      ),
    ).toEqual([]);
  },
);

verifies(
  "plugin:peers:config-dir",
  "CLAUDE_CONFIG_DIR moves the lock file, and nothing is put elsewhere",
  async () => {
    const before = await start({ vaultFiles, enabled: false });
    const folder = join(before.testVault.root, "claude config");
    const host = await start({ vaultFiles, env: { CLAUDE_CONFIG_DIR: folder } });
    const { path } = await host.agents.lock();
    expect(path.startsWith(`${folder}/ide/`)).toBe(true);
    expect(existsSync(join(host.home, ".claude"))).toBe(false);
    const client = await host.agents.connect();
    expect(client.violations).toEqual([]);
  },
);

verifies(
  ["plugin:peers:blocks", "plugin:peers:no-deletion", "plugin:peers:no-creation"],
  "a proposal waits for the person; one that empties a note or makes a new one changes nothing by itself",
  async () => {
    const host = app();
    const client = await host.agents.connect();
    const emptied = client.edit(join(host.vault, "Note.md"), "");
    const made = client.edit(join(host.vault, "New.md"), "New.\n");
    await host.page.locator(".idewire-review").first().waitFor();
    await client.callAsModel("getDiagnostics", {}).reply;
    expect(client.unsettled).toHaveLength(2);
    expect(host.read("Note.md")).toBe(vaultFiles["Note.md"]);
    expect(existsSync(join(host.vault, "New.md"))).toBe(false);
    for (const edit of [emptied, made]) edit.answerInTerminal("reject");
    for (const edit of [emptied, made]) expect((await edit.result).decision).toBe("rejected");
    await host.page.locator(".idewire-review").waitFor({ state: "detached" });
    expect(client.violations).toEqual([]);
  },
);

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(TIMEOUT_MS, () => finish(false));
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
  });
}
