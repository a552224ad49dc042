import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { createDpop, createMemoryStore, createOAuth, type OAuthOptions } from "@idewire/http/oauth";
import { createCredentialFiles } from "@idewire/node-server/oauth";
import { expect, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";
import { readProof } from "../src/dpop-proof.ts";
import { removeFolder } from "../src/remove-folder.ts";

const admitted = { content: [{ type: "text", text: "admitted" }] };

async function binding(): Promise<AuthorizationFixture> {
  const fixture = await new AuthorizationFixture().listen();
  fixture.knobs.binds = true;
  return fixture;
}

function login({ server: { url } }: AuthorizationFixture, options: Partial<OAuthOptions> = {}) {
  const authorization = createOAuth({
    ...{ url, store: createMemoryStore(), openRedirectTarget: agreeingPerson },
    dpop: createDpop(),
    ...options,
  });
  const open = () => createHttpTransport(url, { authorization, listen: false });
  return McpClient.connect(open, { name: "me", version: "1", era: "legacy" });
}

/** How often each server has required a nonce, by the number of its refusals. */
function refusals({ server, issuer }: AuthorizationFixture): readonly number[] {
  return [server, issuer].map(
    ({ seen }) =>
      seen.filter((each) => readProof(each) !== undefined && readProof(each)?.nonce === undefined)
        .length,
  );
}

test("tokens are bound to one key, and every request has a proof of its own", async () => {
  await using fixture = await binding();
  const store = createMemoryStore();
  const client = await login(fixture, { store });
  expect(await client.callTool("a")).toEqual(admitted);
  fixture.accessTokens.clear();
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.refreshes).toBe(1);
  const all = [...fixture.issuer.seen, ...fixture.server.seen];
  const proofs = all.flatMap((seen) => readProof(seen) ?? []);
  expect(new Set(proofs.map(({ thumbprint }) => thumbprint)).size).toBe(1);
  expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(proofs.length);
  const { key } = (await store.read(fixture.server.url))?.tokens ?? {};
  expect(key).toMatchObject({ privateKey: { extractable: false } });
  client.close();
});

test("a server that binds no tokens gets no proofs, and one that requires them without offering them is refused", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  (await login(fixture)).close();
  expect(fixture.issuer.seen.some((seen) => readProof(seen))).toBe(false);
  fixture.knobs.resourceMetadata = { dpop_bound_access_tokens_required: true };
  await expect(login(fixture)).rejects.toThrow("has not bound its tokens");
  fixture.knobs.metadata = { dpop_signing_alg_values_supported: ["RS256"] };
  await expect(login(fixture)).rejects.toThrow("proofs by ES256; it names RS256");
  const without = createOAuth({
    ...{ url: fixture.server.url, store: createMemoryStore(), openRedirectTarget: agreeingPerson },
  });
  const visits = fixture.visits.length;
  const { url } = fixture.server;
  const method = "POST";
  const sent = without.send({ method, url: new URL(url) }, () => fetch(url, { method }));
  await expect(sent).rejects.toThrow("give createDpop() as dpop");
  expect(fixture.visits).toHaveLength(visits);
});

test("tokens are not bound to a key for a server that does not announce that it accepts such tokens", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  fixture.knobs.metadata = { dpop_signing_alg_values_supported: ["ES256"] };
  const client = await login(fixture);
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.issuer.seen.some((seen) => readProof(seen))).toBe(false);
  expect(fixture.visits[0]?.get("dpop_jkt")).toBe(null);
  client.close();
});

test("a bearer token is not refreshed for a server that now requires a key", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  const client = await login(fixture);
  fixture.knobs.binds = true;
  fixture.knobs.resourceMetadata = { dpop_bound_access_tokens_required: true };
  fixture.accessTokens.clear();
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.refreshes).toBe(0);
  expect(fixture.server.seen.at(-1)?.headers.authorization).toMatch(/^DPoP /);
  client.close();
});

test("both servers may require nonces, which are fetched once, and new ones are used", async () => {
  await using fixture = await binding();
  fixture.knobs.nonces = { server: "one", issuer: "two" };
  const client = await login(fixture);
  for (let count = 0; count < 3; count += 1) expect(await client.callTool("a")).toEqual(admitted);
  expect(refusals(fixture)).toEqual([1, 1]);
  fixture.knobs.nonces = { server: "three", issuer: "four" };
  fixture.accessTokens.clear();
  expect(await client.callTool("a")).toEqual(admitted);
  expect(readProof(fixture.server.seen.at(-1) ?? { headers: {} })?.nonce).toBe("three");
  expect(fixture.visits).toHaveLength(1);
  client.close();
});

test("a server that accepts no nonce is abandoned, without a login", async () => {
  await using fixture = await binding();
  const client = await login(fixture);
  Object.defineProperty(fixture.knobs.nonces, "server", { get: () => crypto.randomUUID() });
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "unauthorized" });
  const calls = fixture.server.methods.filter((method) => method === "tools/call");
  expect(calls).toHaveLength(4);
  expect([fixture.visits.length, fixture.refreshes]).toEqual([1, 0]);
  client.close();
});

test("a store of files has the key as JSON, for every process that shares it", async () => {
  await using fixture = await binding();
  const directory = await mkdtemp(join(tmpdir(), "idewire-dpop-"));
  try {
    (await login(fixture, { store: createCredentialFiles({ directory }) })).close();
    const [file = ""] = await readdir(directory);
    const { credentials } = JSON.parse(await readFile(join(directory, file), "utf8"));
    expect(Object.keys(credentials.tokens.key).sort()).toEqual(["crv", "d", "kty", "x", "y"]);
    fixture.accessTokens.clear();
    const other = await login(fixture, { store: createCredentialFiles({ directory }) });
    expect(await other.callTool("a")).toEqual(admitted);
    expect([fixture.visits.length, fixture.refreshes]).toEqual([1, 1]);
    other.close();
  } finally {
    await removeFolder(directory);
  }
});

const damaged = { kty: "EC", crv: "P-256", x: "a", y: "b", d: "secret" };

test.each([
  ["that is damaged", damaged, "is damaged"],
  ["that is not a key", { ...damaged, privateKey: "secret" }, "is damaged"],
  ["without createDpop()", undefined, "give createDpop() as dpop"],
])("tokens with a key %s are not used, and the key appears in no error", async (_, key, words) => {
  await using fixture = await binding();
  const { url } = fixture.server;
  const store = createMemoryStore();
  (await login(fixture, { store })).close();
  const kept = await store.read(url);
  if (kept?.tokens === undefined) throw new Error("nothing kept");
  if (key !== undefined) await store.write(url, { ...kept, tokens: { ...kept.tokens, key } });
  const authorization = createOAuth({ url, store, ...(key && { dpop: createDpop() }) });
  const send = () => Promise.reject(new Error("sent"));
  const sent = authorization.send({ method: "POST", url: new URL(url) }, send);
  const error = await sent.catch((reason) => reason);
  expect(error).toMatchObject({ code: "unauthorized", message: expect.stringContaining(words) });
  expect(`${error.message}${error.stack}`).not.toContain("secret");
});
