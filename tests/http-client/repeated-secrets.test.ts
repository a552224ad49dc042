import type { ServerResponse } from "node:http";
import { McpClient } from "@idewire/core/client";
import { RpcError } from "@idewire/core/rpc";
import { type Authorization, createHttpTransport } from "@idewire/http";
import { expect, test } from "vitest";
import {
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

async function serve(answer: ScriptedAnswer) {
  return new ScriptedHttpServer(answer).listen();
}

test("an address that a server repeats the token in is named without it", async () => {
  const token = "secret-0123456789";
  const headers = { authorization: `Bearer ${token}` };
  await using within = await serve((seen, response) => {
    if (seen.path === "/mcp") response.writeHead(308, { location: `/${token}` }).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end();
  });
  await using away = await serve((_, response) =>
    response.writeHead(308, { location: `http://elsewhere.example/${token}` }).end(),
  );
  await using large = await serve((seen, response) => {
    if (seen.path === "/mcp") response.writeHead(308, { location: `/${token}` }).end();
    else json(response, result(seen.message.id, "x".repeat(1_000)));
  });
  await using sse = await serve((seen, response) => {
    if (seen.method === "POST") response.writeHead(405).end();
    else events(response).end(`event: endpoint\ndata: http://elsewhere.example/${token}\n\n`);
  });
  for (const [{ url }, named] of [
    [within, `initialize at ${within.url}: HTTP 200 text/plain without the answer`],
    [away, `${away.url} redirects to http://elsewhere.example/…: connect to the address`],
    [large, `initialize at ${large.url}: more than 500 bytes`],
    [sse, `${sse.url} names "http://elsewhere.example/…", which is not an address`],
  ] as const) {
    const transport = createHttpTransport(url, { headers, maxFrameBytes: 500 });
    const failed = McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
    await expect(failed).rejects.toThrow(named);
    await expect(failed).rejects.not.toThrow(token);
  }
});

const token = "abcd/efgh+ijkl";

test.each([
  ["400", "as it is", token],
  ["400", "with escaped slashes", token.replaceAll("/", "\\/")],
  ["400", "in code units", escaped(token)],
  ["200", "as it is", token],
  ["200", "in code units", escaped(token)],
  ["an event", "as it is", token],
  ["an event", "in code units", escaped(token)],
  ["400", "with spaces of no width", [...token].join("\u200b")],
  ["200", "with control characters", [...token].join("\\u0001")],
])("an error in %s that repeats the token %s is reported without it", async (how, _, repeated) => {
  const words = `{"words":"TOKEN is bad","TOKEN":[{"TOKEN":1}]}`.replaceAll(
    "TOKEN",
    () => repeated,
  );
  await using server = await new ScriptedHttpServer(
    withSessions(({ message: { id, method } }, response) => {
      if (method !== "tools/call") return false;
      const message = `"message":"TOKEN is bad"`.replace("TOKEN", () => repeated);
      const key = how === "400" ? "error" : "\\u0065rror";
      const body = `{"jsonrpc":"2.0","id":${id},"${key}":{"code":-32000,${message},"data":${words}}}`;
      if (how === "an event") events(response).end(`data: ${body}\n\n`);
      else {
        response.writeHead(Number(how), { "content-type": "application/json" });
        response.end(body);
      }
    }),
  ).listen();
  const headers = { authorization: `Bearer ${token}` };
  const transport = createHttpTransport(server.url, { headers, listen: false });
  const client = await McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
  const error: unknown = await client.callTool("a").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RpcError);
  expect(error).toMatchObject({
    message: "… is bad",
    data: { words: "… is bad", "…": [{ "…": 1 }] },
  });
  client.close();
});

const escapes: readonly (readonly [how: string, inEscapes: (text: string) => string])[] = [
  ["as it is", (text) => text],
  ["with escaped slashes", (text) => text.replaceAll("/", "\\/")],
  ["in code units", escaped],
  ["as JSON within JSON", (text) => JSON.stringify(escaped(text))],
  ["as part of an address", encodeURIComponent],
  ["as an address within one", (text) => encodeURIComponent(encodeURIComponent(text))],
  ["as an address in JSON", (text) => escaped(encodeURIComponent(text))],
  ["as JSON in an address", (text) => encodeURIComponent(escaped(text))],
  ["in HTML", (text) => Array.from(text, (unit) => `&#${unit.charCodeAt(0)};`).join("")],
  ["as hexadecimal HTML", (text) => text.replace(/[/+=]/g, hexadecimal)],
];

test.each(escapes)(
  "a message that repeats a secret sent %s is shown without it",
  async (_, inEscapes) => {
    const key = "key+of/the=address";
    const [session = "", shown] = ["session-1", "bad …, …, … and …"];
    const words = `bad ${[token, key, session, "Basic bmFtZTp3b3Jk"].map(inEscapes).join(", ")}`;
    const text = words.replace(/, ([^,]*)$/, " and $1");
    const rpcError = { jsonrpc: "2.0", error: { code: -32_000, message: text } };
    await using server = await new ScriptedHttpServer(
      withSessions(({ message: { id, method, params } }, response) => {
        if (method !== "tools/call") return false;
        const name = params?.["name"];
        if (name === "text") response.writeHead(400).end(text);
        else json(response, { ...rpcError, id }, {}, name === "error" ? 200 : 400);
      }),
    ).listen();
    const transport = createHttpTransport(`${server.url}?api_key=${key}&v=1`, {
      headers: { authorization: "Basic bmFtZTp3b3Jk", "x-api-key": token },
      listen: false,
    });
    const client = await McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
    await expect(client.callTool("text")).rejects.toThrow(`tools/call at ${server.url}: HTTP 400 `);
    for (const name of ["text", "error", "refusal"]) {
      const { message }: Error = await client.callTool(name).catch((reason) => reason);
      expect(message.replaceAll('"', "").endsWith(shown), message).toBe(true);
    }
    client.close();
  },
);

test("an address that fetch repeats is reported without its query", async () => {
  const fetch = async (url: string) => {
    throw new TypeError(`error sending request for url (${url})`);
  };
  const transport = createHttpTransport("https://x.test/mcp?api_key=0123456789", { fetch });
  const failed = McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
  await expect(failed).rejects.toMatchObject({
    code: "lost",
    message: expect.stringMatching(/: error sending request for url \(https:.*\?api_key=…\)$/),
  });
});

test.each([
  ["http://me:pass/word@x.test/", "…@x.test/"],
  ["ftp://x.test/?api_key=0123456789#0123456789", "ftp://x.test/"],
  ["me:0123456789@x.test", "…@x.test"],
])("the address %s is refused without its secret", (address, shown) => {
  expect(() => createHttpTransport(address)).toThrow(new RegExp(`got ${shown}$`));
});

function hexadecimal(unit: string): string {
  return `&#x${unit.charCodeAt(0).toString(16)};`;
}

function escaped(text: string): string {
  const units = Array.from(text, (unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}

test("over HTTP with SSE, an error that repeats the message is reported without it", async () => {
  let stream: ServerResponse | undefined;
  await using server = await serve(({ method, path, headers, message }, response) => {
    if (method === "GET") {
      stream = events(response);
      stream.write("event: endpoint\ndata: /messages?sessionId=session-0123456789\n\n");
    } else if (path === "/mcp") response.writeHead(405).end();
    else {
      const words = `refused ${headers.authorization} at ${path}`;
      const error = { code: -32_000, message: words };
      response.writeHead(202).end();
      stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message.id, error })}\n\n`);
    }
  });
  let requests = 0;
  const authorization: Authorization = {
    send: (_, send) => send(new Headers({ authorization: `Bearer token-number-${++requests}` })),
  };
  const transport = createHttpTransport(server.url, { authorization });
  const failed = McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
  await expect(failed).rejects.toMatchObject({ message: "refused … at /messages?sessionId=…" });
  expect(requests).toBe(3);
});
