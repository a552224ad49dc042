import { createHash, type webcrypto } from "node:crypto";
import { textResult } from "@idewire/core/internal";
import { McpServer } from "@idewire/core/server";
import { createDpop } from "@idewire/http/oauth";
import { protectResource, type VerifiedToken } from "@idewire/http/resource-server";
import { listenMcp } from "@idewire/node-server";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { connect, open, ping } from "./protected-server.ts";

/** Creates proofs with a key (RFC 9449). */
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

test("a server that requires bound tokens announces it, and accepts no others", async () => {
  const { audience } = await open("jwt", { proofsRequired: true });
  const { client, store } = await connect(audience, { dpop: createDpop() });
  expect(await client.callTool("who")).toEqual(textResult("ann: read"));
  expect((await store.read(audience))?.tokens?.key).toBeDefined();
  await expect(connect(audience)).rejects.toThrow("give createDpop() as dpop");
  const unbound = await open("jwt");
  const { accessToken } =
    (await (await connect(unbound.audience)).store.read(unbound.audience))?.tokens ?? {};
  const { issuer } = unbound;
  const strict = new McpServer<VerifiedToken>({ name: "strict", version: "1" });
  const listener = await listenMcp(strict, {
    resourceServer: protectResource({
      ...{ issuers: [issuer], audience: unbound.audience },
      proofsRequired: true,
    }),
  });
  onTestFinished(() => listener.close());
  const { status, challenge } = await ping(listener.url, {
    authorization: `Bearer ${accessToken}`,
  });
  expect([status, challenge]).toEqual([401, expect.stringContaining("is not bound to a key")]);
  expect(challenge).toMatch(/^DPoP algs="ES256 /);
});
