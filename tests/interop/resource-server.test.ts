import { textResult } from "@idewire/core/internal";
import { McpServer } from "@idewire/core/server";
import type { RequestHead } from "@idewire/http";
import { logOut } from "@idewire/http/oauth";
import { protectResource, type VerifiedToken } from "@idewire/http/resource-server";
import { listenMcp } from "@idewire/node-server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { generateKeyPair, SignJWT } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { connect, open, ping, post } from "./protected-server.ts";
import { browsingPerson } from "./real-authorization-server.ts";

test.each(["jwt", "opaque"] as const)(
  "our client logs in, and its %s token is accepted",
  async (format) => {
    const { audience, issuer } = await open(format);
    const { client, store } = await connect(audience);
    expect(await client.callTool("who")).toEqual(textResult("ann: read"));
    const kept = await store.read(audience);
    expect(kept?.issuer).toBe(issuer);
    expect(kept?.tokens?.accessToken.split(".")).toHaveLength(format === "jwt" ? 3 : 1);
  },
);

test("a request that needs more scopes is answered with 403, and our client steps up", async () => {
  let wanted: readonly string[] = [];
  const { audience } = await open("jwt", { scopesFor: () => wanted });
  const { client, store } = await connect(audience);
  wanted = ["write"];
  expect(await client.callTool("who")).toEqual(textResult("ann: read write"));
  expect((await store.read(audience))?.tokens?.scope?.split(" ").sort()).toEqual(["read", "write"]);
});

test("the scopes of a tool are required in every era, however a client spells its name", async () => {
  const writes = (name: string | undefined) => (name === "who" ? ["write"] : []);
  const scopesFor = (head: RequestHead) => writes(head.header("mcp-name"));
  const { audience } = await open("jwt", { scopesFor });
  const { client, store } = await connect(audience);
  const { accessToken } = (await store.read(audience))?.tokens ?? {};
  expect(await client.callTool("who")).toEqual(textResult("ann: read write"));
  expect((await store.read(audience))?.tokens?.scope?.split(" ").sort()).toEqual(["read", "write"]);
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const modern = { ...call, params: { name: "who", arguments: {}, _meta: meta } };
  const headers = { "mcp-method": "tools/call", "mcp-protocol-version": "2026-07-28" };
  const legacy = { ...call, params: { name: "who", arguments: {} } };
  for (const [more, body] of [
    [{ ...headers, "mcp-name": "who" }, modern],
    [{ ...headers, "mcp-name": "=?base64?d2hv?=" }, modern],
    [{ "mcp-name": "other" }, legacy],
    [{}, [{ ...call, method: "ping" }, legacy]],
  ] as const) {
    const sent = { authorization: `Bearer ${accessToken}`, ...more };
    const { status, challenge } = await post(audience, sent, body);
    expect([status, challenge]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ]);
    expect(challenge).toContain('scope="write"');
  }
});

test("a tool that needs more scopes has our client step up with its registration, in both eras", async () => {
  for (const era of ["legacy", "modern"] as const) {
    const { audience } = await open("jwt");
    const { client, store } = await connect(audience, {}, era);
    const before = (await store.read(audience))?.client?.clientId;
    expect(await client.callTool("write")).toMatchObject(textResult("ann: read write"));
    expect((await store.read(audience))?.client?.clientId).toBe(before);
  }
});

test("a token that ends is refreshed once for all requests", async () => {
  const { audience } = await open("jwt", {}, { ttlS: 2 });
  const { client, store } = await connect(audience);
  const first = await store.read(audience);
  const all = await Promise.all([1, 2, 3, 4].map(() => client.callTool("who")));
  expect(all).toEqual([1, 2, 3, 4].map(() => textResult("ann: read")));
  const last = await store.read(audience);
  expect(last?.tokens?.refreshToken).not.toBe(first?.tokens?.refreshToken);
  expect(last?.tokens?.accessToken).not.toBe(first?.tokens?.accessToken);
});

test("a reused refresh token revokes all, and the person logs in again", async () => {
  const { audience, issuer } = await open("opaque", {}, { ttlS: 2 });
  const { client, store } = await connect(audience);
  const first = await store.read(audience);
  await client.callTool("who");
  const { refreshToken, clientId } = first?.tokens ?? {};
  const stolen = await fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "refresh_token", refresh_token: String(refreshToken) },
      ...{ client_id: String(clientId), resource: audience },
    }),
  });
  expect([stolen.status, await stolen.json()]).toEqual([
    400,
    expect.objectContaining({ error: "invalid_grant" }),
  ]);
  const { accessToken = "" } = (await store.read(audience))?.tokens ?? {};
  // Introspection answers are cached for a while.
  const authorization = `Bearer ${accessToken}`;
  const refusal = async () => (await ping(audience, { authorization })).challenge;
  await expect.poll(refusal).toContain("not active");
  expect(await client.callTool("who")).toEqual(textResult("ann: read"));
  expect((await store.read(audience))?.client).toEqual(first?.client);
});

test.each(["jwt", "opaque"] as const)(
  "a logout revokes the refresh token that came with a %s token",
  async (format) => {
    const { audience, issuer } = await open(format);
    const { store } = await connect(audience);
    const { accessToken, refreshToken, clientId } = (await store.read(audience))?.tokens ?? {};
    expect(await logOut({ url: audience, store })).toEqual({ kind: "revoked" });
    const parameters = { grant_type: "refresh_token", refresh_token: String(refreshToken) };
    const used = await fetch(`${issuer}/token`, {
      method: "POST",
      body: new URLSearchParams({ ...parameters, client_id: String(clientId) }),
    });
    expect(await used.json()).toMatchObject({ error: "invalid_grant" });
    if (format === "jwt") return;
    const authorization = `Bearer ${accessToken}`;
    await expect.poll(async () => (await ping(audience, { authorization })).status).toBe(401);
  },
);

test("the metadata is at both places, and the challenge leads there", async () => {
  const { audience, issuer } = await open("jwt", { scopesFor: () => ["read"] });
  const { origin } = new URL(audience);
  const refused = await fetch(audience, { method: "POST", body: "{}" });
  expect(refused.status).toBe(401);
  const place = `${origin}/.well-known/oauth-protected-resource/mcp`;
  expect(refused.headers.get("www-authenticate")).toBe(
    `Bearer scope="read", resource_metadata="${place}"`,
  );
  for (const url of [place, `${origin}/.well-known/oauth-protected-resource`]) {
    const metadata = await (await fetch(url)).json();
    expect(metadata).toMatchObject({ resource: audience, authorization_servers: [issuer] });
  }
  const listener = await listenMcp(new McpServer<VerifiedToken>({ name: "other", version: "1" }), {
    resourceServer: protectResource({ issuers: [issuer], audience }),
  });
  onTestFinished(() => listener.close());
  const wrong = new URL("/.well-known/oauth-protected-resource/other", listener.url);
  expect((await fetch(wrong)).status).toBe(404);
});

test("a token without a trusted issuer for this audience is refused, and appears in no answer", async () => {
  const { audience, issuer, other } = await open("jwt");
  const elsewhere = await open("jwt");
  const { store } = await connect(audience);
  const good = (await store.read(audience))?.tokens?.accessToken ?? "";
  const [head = "", payload = ""] = good.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const { privateKey } = await generateKeyPair("RS256");
  const forged = await new SignJWT({ ...claims, scope: "read write" })
    .setProtectedHeader({ alg: "RS256", kid: "x" })
    .sign(privateKey);
  const foreign = await connect(elsewhere.audience);
  const theirs = (await foreign.store.read(elsewhere.audience))?.tokens?.accessToken ?? "";
  const rows: readonly (readonly [string, string])[] = [
    [`${encode({ alg: "none" })}.${payload}.`, "signature"],
    [`${head}.${encode({ ...claims, aud: other })}.${good.split(".")[2]}`, "signature"],
    [forged, "signature"],
    [theirs, "another issuer"],
    ["opaque", "not active"],
  ];
  expect((await ping(audience, { authorization: `Bearer ${good}` })).status).toBe(200);
  for (const [token, words] of rows) {
    const { status, challenge, body } = await ping(audience, { authorization: `Bearer ${token}` });
    expect([status, challenge]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    expect(challenge).toContain(words);
    expect(challenge + body).not.toContain(token);
  }
  expect(issuer).not.toBe(elsewhere.issuer);
});

test.each(["jwt", "opaque"] as const)(
  "a %s token for another audience is refused",
  async (format) => {
    const { audience, issuer, other, authorizer } = await open(format);
    const { store } = await connect(audience);
    const { accessToken = "" } = (await store.read(audience))?.tokens ?? {};
    const { introspection } = authorizer;
    const issuers = [{ issuer, introspection }];
    const elsewhere = await listenMcp(
      new McpServer<VerifiedToken>({ name: "other", version: "1" }),
      { resourceServer: protectResource({ issuers, audience: other }) },
    );
    onTestFinished(() => elsewhere.close());
    const answer = await ping(elsewhere.url, { authorization: `Bearer ${accessToken}` });
    expect(answer.status).toBe(401);
    expect(answer.challenge).toContain("The token is for another audience");
  },
);

test("a token that has expired is refused", async () => {
  const { audience } = await open("jwt", { clockToleranceS: 0 }, { ttlS: 1 });
  const { store } = await connect(audience);
  const { accessToken = "" } = (await store.read(audience))?.tokens ?? {};
  const ended = async () =>
    (await ping(audience, { authorization: `Bearer ${accessToken}` })).challenge;
  await expect.poll(ended).toContain("The token has expired");
});

test.each([
  ["no issuer", { issuers: [] }, "issuers: expected addresses, got none"],
  ["an issuer that is not an address", { issuers: ["x"] }, "issuers: expected addresses, got x"],
  ["an audience that is not an address", { audience: "mcp" }, "got mcp"],
])("%s is refused at once", (_, options, words) => {
  const right = { issuers: ["https://as.example.com"], audience: "https://example.com/mcp" };
  expect(() => protectResource({ ...right, ...options })).toThrow(words);
});

test("an unreachable authorization server is not reported as a fault of the token", async () => {
  const { audience, authorizer } = await open("opaque");
  await authorizer.close();
  const { status, challenge } = await ping(audience, { authorization: "Bearer opaque" });
  expect([status, challenge]).toEqual([503, ""]);
});

test("the client of the official SDK 2.4 logs in, too", async () => {
  const { audience } = await open("jwt");
  const redirectUrl = "http://127.0.0.1:1/callback";
  const kept = new Map<string, unknown>();
  const authProvider = {
    redirectUrl,
    clientMetadata: {
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    },
    clientInformation: () => kept.get("client"),
    saveClientInformation: (given: unknown) => void kept.set("client", given),
    tokens: () => kept.get("tokens"),
    saveTokens: (given: unknown) => void kept.set("tokens", given),
    saveCodeVerifier: (given: string) => void kept.set("verifier", given),
    codeVerifier: () => kept.get("verifier"),
    async redirectToAuthorization(url: URL) {
      const target = await browsingPerson(redirectUrl);
      kept.set("redirected", new URL(await target.visit(url.href)).searchParams);
    },
  };
  type Provider = NonNullable<
    ConstructorParameters<typeof StreamableHTTPClientTransport>[1]
  >["authProvider"];
  const openTransport = () =>
    new StreamableHTTPClientTransport(new URL(audience), {
      authProvider: authProvider as unknown as NonNullable<Provider>,
    });
  const first = openTransport();
  const info = { name: "official", version: "1" };
  await expect(new Client(info).connect(first)).rejects.toThrow("Unauthorized");
  await first.finishAuth(kept.get("redirected") as URLSearchParams);
  const official = new Client(info);
  await official.connect(openTransport());
  onTestFinished(() => official.close());
  expect(await official.callTool({ name: "who", arguments: {} })).toMatchObject(
    textResult("ann: read"),
  );
});
