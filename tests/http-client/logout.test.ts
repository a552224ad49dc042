import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { createMemoryStore, createOAuth, logOut } from "@idewire/http/oauth";
import { expect, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";

/** A person who has logged in. */
async function loggedIn() {
  const fixture = await new AuthorizationFixture().listen();
  const { url } = fixture.server;
  const store = createMemoryStore();
  const authorization = createOAuth({ url, store, openRedirectTarget: agreeingPerson });
  const transport = createHttpTransport(url, { authorization, listen: false });
  const client = await McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
  await client.close();
  const close = () => fixture[Symbol.asyncDispose]();
  return { fixture, url, store, [Symbol.asyncDispose]: close };
}

test("a logout revokes the tokens, and removes them with the registration", async () => {
  await using context = await loggedIn();
  const { fixture, url, store } = context;
  const { tokens } = (await store.read(url)) ?? {};
  expect(await logOut({ url, store })).toEqual({ kind: "revoked" });
  const revoked = fixture.issuer.seen
    .filter(({ path }) => path === "/revoke")
    .map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  expect(revoked).toEqual(
    [tokens?.refreshToken, tokens?.accessToken].map((token) => ({
      ...{ token, client_id: tokens?.clientId },
    })),
  );
  expect(await store.read(url)).toBe(undefined);
  expect(await logOut({ url, store })).toEqual({ kind: "not-logged-in" });
});

test("access tokens that the server cannot revoke end with the refresh token", async () => {
  await using context = await loggedIn();
  const { fixture, url, store } = context;
  const body = { error: "unsupported_token_type" };
  fixture.knobs.revocation = (token) => ({ status: token.startsWith("access") ? 400 : 200, body });
  expect(await logOut({ url, store })).toEqual({ kind: "revoked" });
});

test.each<[string, (fixture: AuthorizationFixture) => unknown, string]>([
  [
    "has no such endpoint",
    ({ knobs }) => (knobs.metadata = { revocation_endpoint: undefined }),
    "revokes no tokens",
  ],
  [
    "names one elsewhere without TLS",
    ({ knobs }) => (knobs.metadata = { revocation_endpoint: "http://evil.test/revoke" }),
    "neither https nor on this machine",
  ],
  [
    "has another issuer",
    ({ knobs }) => (knobs.metadata = { issuer: "https://evil.test" }),
    "names the issuer",
  ],
  [
    "refuses",
    ({ knobs }) =>
      (knobs.revocation = (token) => ({
        status: 400,
        body: { error: "invalid_request", error_description: `No ${token}!` },
      })),
    "invalid_request: No …!",
  ],
  [
    "is overloaded",
    ({ knobs }) => (knobs.revocation = () => ({ status: 503, body: {} })),
    "HTTP 503",
  ],
  ["is away", ({ issuer }) => issuer[Symbol.asyncDispose](), "127.0.0.1"],
])("where the authorization server %s, the tokens are removed anyway", async (_, set, words) => {
  const { fixture, url, store } = await loggedIn();
  const { secrets } = fixture;
  await set(fixture);
  const outcome = await logOut({ url, store });
  expect(outcome).toMatchObject({
    ...{ kind: "not-revoked", reason: { message: expect.stringContaining(words) } },
  });
  for (const secret of secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
  expect(await store.read(url)).toBe(undefined);
  await fixture.server[Symbol.asyncDispose]();
});
