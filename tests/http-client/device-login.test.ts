import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import type { DeviceCode } from "@idewire/http/internal";
import { createMemoryStore, createOAuth } from "@idewire/http/oauth";
import { expect, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";

const issued = {
  device_code: "secret-code",
  user_code: "WDJB-MJHT",
  verification_uri: "https://example.com/device",
  ...{ expires_in: 60, interval: 0.01 },
};

/** A login by a code, with scripted answers. */
async function login(fixture: AuthorizationFixture, answers: readonly string[], more: object = {}) {
  const { origin } = fixture.issuer;
  fixture.knobs.metadata = { device_authorization_endpoint: `${origin}/device` };
  const left = [...answers];
  fixture.knobs.token = () => {
    const error = left.shift();
    return error === undefined ? undefined : { status: 400, body: { error } };
  };
  const shown: DeviceCode[] = [];
  const authorization = createOAuth({
    url: fixture.server.url,
    store: createMemoryStore(),
    openRedirectTarget: agreeingPerson,
    deviceLogin: { show: (code) => void shown.push(code) },
    async fetch(url, init) {
      return String(url).endsWith("/device")
        ? Response.json({ ...issued, ...more })
        : fetch(url, init);
    },
  });
  const open = () => createHttpTransport(fixture.server.url, { authorization, listen: false });
  const connecting = McpClient.connect(open, { name: "me", version: "1", era: "legacy" });
  const failure = await connecting.then(
    (client) => client.close(),
    (error: unknown) => error,
  );
  return { shown, failure, left };
}

test.each([
  ["access_denied", "unauthorized", "refused: access_denied"],
  ["expired_token", "timeout", "The code has expired"],
])("the person is waited for until the answer is %s", async (error, code, message) => {
  await using fixture = await new AuthorizationFixture().listen();
  const answers = ["authorization_pending", "authorization_pending", error];
  const { shown, failure, left } = await login(fixture, answers);
  expect(failure).toMatchObject({ code, message: expect.stringContaining(message) });
  expect(left).toEqual([]);
  expect(shown).toEqual([expect.objectContaining({ userCode: "WDJB-MJHT", expiresInMs: 60_000 })]);
  expect(fixture.visits).toHaveLength(0);
});

test("the address for the code is checked before it is shown", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  const uri = { verification_uri: "http://example.com/device" };
  const { shown, failure } = await login(fixture, [], uri);
  expect([shown, failure]).toEqual([[], expect.objectContaining({ code: "unauthorized" })]);
});

test("a server without device authorization is named", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  const store = createMemoryStore();
  const authorization = createOAuth({
    ...{ url: fixture.server.url, store },
    deviceLogin: { show: () => {} },
  });
  const open = () => createHttpTransport(fixture.server.url, { authorization });
  await expect(
    McpClient.connect(open, { name: "me", version: "1", era: "legacy" }),
  ).rejects.toThrow(/supports no device authorization/);
});
