import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import {
  createMemoryStore,
  createOAuth,
  exchangeIdToken,
  logOut,
  type OAuthOptions,
} from "@idewire/http/oauth";
import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";

const SECRET = "a secret of the client";
const JWT = "a JWT of the platform";
const client = { clientId: "known", clientSecret: SECRET };

async function listen(): Promise<AuthorizationFixture> {
  const fixture = await new AuthorizationFixture().listen();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  fixture.clients.add("known");
  return fixture;
}

async function connect({ server: { url } }: AuthorizationFixture, options: Partial<OAuthOptions>) {
  const authorization = createOAuth({ url, store: createMemoryStore(), ...options });
  const open = () => createHttpTransport(url, { authorization, listen: false });
  const mcp = await McpClient.connect(open, { name: "me", version: "1", era: "legacy" });
  onTestFinished(() => mcp.close());
}

const ways: readonly (readonly [string, (issuer: string) => Partial<OAuthOptions>])[] = [
  ["secret of a person's client", (issuer) => ({ clients: { [issuer]: client } })],
  ["secret of a program", (issuer) => ({ clientCredentials: { issuer, ...client } })],
  [
    "assertion of a program",
    (issuer) => ({ clientCredentials: { issuer, clientId: "known", clientAssertion: () => JWT } }),
  ],
  [
    "assertion of a workload",
    (issuer) => ({ clients: { [issuer]: { clientId: "known" } }, identityAssertion: () => JWT }),
  ],
];

test.each(ways)(
  "a %s goes to the issuer that the program states, and to no other",
  async (_, of) => {
    const own = await listen();
    const hostile = await listen();
    const openRedirectTarget = agreeingPerson;
    await connect(own, { openRedirectTarget, ...of(`${own.issuer.origin}/`) });
    const shown = (fixture: AuthorizationFixture) =>
      fixture.issuer.seen
        .map(({ body, headers }) => `${new URLSearchParams(body)} ${headers.authorization}`)
        .join();
    const spellings = [SECRET, JWT].map((text) =>
      new URLSearchParams({ s: text }).toString().slice(2),
    );
    const isShown = (fixture: AuthorizationFixture) =>
      [...spellings, btoa(`known:${spellings[0]}`)].some((text) => shown(fixture).includes(text));
    expect(isShown(own)).toBe(true);
    await connect(hostile, { openRedirectTarget, ...of(own.issuer.origin) }).catch((error) =>
      expect(error).toMatchObject({ code: "unauthorized" }),
    );
    expect(isShown(hostile)).toBe(false);
  },
);

test("a secret or an assertion without an issuer is refused, before anything is sent", async () => {
  const fixture = await listen();
  const { url } = fixture.server;
  const options = { url, store: createMemoryStore(), clients: { "*": client } };
  expect(() => createOAuth(options)).toThrow("expected the issuer of the secret");
  expect(() => logOut(options)).toThrow("expected the issuer of the secret");
  for (const issuer of [undefined, "*", "auth.example.com"]) {
    const clientCredentials = { ...client, issuer: issuer as string };
    const create = () => createOAuth({ url, store: createMemoryStore(), clientCredentials });
    expect(create).toThrow("clientCredentials.issuer: expected an address");
  }
  const idToken = () => Promise.reject(new Error("requested"));
  for (const identityAssertion of [
    idToken,
    exchangeIdToken({ idp: "https://idp.example.com", clientId: "known", idToken }),
  ]) {
    const clients = { "*": { clientId: "known" } };
    await expect(connect(fixture, { clients, identityAssertion })).rejects.toThrow(
      "give its id as clients, under the issuer",
    );
  }
  expect(fixture.issuer.seen.filter(({ path }) => path === "/token")).toEqual([]);
});
