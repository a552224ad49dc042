import { once } from "node:events";
import { connect as dial } from "node:net";
import { expect, onTestFinished } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";
import { connect, copied, endpointOf, type } from "./vault-tools-fixture.ts";

const vaultFiles = { "Plan.md": "Carrots in the north.\n" };
const settings = { vaultTools: true };

/** A client of the tools' port that sends any bytes and keeps its own end open. */
async function open(port: number, words: string | Uint8Array = "") {
  const socket = dial({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let receivedOf = "";
  let isOver = false;
  socket.on("data", (bytes) => {
    receivedOf += bytes;
  });
  for (const event of ["end", "close", "error"]) {
    socket.on(event, () => {
      isOver = true;
    });
  }
  await once(socket, "connect");
  socket.write(words);
  return {
    socket,
    isOver: () => isOver,
    status: () => Number(/HTTP\/1\.1 (\d+)/.exec(receivedOf)?.[1] ?? 0),
  };
}

function request(first: string, headers: readonly string[] = [], body = ""): string {
  return [`${first} HTTP/1.1`, "Host: 127.0.0.1", ...headers, "", body].join("\r\n");
}

/** The endpoint of the tools, and its token. */
async function find(host: ObsidianHost) {
  await copied(host);
  const { url = "", token = "" } = (await endpointOf(host)) ?? {};
  return { port: Number(new URL(url).port), known: `Authorization: Bearer ${token}` };
}

const json = "Content-Type: application/json";

verifies(
  "plugin:9:hostile",
  "invalid requests are refused at once, do not block the app, and leave nothing",
  async () => {
    const host = await start({ vaultFiles, settings, open: "Plan.md" });
    const { port, known } = await find(host);
    const post = (body: string) =>
      request("POST /mcp", [known, json, `Content-Length: ${body.length}`], body);
    await host.page.evaluate(`{
      document.parsed = [];
      const parse = JSON.parse;
      JSON.parse = function (text, ...rest) {
        if (/^[[]{99}/.test(text)) document.parsed.push(text.length);
        return parse.call(this, text, ...rest);
      };
    }`);
    const webSocket = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
    const hostile: readonly (readonly [string, string | Uint8Array, number])[] = [
      ["a WebSocket", request("GET /mcp", [...webSocket, "Sec-WebSocket-Key: eA=="]), 401],
      ["300 kB of brackets", post("[".repeat(300_000)), 400],
      ["many at once", request("GET /mcp").repeat(200), 401],
      ["another host", "GET /mcp HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403],
      ["a page", request("GET /mcp", ["Origin: https://evil.example", known]), 403],
      ["HTTP/0.9", "GET /mcp\r\n\r\n", 403],
      ["TLS", Buffer.from(`16030100a5010000a10303${"00".repeat(150)}`, "hex"), 400],
      ["rubbish", "rubbish\r\n\r\n", 400],
      ["a long header", request("GET /mcp", [`X: ${"x".repeat(100_000)}`]), 431],
      [
        "odd chunks",
        request("POST /mcp", [known, json, "Transfer-Encoding: chunked"], "zz\r\n"),
        400,
      ],
    ];
    for (const [what, words, status] of hostile) {
      const client = await open(port, words);
      await expect.poll(() => client.isOver(), { message: what }).toBe(true);
      expect(client.status(), what).toBe(status);
    }
    // Without the limit, parsing megabytes takes seconds.
    expect(await host.page.evaluate("document.parsed")).toEqual([]);
    const client = await connect(host);
    expect(await type(client, "search_vault", { query: "carrots" })).toContain("Plan.md:1");
    await client.close();
    await host.disable();
    expect(await host.leaks()).toEqual({});
  },
);

verifies(
  "plugin:9:hostile",
  "no slow client stays connected after the plugin is disabled",
  async () => {
    const host = await start({ vaultFiles, settings });
    const { port, known } = await find(host);
    const wants = [known, json, "Content-Length: 100"];
    const clients = [
      await open(port),
      await open(port, "GET /m"),
      await open(port, request("POST /mcp", wants, "{")),
      await open(
        port,
        request("POST /mcp", [known, json, "Transfer-Encoding: chunked"], "ff\r\n{"),
      ),
    ];
    await host.disable();
    for (const client of clients) await expect.poll(() => client.isOver()).toBe(true);
    expect(await host.leaks()).toEqual({});
  },
);
