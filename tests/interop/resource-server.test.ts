import { createHash, type webcrypto } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import {
  defineTool,
  fromJsonSchema,
  McpClient,
  McpServer,
  modernEra,
  reopening,
  textResult,
} from "@idewire/core";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import { createMcpListener } from "@idewire/node-server/http";
import {
  type ProtectResourceOptions,
  protectResource,
  type VerifiedToken,
} from "@idewire/node-server/resource-server";
import { createHttpTransport } from "@idewire/remote";
import {
  createDpop,
  createMemoryStore,
  createOAuth,
  type OAuthOptions,
} from "@idewire/remote/oauth";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, onTestFinished, test } from "vitest";
import {
  browsingPerson,
  type ResourceFormat,
  startAuthorizationServer,
} from "./real-authorization-server.ts";

/** A port that was free a moment ago: the address of a resource is part of its metadata. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

type Options = Partial<ProtectResourceOptions<VerifiedToken>>;

/** A real authorization server, and an MCP server of ours that trusts it. */
async function open(
  format: ResourceFormat["format"],
  options: Options = {},
  { ttlS, wantsNonces = false }: { readonly ttlS?: number; readonly wantsNonces?: boolean } = {},
) {
  const port = await freePort();
  const audience = `http://127.0.0.1:${port}/mcp`;
  const resource = { scope: "read write", format, ...(ttlS !== undefined && { ttlS }) };
  const other = "https://other.example.com/mcp";
  const authorizer = await startAuthorizationServer(
    new Map([
      [audience, resource],
      [other, resource],
    ]),
    { wantsNonces },
  );
  onTestFinished(() => authorizer.close());
  const { issuer, introspection } = authorizer;
  const server = new McpServer<VerifiedToken>({
    info: { name: "protected", version: "1" },
    eras: { modern: modernEra() },
    tools: [
      defineTool({
        name: "who",
        input: fromJsonSchema({ type: "object" }, jsonSchemaValidator),
        run: (_, { subject, scopes }) => textResult(`${subject}: ${[...scopes].sort().join(" ")}`),
      }),
    ],
  });
  const issuers = [format === "opaque" ? { issuer, introspection } : issuer];
  const protection = protectResource({ issuers, audience, scopesSupported: ["read"], ...options });
  const listener = await createMcpListener({ server, ...protection, port });
  onTestFinished(() => listener.close());
  return { issuer, audience, other, authorizer };
}

async function connect(url: string, options: Partial<OAuthOptions> = {}) {
  const store = createMemoryStore();
  const person = { url, store, openRedirectTarget: browsingPerson };
  const authorization = createOAuth({ ...person, ...options });
  const client = await McpClient.connect(
    reopening(() => createHttpTransport(url, { authorization })),
    { info: { name: "t", version: "1" } },
  );
  onTestFinished(() => client.close());
  return { client, store };
}

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
  // A session has the context that it began with.
  expect(await client.callTool("who")).toEqual(textResult("ann: read"));
  expect((await store.read(audience))?.tokens?.scope?.split(" ").sort()).toEqual(["read", "write"]);
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

test("a refresh token that somebody uses again revokes all, and the person logs in again", async () => {
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
  const revoked = await ping(audience, { authorization: `Bearer ${accessToken}` });
  expect([revoked.status, revoked.challenge]).toEqual([401, expect.stringContaining("not active")]);
  expect(await client.callTool("who")).toEqual(textResult("ann: read"));
  expect((await store.read(audience))?.client).toEqual(first?.client);
});

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
  const wrong = await fetch(`${origin}/.well-known/oauth-protected-resource/other`);
  expect(wrong.status).toBe(404);
});

/** Posts a ping with some credentials; gives the status, and the challenge. */
async function ping(url: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      ...headers,
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      },
    }),
  });
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate") ?? "",
    body: await response.text(),
  };
}

test("what is no token of a trusted issuer for this audience is refused, and is in no answer", async () => {
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
    const elsewhere = await createMcpListener({
      server: new McpServer<VerifiedToken>({ info: { name: "other", version: "1" } }),
      ...protectResource({ issuers, audience: other }),
    });
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
  ["an issuer that is no address", { issuers: ["x"] }, "issuers: expected addresses, got x"],
  ["an audience that is no address", { audience: "mcp" }, "got mcp"],
])("%s is refused at once", (_, options, words) => {
  const right = { issuers: ["https://as.example.com"], audience: "https://example.com/mcp" };
  expect(() => protectResource({ ...right, ...options })).toThrow(words);
});

/** Proves by a key (RFC 9449). */
async function prover({ privateKey, publicKey }: webcrypto.CryptoKeyPair) {
  const jwk = await exportJWK(publicKey);
  return (claims: object, iatS = Math.floor(Date.now() / 1000)) =>
    new SignJWT({ jti: crypto.randomUUID(), ...claims })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
      .setIssuedAt(iatS)
      .sign(privateKey);
}

test.each(["jwt", "opaque"] as const)(
  "a %s token that is bound to a key needs its proof, each time a new one",
  async (format) => {
    const { audience } = await open(format);
    const { client, store } = await connect(audience, { dpop: createDpop() });
    expect(await client.callTool("who")).toEqual(textResult("ann: read"));
    const { accessToken: token = "", key } = (await store.read(audience))?.tokens ?? {};
    if (key === undefined || !("privateKey" in key)) throw new Error("no key");
    expect(await ping(audience, { authorization: `Bearer ${token}` })).toMatchObject({
      status: 401,
      challenge: expect.stringContaining("is bound to a key: a DPoP proof is needed"),
    });
    const ath = createHash("sha256").update(token).digest("base64url");
    const right = { htm: "POST", htu: audience, ath };
    const prove = await prover(key as webcrypto.CryptoKeyPair);
    const proveByOther = await prover(await generateKeyPair("ES256"));
    const send = (dpop: string) => ping(audience, { authorization: `DPoP ${token}`, dpop });
    const rows: readonly (readonly [Promise<string>, string])[] = [
      [prove({ ...right, htm: "GET" }), "another method"],
      [prove({ ...right, htu: `${audience}/other` }), "another address"],
      [prove({ ...right, ath: "x" }), "another token"],
      [prove(right, Math.floor(Date.now() / 1000) - 600), "invalid or too old"],
      [proveByOther(right), "a key other than"],
      [Promise.resolve("x"), "invalid or too old"],
    ];
    for (const [proof, words] of rows) {
      const { status, challenge } = await send(await proof);
      expect([status, challenge]).toEqual([401, expect.stringContaining(words)]);
      expect(challenge).toMatch(/^DPoP /);
    }
    const proof = await prove(right);
    expect((await send(proof)).status).toBe(200);
    expect((await send(proof)).challenge).toContain("used before");
  },
);

test("tokens bound to a key are refreshed by it alone, and by the nonces that the server wants", async () => {
  const { audience, issuer } = await open("jwt", {}, { ttlS: 2, wantsNonces: true });
  const seen: { readonly status: number; readonly wanted: string | null }[] = [];
  const counting = async (...given: Parameters<typeof fetch>) => {
    const response = await fetch(...given);
    const isToken = String(given[0]) === `${issuer}/token`;
    if (isToken) {
      seen.push({ status: response.status, wanted: response.headers.get("dpop-nonce") });
    }
    return response;
  };
  const { client, store } = await connect(audience, { dpop: createDpop(), fetch: counting });
  const first = (await store.read(audience))?.tokens;
  expect(await client.callTool("who")).toEqual(textResult("ann: read"));
  const last = (await store.read(audience))?.tokens;
  expect(last?.key).toBe(first?.key);
  expect(last?.refreshToken).not.toBe(first?.refreshToken);
  expect(seen.map(({ status }) => status)).toEqual([400, ...seen.slice(1).map(() => 200)]);
  expect(seen[0]?.wanted).toBeTruthy();
  const { clientId = "", refreshToken = "" } = last ?? {};
  const dpop = await (await prover(await generateKeyPair("ES256")))({
    ...{ htm: "POST", htu: `${issuer}/token`, nonce: seen.at(-1)?.wanted ?? seen[0]?.wanted },
  });
  const stolen = await fetch(`${issuer}/token`, {
    ...{ method: "POST", headers: { dpop } },
    body: new URLSearchParams({
      ...{ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId },
    }),
  });
  expect([stolen.status, await stolen.json()]).toEqual([
    400,
    expect.objectContaining({ error: "invalid_grant" }),
  ]);
});

test("a server that wants bound tokens says so, and takes no others", async () => {
  const { audience } = await open("jwt", { proofsRequired: true });
  const { client, store } = await connect(audience, { dpop: createDpop() });
  expect(await client.callTool("who")).toEqual(textResult("ann: read"));
  expect((await store.read(audience))?.tokens?.key).toBeDefined();
  await expect(connect(audience)).rejects.toThrow("give createDpop() as dpop");
  const unbound = await open("jwt");
  const { accessToken } =
    (await (await connect(unbound.audience)).store.read(unbound.audience))?.tokens ?? {};
  const { issuer } = unbound;
  const listener = await createMcpListener({
    server: new McpServer<VerifiedToken>({ info: { name: "strict", version: "1" } }),
    ...protectResource({ issuers: [issuer], audience: unbound.audience, proofsRequired: true }),
  });
  onTestFinished(() => listener.close());
  const { status, challenge } = await ping(listener.url, {
    authorization: `Bearer ${accessToken}`,
  });
  expect([status, challenge]).toEqual([401, expect.stringContaining("is not bound to a key")]);
});

test("an authorization server that is away is no fault of the token", async () => {
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
