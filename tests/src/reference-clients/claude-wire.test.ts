import { createServer } from "node:net";
import { expect, onTestFinished } from "vitest";
import { silentPort } from "../silent-port.ts";
import { verifies } from "../verifies.ts";
import { FIRST_RETRY_MS } from "./claude-connection.ts";
import { openFixture, openServer, playClaude, startClaude } from "./context.ts";
import type { WireMessage } from "./wire.ts";
import { sleep, span, toObject } from "./wire.ts";

const somewhere = { filePath: "/w/a.txt", text: "two", selection: span(1, 0, 1, 3) };

function answerTo(received: readonly WireMessage[], id: unknown): WireMessage | undefined {
  return received.find((frame) => frame.id === id && frame.method === undefined);
}

verifies(
  ["cli:connection:root-path", "cli:connection:headers", "cli:connection:no-origin"],
  "the upgrade has exactly the measured headers",
  async () => {
    const { server, client } = await playClaude();
    const [upgrade] = server.upgrades;
    expect(upgrade?.url).toBe("/");
    expect(upgrade?.headers).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-extensions": "permessage-deflate; client_max_window_bits",
      "sec-websocket-protocol": "mcp",
      "user-agent": "claude-code/2.1.330 (cli)",
      "x-claude-code-ide-authorization": "secret",
    });
    expect(Object.keys(upgrade?.headers ?? {})).toHaveLength(9);
    expect(client.violations).toEqual([]);
  },
);

verifies("cli:connection:old-user-agent", "older versions have a shorter user agent", async () => {
  const { server } = await playClaude({}, { version: "2.0.77" });
  expect(server.upgrades[0]?.headers["user-agent"]).toBe("claude-code/2.0.77");
});

verifies("cli:connection:deflate", "a server may compress", async () => {
  const { client, server } = await playClaude({ deflate: true, selection: somewhere });
  expect(server.upgrades).toHaveLength(1);
  await client.until("the selection", () => client.badge);
  expect(client.violations).toEqual([]);
});

verifies(
  ["cli:connection:unparsable-skipped", "cli:connection:text-frames"],
  "bad frames are skipped, recorded, and end nothing",
  async () => {
    const { client, server } = await playClaude({ selection: somewhere });
    await client.until("the selection", () => client.badge);
    server.raw("{");
    server.raw("[]");
    server.raw('{"jsonrpc":"1.0","method":"x"}');
    server.raw(Buffer.from('{"jsonrpc":"2.0","method":"selection_changed","params":{}}'));
    for (let count = 0; count < 6; count++) server.notify("selection_changed", { text: count });
    server.notify("selection_changed", { ...somewhere, text: "after" });
    await client.until("the last one", () => client.inbox.context?.text === "after");
    expect(client.state).toBe("ready");
    expect(client.transcript.rules()).toEqual([
      "binary-frame",
      "not-json",
      "not-json-rpc",
      "notification-schema",
    ]);
  },
);

verifies("cli:connection:too-big", "a message above 16 MiB closes", async () => {
  const fixture = openFixture();
  await openServer(fixture, { flaw: "too-big" });
  const client = await startClaude(fixture);
  await client.until("failed", () => client.state === "failed");
  expect(client.transcript.rules()).toEqual(["message-too-big"]);
});

verifies(
  ["cli:connection:refused-401", "cli:connection:closed-1008"],
  "a refusal is final",
  async () => {
    for (const flaw of ["refuses-401", "closes-1008"] as const) {
      const fixture = openFixture();
      await openServer(fixture, { flaw });
      const client = await startClaude(fixture);
      await client.until("failed", () => client.state === "failed");
      await sleep(FIRST_RETRY_MS * 5);
      expect(client.transcript.states()).toEqual(["connecting", "failed"]);
    }
  },
);

verifies("cli:connection:connect-timeout", "an upgrade that is never answered fails", async () => {
  const fixture = openFixture();
  const silent = createServer(() => undefined);
  onTestFinished(() => void silent.close());
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const address = silent.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const lock = { pid: process.pid, workspaceFolders: [fixture.workspace], transport: "ws" };
  fixture.lock(port, lock);
  const client = await startClaude(fixture, { connectTimeoutMs: 50 });
  await client.until("failed", () => client.state === "failed");
  const last = client.transcript.entries.at(-1);
  expect(last).toMatchObject({ detail: expect.stringContaining("timed out") });
});

verifies("cli:connection:calls-wait", "an open diff waits without a time limit", async () => {
  const { client, fixture, server } = await playClaude();
  const edit = client.edit(fixture.file("a.txt", "a"), "b");
  await client.until("an open diff", () => server.diffs.size > 0);
  expect([edit.asking, edit.unsettled]).toEqual(["ide-and-terminal", true]);
});

verifies(
  ["cli:connection:ws-ping", "cli:connection:json-ping", "cli:connection:never-pings"],
  "pings of both kinds are answered, none is sent",
  async () => {
    const { client, server } = await playClaude();
    server.ping();
    const ids = [
      server.request("ping", undefined, 7),
      server.request("ping", {}, "seven"),
      server.request("ping", {}, 0),
    ];
    await client.until("pongs", () => ids.every((id) => answerTo(server.received, id)));
    for (const id of ids) expect(answerTo(server.received, id)).toMatchObject({ result: {} });
    expect(server.pongs).toBe(1);
    expect(client.transcript.sent("ping")).toEqual([]);
  },
);

verifies(
  ["cli:connection:roots-list", "cli:connection:unknown-request", "cli:connection:elicitation"],
  "of the other requests it supports roots and elicitation",
  async () => {
    const { client, server } = await playClaude();
    const roots = server.request("roots/list");
    const sampling = server.request("sampling/createMessage", {});
    const unknown = server.request("no/such", {});
    const dialog = server.request("elicitation/create", { message: "Sure?" });
    await client.until("answers", () => answerTo(server.received, unknown));
    expect(answerTo(server.received, roots)?.result).toEqual({
      roots: [{ uri: `file://${client.cwd}` }],
    });
    for (const id of [sampling, unknown]) {
      expect(answerTo(server.received, id)?.error).toMatchObject({ code: -32601 });
    }
    expect(client.inbox.dialogs).toHaveLength(1);
    expect(answerTo(server.received, dialog)).toBeUndefined();
  },
);

verifies(
  "cli:connection:exit-1005",
  "it disconnects with a close frame without a code",
  async () => {
    const { client, server } = await playClaude();
    await client.exit();
    await client.until("the close", () => server.closeCodes.length === 1);
    expect(server.closeCodes).toEqual([1005]);
  },
);

verifies(
  [
    "cli:reconnecting:first-address",
    "cli:reconnecting:reconnect-at-once",
    "cli:reconnecting:reconnect-handshake",
  ],
  "it reconnects at once, to the same place, with the whole handshake",
  async () => {
    for (const code of [undefined, 1001]) {
      const { client, server, fixture } = await playClaude({}, { retryFactor: 30 });
      fixture.lock(50000, { pid: process.pid, workspaceFolders: [fixture.workspace] });
      server.drop(code);
      await client.until(
        "back",
        () => client.transcript.connection === 2 && client.connection?.ready,
      );
      const [lost = 0] = client.transcript.stateTimes("lost");
      const [retry = 0] = client.transcript.stateTimes("retry");
      // The next try would come after 30 s.
      expect(retry - lost).toBeLessThan(15_000);
      const again = client.transcript.sent(undefined, 2).map(({ id, method }) => [id, method]);
      expect(again).toEqual([
        [0, "initialize"],
        [undefined, "notifications/initialized"],
        [undefined, "ide_connected"],
        [1, "tools/list"],
      ]);
      expect(server.upgrades[1]).toMatchObject({ url: "/" });
    }
  },
);

verifies(
  ["cli:reconnecting:gives-up", "cli:reconnecting:reconnect-delays"],
  "five attempts with growing pauses, then none",
  async () => {
    const port = await silentPort();
    const { client, server, fixture } = await playClaude({ port }, { retryFactor: 0.02 });
    await server.close();
    await client.until("given up", () => client.state === "gave-up");
    const retries = client.transcript.stateTimes("retry");
    expect(retries).toHaveLength(5);
    const gaps = retries.slice(1).map((time, index) => time - (retries[index] ?? 0));
    for (const [index, least] of [20, 40, 80, 160].entries()) {
      expect(gaps[index]).toBeGreaterThan(least * 0.9);
    }
    const back = await openServer(fixture, { port });
    // A sixth try would come 160 ms after the fifth.
    await sleep(200);
    expect([client.state, back.upgrades.length]).toEqual(["gave-up", 0]);
  },
);

verifies("cli:reconnecting:old-never-reconnects", "1.0.128 never reconnects", async () => {
  const { client, server } = await playClaude({}, { version: "1.0.128" });
  server.drop();
  await client.until("given up", () => client.state === "gave-up");
  expect(client.transcript.connection).toBe(1);
});

verifies(
  [
    "cli:handshake:order",
    "cli:handshake:lists-back-to-back",
    "cli:handshake:no-params-key",
    "cli:handshake:ide-connected-pid",
  ],
  "the handshake has the measured order and shapes",
  async () => {
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    const { client, server } = await playClaude({ capabilities });
    await client.until("the lists", () => server.received.length === 6);
    expect(server.received.slice(1)).toEqual([
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "ide_connected", params: { pid: process.pid } },
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { jsonrpc: "2.0", id: 2, method: "prompts/list" },
      { jsonrpc: "2.0", id: 3, method: "resources/list" },
    ]);
    const order = client.transcript.entries.map((entry) => entry.kind);
    expect(order.slice(0, 8).join(" ")).toBe("state out in out out out out out");
  },
);

verifies("cli:handshake:lists-by-capability", "a list is requested by its capability", async () => {
  const none = await playClaude({ capabilities: {} });
  const prompts = await playClaude({ capabilities: { prompts: {} } });
  expect(none.client.transcript.sent().slice(3)).toEqual([]);
  const sent = prompts.client.transcript.sent().slice(3);
  expect(sent.map((frame) => frame.method)).toEqual(["prompts/list"]);
});

verifies(
  ["cli:handshake:initialize-params", "cli:handshake:old-initialize"],
  "initialize by version",
  async () => {
    const params = async (version: "2.1.330" | "2.0.77" | "1.0.128") => {
      const { server } = await playClaude({}, { version });
      return toObject(server.received[0]?.params);
    };
    const newest = await params("2.1.330");
    expect(newest).toMatchObject({
      protocolVersion: "2025-11-25",
      capabilities: {
        roots: { listChanged: true },
        elicitation: {},
        extensions: { "io.modelcontextprotocol/tasks": {} },
      },
      clientInfo: { name: "claude-code", version: "2.1.330" },
    });
    const keys = ["description", "name", "title", "version", "websiteUrl"];
    expect(Object.keys(toObject(newest["clientInfo"])).sort()).toEqual(keys);
    const old = { protocolVersion: "2025-11-25", capabilities: { roots: {} } };
    expect(await params("2.0.77")).toMatchObject(old);
    expect(await params("1.0.128")).toMatchObject({ protocolVersion: "2025-06-18" });
  },
);

verifies("cli:handshake:instructions", "instructions reach the model", async () => {
  const { client } = await playClaude();
  expect((await client.prompt("hello")).instructions).toBe("You are wired to a raw editor.");
});

verifies(
  ["cli:tools:progress-token", "cli:tools:tool-use-id", "cli:tools:cancelled"],
  "calls carry their id, the model's also theirs, and Esc cancels the model's",
  async () => {
    const { client, server, fixture } = await playClaude();
    await client.prompt();
    const call = client.callAsModel("executeCode", { code: "1" });
    const [own] = client.transcript.calls("closeAllDiffTabs");
    const [asked] = client.transcript.calls("executeCode");
    expect(toObject(own?.params)["_meta"]).toEqual({ progressToken: own?.id });
    expect(toObject(asked?.params)["_meta"]).toEqual({
      progressToken: call.id,
      "claudecode/toolUseId": expect.stringMatching(/^toolu_/),
    });
    const slow = client.callAsModel("openDiff", { tab_name: "x" });
    client.pressEscape(slow);
    await client.until("cancelled", () => server.methods().includes("notifications/cancelled"));
    expect(server.received.at(-1)?.params).toMatchObject({ requestId: slow.id });
    const old = await playClaude({}, { version: "2.0.77" });
    old.client.edit(fixture.file("a.txt", "a"), "b");
    const [bare] = old.client.transcript.calls("openDiff");
    expect(toObject(bare?.params)).not.toHaveProperty("_meta");
  },
);

verifies("cli:handshake:list-changed", "a changed list is requested again", async () => {
  const { client, server } = await playClaude({ selection: somewhere });
  await client.until("hearing", () => client.badge);
  for (const kind of ["tools", "prompts", "resources"]) {
    server.notify(`notifications/${kind}/list_changed`);
  }
  await client.until("lists", () => server.methods().includes("resources/templates/list"));
  expect(server.methods().slice(-4)).toEqual([
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
  ]);
});
