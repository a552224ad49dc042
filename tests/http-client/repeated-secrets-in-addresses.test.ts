import { elicitation, McpClient } from "@idewire/core/client";
import { asObject } from "@idewire/core/internal";
import { createHttpTransport } from "@idewire/http";
import { createMemoryStore, createOAuth } from "@idewire/http/oauth";
import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import {
  events,
  json,
  result,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

const KEY = "key-of-the-program-0123";

interface Leak {
  readonly fixture: AuthorizationFixture;
  /** A secret that the server has seen, or issued. */
  readonly secret: string;
}

/** Answers 401 with a challenge. */
function challenge({ fixture }: Leak, parameters: string): void {
  const usual = fixture.server.answer;
  fixture.server.answer = (seen, response) =>
    seen.path !== "/mcp" || fixture.accessTokens.size > 0
      ? usual(seen, response)
      : response.writeHead(401, { "www-authenticate": `Bearer ${parameters}` }).end();
}

const leaks: readonly (readonly [string, (leak: Leak) => unknown])[] = [
  ["scope of a challenge", (leak) => challenge(leak, `scope="read ${leak.secret}"`)],
  [
    "scope of a challenge, in base64",
    (leak) => challenge(leak, `scope="${btoa(leak.secret).replaceAll("=", "")}"`),
  ],
  [
    "resource_metadata of a challenge",
    (leak) => challenge(leak, `resource_metadata="https://${leak.secret}.test/"`),
  ],
  [
    "scopes_supported",
    ({ fixture, secret }) => (fixture.knobs.resourceMetadata = { scopes_supported: [secret] }),
  ],
  [
    "query of the resource",
    ({ fixture, secret }) =>
      (fixture.knobs.resourceMetadata = { resource: `${fixture.server.url}?a=${secret}` }),
  ],
  [
    "address of the authorization server",
    ({ fixture, secret }) =>
      (fixture.knobs.resourceMetadata = { authorization_servers: [`http://evil.test/${secret}`] }),
  ],
  [
    "authorization endpoint",
    ({ fixture, secret }) =>
      (fixture.knobs.metadata = {
        authorization_endpoint: `${fixture.issuer.origin}/authorize?a=${secret}`,
      }),
  ],
  [
    "refusal of the login",
    ({ fixture, secret }) =>
      (fixture.knobs.redirect = { error: "access_denied", error_description: `no ${secret}` }),
  ],
  ["iss", ({ fixture, secret }) => (fixture.knobs.redirect = { iss: `https://${secret}` })],
];

const known = ["the access token", "the refresh token", "a key in a header", "a key in the query"];
const cases = leaks.flatMap(([where, leak]) => known.map((what) => [what, where, leak] as const));

test.each(cases)(
  "%s that a server repeats in the %s gets into no address, request or error",
  async (what, _, leak) => {
    const fixture = await new AuthorizationFixture().listen();
    onTestFinished(() => fixture[Symbol.asyncDispose]());
    const url = fixture.server.url;
    const store = createMemoryStore();
    const authorization = createOAuth({ url, store, openRedirectTarget: agreeingPerson });
    const sentTo = what.endsWith("query") ? `${url}?key=${KEY}` : url;
    const headers = what.endsWith("header") ? { "x-api-key": KEY } : {};
    const transport = createHttpTransport(sentTo, { authorization, headers, listen: false });
    const client = await McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
    onTestFinished(() => client.close());
    const { accessToken = "", refreshToken = "" } = (await store.read(url))?.tokens ?? {};
    const secret =
      { "the access token": accessToken, "the refresh token": refreshToken }[what] ?? KEY;
    fixture.accessTokens.clear();
    fixture.refreshTokens.clear();
    const before = fixture.issuer.seen.length;
    leak({ fixture, secret });
    const outcome = await client.callTool("a").catch((error: unknown) => error);
    const requests = fixture.issuer.seen
      .slice(before)
      // The refresh itself sends its secrets to their recipient.
      .filter(({ body }) => !body.includes("grant_type=refresh_token"))
      .map(({ path, body }) => `${path} ${body}`);
    const shown = `${requests.join()} ${String(outcome)} ${JSON.stringify(outcome)}`;
    for (const spelling of [secret, btoa(secret).replaceAll("=", "")]) {
      expect(shown).not.toContain(spelling);
    }
  },
);

test("a token that an authorization server repeats as a scope is not requested later", async () => {
  const fixture = await new AuthorizationFixture().listen();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  const token = "access-that-is-repeated";
  fixture.knobs.token = () => {
    const usual = { scope: "read", family: "one", thumbprint: undefined };
    fixture.accessTokens.set(token, usual);
    const body = { access_token: token, token_type: "Bearer", scope: `read ${token}` };
    return { status: 200, body };
  };
  fixture.knobs.scope = "read";
  const { url } = fixture.server;
  const openRedirectTarget = agreeingPerson;
  const authorization = createOAuth({ url, store: createMemoryStore(), openRedirectTarget });
  const transport = createHttpTransport(url, { authorization, listen: false });
  const client = await McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
  onTestFinished(() => client.close());
  fixture.knobs.scope = "read write";
  await client.callTool("a").catch(() => {});
  expect(fixture.visits).not.toHaveLength(1);
  expect(fixture.visits.join()).not.toContain(token);
});

test("questions, log messages and progress of a server are shown without the secrets sent to it", async () => {
  const server = await new ScriptedHttpServer(
    withSessions(({ message: { id, method, params } }, response) => {
      if (method !== "tools/call") return false;
      const stream = events(response);
      const say = (value: object) =>
        stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...value })}\n\n`);
      const log = { level: "info", logger: KEY, data: { words: [`bad ${KEY}`] } };
      say({ method: "notifications/message", params: log });
      const url = {
        mode: "url",
        message: KEY,
        url: `https://a.test/?k=${KEY}`,
        elicitationId: "1",
      };
      say({ id: 1, method: "elicitation/create", params: url });
      const schema = { type: "object", properties: { [KEY]: { type: "string", title: KEY } } };
      const form = { message: `Is it ${KEY}?`, requestedSchema: schema };
      say({ id: 2, method: "elicitation/create", params: form });
      const { progressToken } = asObject(params?.["_meta"]);
      const progress = { progressToken, progress: 1, message: `bad ${KEY}` };
      say({ method: "notifications/progress", params: progress });
      say({ id, result: { content: [] } });
    }),
  ).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const shown: unknown[] = [];
  const decline = (request: unknown) => {
    shown.push(request);
    return { action: "decline" } as const;
  };
  const features = [elicitation({ form: decline, url: decline })];
  const options = { era: "legacy", features } as const;
  const client = await connectOverHttp(server, options, { headers: { "x-api-key": KEY } });
  onTestFinished(() => client.close());
  client.onLogMessage((message) => shown.push(message));
  await client.callTool("a", {}, { onProgress: (progress) => shown.push(progress) });
  expect(shown).toHaveLength(4);
  expect(JSON.stringify(shown)).not.toContain(KEY);
});

test("a server whose name repeats a secret sent to it asks without it", async () => {
  const server = await new ScriptedHttpServer(
    withSessions(({ message: { id, method } }, response) => {
      if (method === "initialize") {
        const serverInfo = { name: `named ${KEY}`, version: "1" };
        const capabilities = { tools: {} };
        json(response, result(id, { protocolVersion: "2025-11-25", capabilities, serverInfo }));
      } else if (method === "tools/call") {
        const form = { message: "?", requestedSchema: { type: "object", properties: {} } };
        const stream = events(response);
        for (const message of [
          { id: 1, method: "elicitation/create", params: form },
          result(id, { content: [] }),
        ]) {
          stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
        }
      } else return false;
    }),
  ).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const header = ["--header", `x-api-key: ${KEY}`, "--era", "legacy"];
  const command = new CliRun(openFixture(), { args: ["mcp", "call", "a", ...header, server.url] });
  await command.exited;
  expect(command.errors).toContain("| named … asks: ?");
});
