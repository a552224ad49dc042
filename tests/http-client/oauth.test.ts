import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { createMemoryStore, createOAuth, type OAuthOptions } from "@idewire/http/oauth";
import { expect, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";
import { json, ScriptedHttpServer } from "../src/scripted-http-server.ts";

const admitted = { content: [{ type: "text", text: "admitted" }] };

async function login(fixture: AuthorizationFixture, options: Partial<OAuthOptions> = {}) {
  const authorization = createOAuth({
    url: fixture.server.url,
    store: createMemoryStore(),
    openRedirectTarget: agreeingPerson,
    ...options,
  });
  const open = () => createHttpTransport(fixture.server.url, { authorization, listen: false });
  return McpClient.connect(open, { name: "me", version: "1", era: "legacy" });
}

test("a person logs in once, and every request then has the token", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  fixture.knobs.scope = "read";
  const client = await login(fixture);
  expect(await client.callTool("a")).toEqual(admitted);
  const [first, ...later] = fixture.server.seen.filter(({ path }) => path === "/mcp");
  expect(first?.headers.authorization).toBe(undefined);
  for (const { headers } of later) expect(headers.authorization).toMatch(/^Bearer access-/);
  expect(fixture.visits).toHaveLength(1);
  expect(Object.fromEntries(fixture.visits[0] ?? [])).toMatchObject({
    response_type: "code",
    code_challenge_method: "S256",
    resource: fixture.server.url,
    scope: "read",
  });
  client.close();
});

test("tokens are used again from the store, and refreshed before they end", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  fixture.knobs.expiresIn = 10;
  const store = createMemoryStore();
  (await login(fixture, { store })).close();
  const refreshed = fixture.refreshes;
  const client = await login(fixture, { store });
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.refreshes).toBeGreaterThan(refreshed);
  expect(fixture.visits).toHaveLength(1);
  const posts = fixture.server.seen.filter(({ path }) => path === "/mcp");
  expect(posts.filter(({ headers }) => headers.authorization === undefined)).toHaveLength(1);
  client.close();
});

test("many requests with a revoked token cause one refresh", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  const client = await login(fixture);
  fixture.accessTokens.clear();
  const calls = Array.from({ length: 20 }, () => client.callTool("a"));
  expect(await Promise.all(calls)).toEqual(calls.map(() => admitted));
  expect(fixture.refreshes).toBe(1);
  client.close();
});

test("a refresh token that is refused leads to a new login, with the same registration", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  const client = await login(fixture);
  fixture.accessTokens.clear();
  fixture.refreshTokens.clear();
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.visits).toHaveLength(2);
  expect(fixture.clients.size).toBe(1);
  client.close();
});

test("a registration that the server has forgotten is renewed, once", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  const client = await login(fixture);
  fixture.accessTokens.clear();
  fixture.clients.clear();
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.clients.size).toBe(1);
  fixture.accessTokens.clear();
  fixture.knobs.token = () => ({ status: 401, body: { error: "invalid_client" } });
  const before = fixture.visits.length;
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "unauthorized" });
  expect(fixture.visits.length - before).toBeLessThanOrEqual(2);
  client.close();
});

test("more scopes are requested together with those granted, and not endlessly", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  fixture.knobs.scope = "read";
  const client = await login(fixture);
  fixture.knobs.scope = "write";
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.visits.map((visit) => visit.get("scope"))).toEqual(["read", "read write"]);
  fixture.knobs.token = () => ({
    status: 200,
    body: { access_token: `useless-${fixture.visits.length}`, token_type: "Bearer", scope: "none" },
  });
  fixture.accessTokens.clear();
  fixture.refreshTokens.clear();
  await expect(client.callTool("a")).rejects.toMatchObject({
    code: "unauthorized",
    message: expect.stringContaining("3 tokens in a row"),
  });
  client.close();
});

test("no credential of one authorization server is sent to another", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  await using other = await new AuthorizationFixture().listen();
  const store = createMemoryStore();
  (await login(fixture, { store })).close();
  const ours = [...fixture.clients, ...fixture.secrets];
  fixture.knobs.resourceMetadata = { authorization_servers: [other.issuer.origin] };
  fixture.accessTokens.clear();
  await expect(login(fixture, { store })).rejects.toMatchObject({ code: "unauthorized" });
  expect(other.visits.length).toBeGreaterThan(0);
  const shown = JSON.stringify(other.issuer.seen);
  for (const secret of ours) expect(shown).not.toContain(secret);
});

test("a registration that is answered with 200, without an expiry of its secret, is valid", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  fixture.clients.add("registered");
  const { answer } = fixture.issuer;
  const registered = { client_id: "registered", client_secret: "kept secret", application_type: 1 };
  fixture.issuer.answer = (seen, response) =>
    seen.path === "/register" ? json(response, registered) : answer(seen, response);
  const store = createMemoryStore();
  (await login(fixture, { store })).close();
  const kept = await store.read(fixture.server.url);
  expect(kept?.client).toMatchObject({ clientId: "registered", clientSecret: "kept secret" });
});

test.each([
  [401, "", "The authorization server: it answers HTTP 401"],
  [404, "Not found", "registers no clients: HTTP 404 at "],
  [200, "<html>", '"client_id" property must be a string'],
  [400, '{"error":"invalid_redirect_uri"}', "refused: invalid_redirect_uri"],
])("a registration that is answered with %s %s is invalid", async (status, body, words) => {
  await using fixture = await new AuthorizationFixture().listen();
  const { answer } = fixture.issuer;
  const headers = { "content-type": "application/json" };
  fixture.issuer.answer = (seen, response) =>
    seen.path === "/register"
      ? response.writeHead(status, headers).end(body)
      : answer(seen, response);
  await expect(login(fixture)).rejects.toThrow(words);
  expect(fixture.visits).toEqual([]);
});

const refusals: readonly [string, (fixture: AuthorizationFixture) => void, string, number][] = [
  [
    "metadata of another issuer",
    ({ knobs }) => (knobs.metadata = { issuer: "https://evil.test" }),
    "https://evil.test",
    0,
  ],
  [
    "metadata with another spelling of the issuer",
    ({ knobs, issuer }) => (knobs.metadata = { issuer: `${issuer.origin}//` }),
    "names the issuer",
    0,
  ],
  [
    "metadata with plain PKCE alone",
    ({ knobs }) => (knobs.metadata = { code_challenge_methods_supported: ["plain"] }),
    "it names plain",
    0,
  ],
  [
    "metadata without an authorization endpoint",
    ({ knobs }) => (knobs.metadata = { authorization_endpoint: undefined }),
    "names no authorization_endpoint",
    0,
  ],
  [
    "a resource of another origin",
    ({ knobs }) => (knobs.resourceMetadata = { resource: "https://evil.test/mcp" }),
    "https://evil.test/mcp",
    0,
  ],
  [
    "a resource beside the server",
    ({ knobs, server }) => (knobs.resourceMetadata = { resource: `${server.origin}/mc` }),
    "not for",
    0,
  ],
  [
    "javascript: as authorization endpoint",
    ({ knobs }) => (knobs.metadata = { authorization_endpoint: "javascript:alert(1)" }),
    "javascript:alert(1)",
    0,
  ],
  [
    "an http: token endpoint elsewhere",
    ({ knobs }) => (knobs.metadata = { token_endpoint: "http://evil.test/token" }),
    "neither https",
    0,
  ],
  [
    "an http: authorization server elsewhere",
    ({ knobs }) => (knobs.resourceMetadata = { authorization_servers: ["http://evil.test"] }),
    "neither https",
    0,
  ],
  [
    "an endpoint with a password",
    ({ knobs }) =>
      (knobs.metadata = { token_endpoint: "https://user:pass@auth.example.com/token" }),
    'token_endpoint "https://auth.example.com/token" is given with a user name or a password',
    0,
  ],
  [
    "a redirect with another login's state",
    ({ knobs }) => (knobs.redirect = { state: "other" }),
    "state",
    1,
  ],
  ["a redirect without state", ({ knobs }) => (knobs.redirect = { state: undefined }), "state", 1],
  [
    "another issuer's iss (mix-up)",
    ({ knobs }) => (knobs.redirect = { iss: "https://evil.test" }),
    'iss "https://evil.test", expected http://127.0.0.1:',
    1,
  ],
  [
    "a promised iss that is missing",
    ({ knobs }) => (knobs.metadata = { authorization_response_iss_parameter_supported: true }),
    "iss",
    1,
  ],
  [
    "a refusal with another issuer's iss",
    ({ knobs }) => (knobs.redirect = { error: "access_denied", iss: "https://evil.test" }),
    "iss",
    1,
  ],
  [
    "a refusal by the person",
    ({ knobs }) =>
      (knobs.redirect = { error: "access_denied", error_description: "No\u001b[31m\u2028\u2029!" }),
    "access_denied: No[31m!",
    1,
  ],
  [
    "a code of another login",
    ({ knobs }) => (knobs.redirect = { code: "stolen" }),
    "invalid_grant",
    1,
  ],
  [
    "a token that is invalid in a header",
    ({ knobs }) =>
      (knobs.token = () => ({ status: 200, body: { access_token: "x\ny", token_type: "Bearer" } })),
    "gave a token that no header can have",
    1,
  ],
  [
    "no registrations",
    ({ knobs }) => (knobs.metadata = { registration_endpoint: undefined }),
    "takes no registrations",
    0,
  ],
];

test("a secret that a server repeats does not appear in the error", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  const clientSecret = "a/secret for a";
  const escaped = encodeURIComponent(clientSecret);
  const basic = btoa(`known:${new URLSearchParams({ s: clientSecret }).toString().slice(2)}`);
  const clients = { [fixture.issuer.origin]: { clientId: "known", clientSecret } };
  fixture.clients.add("known");
  fixture.knobs.token = (body) => ({
    status: 400,
    body: {
      error: "invalid_grant",
      error_description: `No ${body} for ${clientSecret}, ${escaped}, ${basic}!`,
    },
  });
  for (const method of ["client_secret_basic", "client_secret_post"]) {
    fixture.knobs.metadata = { token_endpoint_auth_methods_supported: [method] };
    const error = await login(fixture, { clients }).catch((reason) => reason);
    expect(error.message).toMatch(/invalid_grant: No .* for …, …, .*!$/);
    if (method === "client_secret_basic") expect(error.message).not.toContain(basic);
    for (const secret of fixture.secrets) expect(error.message).not.toContain(secret);
  }
});

test.each(refusals)("%s is refused with the value seen", async (_, set, words, visits) => {
  await using fixture = await new AuthorizationFixture().listen();
  set(fixture);
  const error = await login(fixture).catch((reason) => reason);
  expect(error).toMatchObject({ code: "unauthorized", message: expect.stringContaining(words) });
  expect(fixture.visits).toHaveLength(visits);
  const said = `${error.message}${error.stack}${JSON.stringify(error.cause ?? "")}`;
  for (const secret of fixture.secrets) expect(said).not.toContain(secret);
  expect(fixture.server.seen.filter(({ headers }) => headers.authorization)).toEqual([]);
});

test.each([
  ...["https://10.0.0.1", "https://192.168.1.1", "https://172.20.0.1", "https://169.254.169.254"],
  ...[
    "https://127.0.0.1",
    "https://localhost",
    "https://[::1]",
    "https://[fe80::1]",
    "https://[fd00::1]",
  ],
  ...[
    "https://[::ffff:10.0.0.1]",
    "https://100.64.0.1",
    "https://printer.local",
    "https://0.0.0.0",
  ],
  ...["https://[64:ff9b::7f00:1]", "https://[::127.0.0.1]", "https://[fec0::1]", "https://[::]"],
  ...["https://[2002:7f00:1::]", "https://[2001:0:7f00:1::]", "https://[ff02::1]"],
  ...["https://198.18.0.1", "https://192.0.0.1", "https://224.0.0.1", "https://255.255.255.255"],
  ...["https://intranet", "https://router.lan", "https://nas.home", "https://router.home.arpa"],
])("a public server that names %s as its authorization server is refused", async (issuer) => {
  const requestedUrls: string[] = [];
  const authorization = createOAuth({
    url: "https://mcp.example.com/mcp",
    store: createMemoryStore(),
    openRedirectTarget: agreeingPerson,
    fetch: async (url) => {
      requestedUrls.push(url);
      return Response.json({
        resource: "https://mcp.example.com/mcp",
        authorization_servers: [issuer],
      });
    },
  });
  const request = { method: "POST", url: new URL("https://mcp.example.com/mcp") };
  const refused = new Response(null, { status: 401 });
  const sent = authorization.send(request, async () => refused);
  await expect(sent).rejects.toThrow("is on a private network, but mcp.example.com is not");
  expect(requestedUrls.every((url) => url.startsWith("https://mcp.example.com/"))).toBe(true);
});

test("metadata that arrives byte by byte, endlessly, or in 100 MB is abandoned", async () => {
  await using slow = await new ScriptedHttpServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write(" ");
  }).listen();
  await using huge = await new ScriptedHttpServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  }).listen();
  for (const [issuer, code, timeoutMs] of [
    [slow, "timeout", 300],
    [huge, "unauthorized", 60_000],
  ] as const) {
    await using fixture = await new AuthorizationFixture().listen();
    fixture.knobs.resourceMetadata = { authorization_servers: [issuer.origin] };
    await expect(login(fixture, { timeoutMs })).rejects.toMatchObject({ code });
  }
});

test("metadata that redirects, to itself or elsewhere, is rejected", async () => {
  await using loop = await new ScriptedHttpServer(({ path }, response) => {
    response.writeHead(302, { location: path }).end();
  }).listen();
  await using fixture = await new AuthorizationFixture().listen();
  fixture.knobs.resourceMetadata = { authorization_servers: [loop.origin] };
  await expect(login(fixture)).rejects.toMatchObject({
    code: "unauthorized",
    message: expect.stringContaining("has no metadata"),
  });
  expect(loop.seen).toHaveLength(2);
});
