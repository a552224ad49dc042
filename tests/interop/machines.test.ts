import { textResult } from "@idewire/core/internal";
import { createDpop, type MachineCredentials } from "@idewire/http/oauth";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import { connect, open } from "./protected-server.ts";

const clientId = "a-machine";

/** A server at which a client is registered with its key. */
async function openForKey() {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const client = {
    client_id: clientId,
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "ES256",
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: "1" }] },
    ...{ grant_types: ["client_credentials"], redirect_uris: [], response_types: [] },
  };
  return { privateKey, ...(await open("jwt", {}, { clients: [client] })) };
}

/** Connects a program, without a person or a browser. */
function connectMachine(url: string, clientCredentials: MachineCredentials, more = {}) {
  const openRedirectTarget = () => Promise.reject(new Error("visited"));
  return connect(url, { clientCredentials, openRedirectTarget, scope: "read", ...more });
}

test.each([
  ["as it is", {}],
  ["bound to another key", { dpop: createDpop() }],
])("a program proves its identity by its key, and its token is accepted %s", async (_, more) => {
  const { audience, issuer, privateKey } = await openForKey();
  const { client, store } = await connectMachine(audience, { issuer, clientId, privateKey }, more);
  expect(await client.callTool("who")).toEqual(textResult(`${clientId}: read`));
  const kept = await store.read(audience);
  expect(kept?.tokens?.key === undefined).toBe(!("dpop" in more));
});

test("a workload proves its identity by its platform's token alone", async () => {
  const { audience, issuer, privateKey } = await openForKey();
  const assertionBy = (key: typeof privateKey) => () =>
    new SignJWT({ iss: clientId, sub: clientId, aud: issuer, jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: "ES256" })
      .setIssuedAt()
      .setExpirationTime("1m")
      .sign(key);
  const given = { issuer, clientId, clientAssertion: assertionBy(privateKey) };
  const { client } = await connectMachine(audience, given);
  expect(await client.callTool("who")).toEqual(textResult(`${clientId}: read`));
  const other = await generateKeyPair("ES256");
  const clientAssertion = assertionBy(other.privateKey);
  await expect(
    connectMachine(audience, { issuer, clientId, clientAssertion }),
  ).rejects.toMatchObject({
    ...{ code: "unauthorized", message: expect.stringContaining("invalid_client") },
  });
});
