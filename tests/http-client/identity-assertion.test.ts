import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import {
  createDpop,
  createMemoryStore,
  createOAuth,
  exchangeIdToken,
  type OAuthOptions,
} from "@idewire/http/oauth";
import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture } from "../src/authorization-fixture.ts";
import { json, ScriptedHttpServer } from "../src/scripted-http-server.ts";

const admitted = { content: [{ type: "text", text: "admitted" }] };
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

function connect({ server: { url } }: AuthorizationFixture, options: Partial<OAuthOptions>) {
  const authorization = createOAuth({ url, store: createMemoryStore(), ...options });
  const open = () => createHttpTransport(url, { authorization, listen: false });
  return McpClient.connect(open, { name: "me", version: "1", era: "legacy" });
}

/** The bodies of the requests for tokens. */
function tokenRequests({ seen }: ScriptedHttpServer): readonly Record<string, string>[] {
  return seen
    .filter(({ path }) => path === "/token")
    .map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
}

/** An employer's identity provider with this answer to token exchanges. */
async function listenIdp(answer: object, status = 200): Promise<ScriptedHttpServer> {
  const idp: ScriptedHttpServer = await new ScriptedHttpServer(({ path }, response) => {
    const { origin } = idp;
    // Without PKCE, since no person logs in there.
    const metadata = { issuer: origin, token_endpoint: `${origin}/token` };
    if (path === "/.well-known/openid-configuration") return json(response, metadata);
    return path === "/token" ? json(response, answer, {}, status) : response.writeHead(404).end();
  }).listen();
  onTestFinished(() => idp[Symbol.asyncDispose]());
  return idp;
}

const jag = { access_token: "the jag", issued_token_type: ID_JAG, token_type: "N_A" };
const client = { clientId: "client-at-the-server", clientSecret: "a secret: of the tests" };

/** A server with a client registered by hand. */
async function listen(): Promise<AuthorizationFixture> {
  const fixture = await new AuthorizationFixture().listen();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  fixture.clients.add(client.clientId);
  fixture.knobs.scope = "read";
  return fixture;
}

function exchangeOf(idp: string, idToken: () => string) {
  return exchangeIdToken({ idp, clientId: "client-at-the-idp", idToken });
}

function throughIdp(
  fixture: AuthorizationFixture,
  { origin }: ScriptedHttpServer,
): Partial<OAuthOptions> {
  const identityAssertion = exchangeOf(origin, () => "the ID token");
  return { clients: clientsOf(fixture), identityAssertion };
}

function clientsOf({
  issuer: { origin },
}: AuthorizationFixture): NonNullable<OAuthOptions["clients"]> {
  return { [origin]: client };
}

test("an ID token of the employer's identity provider opens the server, without a login", async () => {
  const fixture = await listen();
  const idp = await listenIdp(jag);
  const mcp = await connect(fixture, throughIdp(fixture, idp));
  expect(await mcp.callTool("a")).toEqual(admitted);
  expect(tokenRequests(idp)).toEqual([
    {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      requested_token_type: ID_JAG,
      subject_token: "the ID token",
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      audience: fixture.issuer.origin,
      resource: fixture.server.url,
      scope: "read",
      client_id: "client-at-the-idp",
    },
  ]);
  expect(tokenRequests(fixture.issuer)).toEqual([
    expect.objectContaining({ assertion: "the jag", scope: "read" }),
  ]);
  expect(fixture.visits).toEqual([]);
  mcp.close();
});

test("an expired token of an assertion is renewed, each time by a new assertion", async () => {
  const fixture = await listen();
  let count = 0;
  const identityAssertion = ({ issuer, resource }: { issuer: string; resource: string }) => {
    count += 1;
    expect([issuer, resource]).toEqual([fixture.issuer.origin, fixture.server.url]);
    return `assertion ${count}\n`;
  };
  fixture.knobs.binds = true;
  const options = { clients: clientsOf(fixture), dpop: createDpop(), identityAssertion };
  const mcp = await connect(fixture, options);
  fixture.accessTokens.clear();
  fixture.refreshTokens.clear();
  expect(await mcp.callTool("a")).toEqual(admitted);
  const assertions = tokenRequests(fixture.issuer).flatMap(({ assertion }) => assertion ?? []);
  expect(assertions).toEqual(["assertion 1", "assertion 2"]);
  mcp.close();
});

test("a refusal by either server is reported once, with its message, and no other grant is tried", async () => {
  for (const error of ["invalid_grant", "invalid_scope", "unauthorized_client"]) {
    const fixture = await listen();
    const options = { clients: clientsOf(fixture), identityAssertion: () => "the jwt" };
    fixture.knobs.token = (body) => {
      const words = `No ${body.get("assertion")}`;
      return { status: 400, body: { error, error_description: words } };
    };
    await expect(connect(fixture, options)).rejects.toMatchObject({
      code: "unauthorized",
      message: `The authorization server refused: ${error}: No …`,
    });
    expect(tokenRequests(fixture.issuer)).toHaveLength(1);
    const idp = await listenIdp({ error, error_description: "No the ID token" }, 400);
    await expect(connect(fixture, throughIdp(fixture, idp))).rejects.toThrow(
      `The identity provider refused: ${error}: No …`,
    );
    expect(tokenRequests(fixture.issuer)).toHaveLength(1);
  }
});

test("a response of an identity provider without a grant ends the login", async () => {
  const fixture = await listen();
  const other = "urn:ietf:params:oauth:token-type:access_token";
  for (const [answer, words] of [
    [{ ...jag, issued_token_type: other }, `gave a token of type "${other}"`],
    [{ ...jag, issued_token_type: undefined }, "gave a token of type nothing"],
    [{ ...jag, access_token: 7 }, "The identity provider: "],
  ] as const) {
    const idp = await listenIdp(answer);
    await expect(connect(fixture, throughIdp(fixture, idp))).rejects.toThrow(words);
  }
  const elsewhere = await listenIdp(jag);
  elsewhere.answer = (_, response) => json(response, { issuer: "https://evil.test" });
  await expect(connect(fixture, throughIdp(fixture, elsewhere))).rejects.toThrow(
    "https://evil.test",
  );
  expect(tokenRequests(fixture.issuer)).toEqual([]);
});

test("an exception of an application in place of a JWT is reported as it is, after one attempt", async () => {
  const fixture = await listen();
  let count = 0;
  const fails = () => {
    count += 1;
    throw new Error("no such file");
  };
  const clients = clientsOf(fixture);
  const { origin: issuer } = fixture.issuer;
  const clientCredentials = { ...client, issuer, clientAssertion: fails };
  for (const [options, what] of [
    [{ clients, identityAssertion: fails }, "identityAssertion"],
    [{ clientCredentials }, "clientAssertion"],
    [{ clients, identityAssertion: exchangeOf((await listenIdp(jag)).origin, fails) }, "idToken"],
  ] as const) {
    await expect(connect(fixture, options)).rejects.toMatchObject({
      ...{ code: "unauthorized", message: `${what} has failed: no such file` },
    });
  }
  expect(count).toBe(3);
  expect(tokenRequests(fixture.issuer)).toEqual([]);
  expect(() => exchangeOf("idp", fails)).toThrow("expected an address, got idp");
});

test("an assertion for a client without an id is refused before it is requested", async () => {
  const fixture = await listen();
  const identityAssertion = () => {
    throw new Error("requested");
  };
  await expect(connect(fixture, { identityAssertion })).rejects.toThrow("give its id as clients");
});
