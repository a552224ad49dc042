import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { createMemoryStore, createOAuth } from "@idewire/http/oauth";
import { expect, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";

const admitted = { content: [{ type: "text", text: "admitted" }] };

/** A client with a logged-in person. */
async function login({ server: { url } }: AuthorizationFixture) {
  const store = createMemoryStore();
  const authorization = createOAuth({ url, store, openRedirectTarget: agreeingPerson });
  const open = () => createHttpTransport(url, { authorization, listen: false });
  const client = await McpClient.connect(open, { name: "me", version: "1", era: "legacy" });
  return { client, kept: () => store.read(url) };
}

const html = "<h1>Bad gateway</h1>";

test.each([
  ["temporarily_unavailable", 400, { error: "temporarily_unavailable" }],
  ["slow_down", 400, { error: "slow_down" }],
  ["HTTP 429", 429, html],
  ["HTTP 500", 500, { error: "invalid_grant" }],
  ["HTTP 502", 502, html],
  ["HTTP 503", 503, ""],
])(
  "a refresh that is answered with %s may be retried: nothing is deleted, without a login",
  async (named, status, body) => {
    await using fixture = await new AuthorizationFixture().listen();
    const { client, kept } = await login(fixture);
    const before = await kept();
    fixture.accessTokens.clear();
    fixture.knobs.token = () => ({ status, body });
    const error = await client.callTool("a").catch((reason) => reason);
    expect(error).toMatchObject({
      code: "unreachable",
      message: `The authorization server answers ${named}: try again later`,
    });
    expect(await kept()).toEqual(before);
    fixture.knobs.token = undefined;
    expect(await client.callTool("a")).toEqual(admitted);
    expect([fixture.visits.length, fixture.refreshes]).toEqual([1, 1]);
    client.close();
  },
);

test.each([
  ["breaks off", "the connection broke off: ", true],
  ["cannot be sent", "the server cannot be reached: ", false],
])("a refresh that %s leaves the call unsent, which may be retried", async (_, why, breaks) => {
  await using fixture = await new AuthorizationFixture().listen();
  const { client, kept } = await login(fixture);
  // After an answer, the server has received `notifications/initialized`.
  await client.ping();
  const before = await kept();
  fixture.accessTokens.clear();
  const calls = () => fixture.server.methods.filter((method) => method === "tools/call").length;
  const { issuer, knobs } = fixture;
  const { answer } = issuer;
  if (breaks) {
    issuer.answer = (seen, response) =>
      seen.path === "/token" ? response.destroy() : answer(seen, response);
  } else knobs.metadata = { token_endpoint: "http://127.0.0.1:1/token" };
  await expect(client.callTool("a")).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringContaining(`/token: ${why}`),
  });
  // The only call is the one refused for its token.
  expect([calls(), await kept()]).toEqual([1, before]);
  issuer.answer = answer;
  knobs.metadata = {};
  expect(await client.callTool("a")).toEqual(admitted);
  expect([fixture.visits.length, fixture.refreshes]).toEqual([1, 1]);
  client.close();
});

test.each([
  ["the MCP server's metadata", /oauth-protected-resource/],
  ["the authorization server's metadata", /oauth-authorization-server/],
])("an outage of %s leads to no other server, and may be retried", async (_, path) => {
  await using fixture = await new AuthorizationFixture().listen();
  const { client, kept } = await login(fixture);
  const before = await kept();
  fixture.accessTokens.clear();
  const { server, issuer } = fixture;
  const usual = [server.answer, issuer.answer];
  for (const each of [server, issuer]) {
    const { answer } = each;
    each.answer = (seen, response) =>
      path.test(seen.path) ? response.writeHead(503).end() : answer(seen, response);
  }
  await expect(client.callTool("a")).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringMatching(/^http.*: HTTP 503: try again later$/),
  });
  expect([await kept(), fixture.visits.length]).toEqual([before, 1]);
  [server.answer, issuer.answer] = usual as [typeof server.answer, typeof issuer.answer];
  expect(await client.callTool("a")).toEqual(admitted);
  expect([fixture.visits.length, fixture.refreshes]).toEqual([1, 1]);
  client.close();
});
