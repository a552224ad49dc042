import { textResult } from "@idewire/core/internal";
import type { DeviceCode } from "@idewire/http/internal";
import { createDpop } from "@idewire/http/oauth";
import { expect, test } from "vitest";
import { connect, open } from "./protected-server.ts";
import { enterCode } from "./real-authorization-server.ts";

/** Enters the code at once, on another device. */
const enter = ({ verificationUri, userCode }: DeviceCode) =>
  enterCode(verificationUri, userCode).then(() => {});

test.each([
  ["as they are", {}],
  ["bound to a key", { dpop: createDpop() }],
])("a person logs in with a code on another device, and has tokens %s", async (_, more) => {
  const { audience, authorizer } = await open("jwt", {}, { ttlS: 1 });
  const { client, store } = await connect(audience, { deviceLogin: { show: enter }, ...more });
  expect(await client.callTool("who")).toEqual(textResult("ann: read"));
  const kept = await store.read(audience);
  expect(kept?.client?.redirectUri).toBe(undefined);
  // Its tokens are valid for one second, so each use refreshes them.
  expect(await client.callTool("who")).toEqual(textResult("ann: read"));
  expect(authorizer.counts.refreshes).toBeGreaterThan(0);
  expect(kept?.tokens?.key === undefined).toBe(!("dpop" in more));
});

test("a client registered by hand needs its id for the login alone", async () => {
  const byHand = {
    client_id: "by-hand",
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token"],
    redirect_uris: ["http://127.0.0.1:1/callback"],
  };
  const { audience, authorizer } = await open("jwt", {}, { ttlS: 1, clients: [byHand] });
  const clients = { "*": { clientId: "by-hand" } };
  const { store } = await connect(audience, { clients, scope: "read write" });
  expect((await store.read(audience))?.tokens).toMatchObject({
    ...{ clientId: "by-hand", scope: "read write" },
  });
  const { client } = await connect(audience, { store });
  expect(await client.callTool("write")).toEqual(textResult("ann: read write"));
  expect(authorizer.counts).toMatchObject({ logins: 1 });
});

test("an authorization server other than the given one is refused", async () => {
  const { audience, issuer } = await open("jwt");
  await expect(connect(audience, { issuer: "https://other.example.com" })).rejects.toMatchObject({
    code: "unauthorized",
    message: expect.stringContaining(`names ${issuer}, expected https://other.example.com`),
  });
});
