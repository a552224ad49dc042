import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { createMemoryStore, createOAuth, type OAuthOptions } from "@idewire/http/oauth";
import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";
import { json, type ScriptedAnswer } from "../src/scripted-http-server.ts";

const admitted = { content: [{ type: "text", text: "admitted" }] };

type Change = (fixture: AuthorizationFixture) => unknown;

async function listen(change: Change = () => {}): Promise<AuthorizationFixture> {
  const fixture = await new AuthorizationFixture().listen();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  change(fixture);
  return fixture;
}

async function login({ server: { url } }: AuthorizationFixture, more: Partial<OAuthOptions> = {}) {
  const store = createMemoryStore();
  const options = { url, store, openRedirectTarget: agreeingPerson, ...more };
  const authorization = createOAuth(options);
  const open = () => createHttpTransport(url, { authorization, listen: false });
  const client = await McpClient.connect(open, { name: "me", version: "1", era: "legacy" });
  onTestFinished(() => client.close());
  return { client, stored: () => options.store.read(url) };
}

/** Replaces the answers of the authorization server at one path. */
function answerAt(path: string, answer: ScriptedAnswer): Change {
  return ({ issuer }) => {
    const usual = issuer.answer;
    issuer.answer = (seen, response) =>
      seen.path === path ? answer(seen, response) : usual(seen, response);
  };
}

/** Changes what the authorization server answers at one path. */
function changing(path: string, members: object, status?: number): Change {
  return (fixture) => {
    const usual = fixture.issuer.answer;
    answerAt(path, (seen, response) => {
      const { end } = response;
      response.end = ((text: string) =>
        end.call(response, JSON.stringify({ ...JSON.parse(text), ...members }), "utf8")) as never;
      const { writeHead } = response;
      response.writeHead = ((usually: number, headers: object) =>
        writeHead.call(response, status ?? usually, headers as never)) as never;
      return usual(seen, response);
    })(fixture);
  };
}

const jwtOfAnother = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL290aGVyLnRlc3QifQ.c2lnbmF0dXJl";

const absent: readonly (readonly [string, string, object])[] = [
  ["token response", "/token", { expires_in: null }],
  ["token response", "/token", { refresh_token: null }],
  ["token response", "/token", { scope: null }],
  ["token response", "/token", { id_token: null }],
  ["token response", "/token", { error: null, error_description: null }],
  ["token response", "/token", { refresh_token: "", scope: "" }],
  ["registration response", "/register", { client_secret: null }],
  ["registration response", "/register", { client_secret_expires_at: null, jwks: null }],
  ["registration response", "/register", { token_endpoint_auth_method: null }],
];

test.each(absent)("null in a %s means absent (%s %o)", async (_, path, members) => {
  const fixture = await listen(changing(path, members));
  const { client, stored } = await login(fixture);
  expect(await client.callTool("a")).toEqual(admitted);
  const kept = JSON.stringify(await stored());
  expect(kept).not.toContain("null");
  expect(kept).not.toContain('""');
});

test.each([
  { code_challenge_methods_supported: null },
  { token_endpoint_auth_methods_supported: null },
  { scopes_supported: null, revocation_endpoint: null },
  { client_id_metadata_document_supported: null },
])("null in metadata means absent (%o)", async (metadata) => {
  const fixture = await listen(({ knobs }) => {
    knobs.metadata = metadata;
    knobs.resourceMetadata = { scopes_supported: null, bearer_methods_supported: null };
  });
  const { client } = await login(fixture);
  expect(await client.callTool("a")).toEqual(admitted);
});

test.each([null, ""])("a registration endpoint of %o is ignored", async (registration_endpoint) => {
  const fixture = await listen(({ knobs }) => (knobs.metadata = { registration_endpoint }));
  await expect(login(fixture)).rejects.toThrow("takes no registrations");
  fixture.clients.add("known");
  const { client } = await login(fixture, { clients: { "*": { clientId: "known" } } });
  expect(await client.callTool("a")).toEqual(admitted);
});

test.each<[string, object, number?]>([
  ["a type of its own, as from Slack", { token_type: "user" }],
  ["no type", { token_type: undefined }],
  ["a type in capitals", { token_type: "BEARER" }],
  ["status 201", {}, 201],
  ["status 203", {}, 203],
  ["an ID token of another issuer", { id_token: jwtOfAnother }],
  ["an ID token that is not a JWT", { id_token: 7 }],
  ["an end that is not a time", { expires_in: "tomorrow" }],
  ["a list of scopes", { scope: ["read", "write"] }],
])("of a token response only the used members are checked: %s", async (_, members, status) => {
  const { client } = await login(await listen(changing("/token", members, status)));
  expect(await client.callTool("a")).toEqual(admitted);
});

test.each([[""], ["/"]])(
  "issuers are the same with and without a slash at the end (named with %o)",
  async (named) => {
    const fixture = await listen(({ knobs, issuer: { origin } }) => {
      const other = named === "" ? "/" : "";
      knobs.resourceMetadata = { authorization_servers: [`${origin}${named}`] };
      knobs.metadata = { issuer: `${origin}${other}` };
      knobs.redirect = { iss: `${origin}${other}` };
    });
    const { client } = await login(fixture);
    expect(await client.callTool("a")).toEqual(admitted);
    fixture.accessTokens.clear();
    expect(await client.callTool("a")).toEqual(admitted);
    expect(fixture.visits).toHaveLength(1);
  },
);

test("of several authorization servers, one that is not a string is skipped", async () => {
  const fixture = await listen(({ knobs, issuer: { origin } }) => {
    knobs.resourceMetadata = { authorization_servers: [null, 7, origin] };
  });
  expect(await (await login(fixture)).client.callTool("a")).toEqual(admitted);
});

test.each([undefined, [], null])(
  "metadata without PKCE methods (%o) still gets S256",
  async (methods) => {
    const fixture = await listen(
      ({ knobs }) => (knobs.metadata = { code_challenge_methods_supported: methods }),
    );
    await login(fixture);
    expect(fixture.visits[0]?.get("code_challenge_method")).toBe("S256");
  },
);

/** An authorization server that refuses clients scopes beyond those that they have registered. */
function withRegisteredScopes(fixture: AuthorizationFixture): void {
  let registered: readonly string[] = [];
  const usual = fixture.issuer.answer;
  fixture.issuer.answer = (seen, response) => {
    if (seen.path === "/register") registered = JSON.parse(seen.body).scope?.split(" ") ?? [];
    const { pathname, searchParams } = new URL(seen.path, fixture.issuer.origin);
    const requested = searchParams.get("scope")?.split(" ") ?? [];
    if (pathname === "/authorize" && !requested.every((scope) => registered.includes(scope))) {
      return response.writeHead(400).end("unregistered scope");
    }
    return usual(seen, response);
  };
}

test("a registration names the scopes that are requested later, also when more are required", async () => {
  const fixture = await listen(withRegisteredScopes);
  fixture.knobs.scope = "read";
  const { client } = await login(fixture);
  fixture.accessTokens.clear();
  fixture.refreshTokens.clear();
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.clients.size).toBe(1);
  fixture.knobs.scope = "write";
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.clients.size).toBe(2);
});

test.each([
  ["invalid_client_metadata", 400],
  ["invalid_scope", 400],
  ["insufficient_scope", 403],
])(
  "a registration whose scopes are refused with %s is repeated without them",
  async (error, status) => {
    const fixture = await listen((each) => {
      const usual = each.issuer.answer;
      answerAt("/register", (seen, response) =>
        "scope" in JSON.parse(seen.body)
          ? json(response, { error }, {}, status)
          : usual(seen, response),
      )(each);
    });
    fixture.knobs.scope = "read";
    const { client } = await login(fixture);
    expect(await client.callTool("a")).toEqual(admitted);
  },
);

test("a refresh repeats the scope, and is retried once without a refused parameter", async () => {
  for (const [refused, error] of [
    ["none", "invalid_request"],
    ["resource", "invalid_target"],
    ["resource", "invalid_resource"],
    ["scope", "invalid_scope"],
  ] as const) {
    const fixture = await listen();
    fixture.knobs.scope = "read";
    const { client } = await login(fixture);
    fixture.knobs.token = (body) => {
      const isRefused = refused === "none" ? body.get("scope") !== "read" : body.has(refused);
      return isRefused ? { status: 400, body: { error } } : undefined;
    };
    fixture.accessTokens.clear();
    expect(await client.callTool("a")).toEqual(admitted);
    expect([refused, fixture.visits.length, fixture.refreshes]).toEqual([refused, 1, 1]);
  }
});

test("a login is retried once without the resource when that is refused", async () => {
  const atToken = await listen(({ knobs }) => {
    knobs.token = (body) =>
      body.has("resource") ? { status: 400, body: { error: "invalid_target" } } : undefined;
  });
  const { client } = await login(atToken);
  expect(await client.callTool("a")).toEqual(admitted);
  expect(atToken.visits).toHaveLength(1);
  const atVisit = await listen((fixture) => {
    const usual = fixture.issuer.answer;
    fixture.issuer.answer = (seen, response) => {
      const { searchParams } = new URL(seen.path, fixture.issuer.origin);
      fixture.knobs.redirect = searchParams.has("resource") ? { error: "invalid_target" } : {};
      return usual(seen, response);
    };
  });
  expect(await (await login(atVisit)).client.callTool("a")).toEqual(admitted);
  expect(atVisit.visits).toHaveLength(2);
  const always = await listen(({ knobs }) => (knobs.redirect = { error: "invalid_target" }));
  await expect(login(always)).rejects.toThrow("invalid_target");
  expect(always.visits).toHaveLength(2);
});

const refusals: readonly (readonly [status: number, body: unknown])[] = [
  [200, { error: "bad_refresh_token", error_description: "expired" }],
  [200, { ok: false, error: "invalid_refresh_token" }],
  [200, "<html>Log in</html>"],
  [200, {}],
  [302, ""],
  [400, "Bad Request"],
  [400, ""],
  [400, { code: 1234, message: "refresh token expired" }],
  [400, { error: { code: 400, message: "expired" } }],
  [400, { error: "invalid_request" }],
  [401, { error: "token_expired" }],
  [401, "Unauthorized"],
  [403, { error: null, message: "Forbidden" }],
  [404, "Not Found"],
  [410, {}],
  [422, { errors: ["refresh_token"] }],
];

test.each(refusals)(
  "a refresh that is refused with %s %j discards the refresh token, and starts one login",
  async (status, body) => {
    const fixture = await listen();
    const { client, stored } = await login(fixture);
    const used = (await stored())?.tokens?.refreshToken;
    const usual = fixture.issuer.answer;
    answerAt("/token", (seen, response) => {
      if (!seen.body.includes("grant_type=refresh_token")) return usual(seen, response);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    })(fixture);
    fixture.accessTokens.clear();
    expect(await client.callTool("a")).toEqual(admitted);
    expect(fixture.visits).toHaveLength(2);
    expect((await stored())?.tokens?.refreshToken).not.toBe(used);
    const refreshes = fixture.issuer.seen.filter(({ body: sent }) => sent.includes(String(used)));
    expect(refreshes).toHaveLength(1);
  },
);

test.each([
  [500, {}],
  [503, { error: "temporarily_unavailable" }],
  [429, "Too Many Requests"],
  [400, { error: "temporarily_unavailable" }],
])("an outage at a refresh, %s %j, leaves the refresh token", async (status, body) => {
  const fixture = await listen();
  const { client, stored } = await login(fixture);
  const used = (await stored())?.tokens?.refreshToken;
  fixture.knobs.token = () => ({ status, body });
  fixture.accessTokens.clear();
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "unreachable" });
  expect((await stored())?.tokens?.refreshToken).toBe(used);
  fixture.knobs.token = undefined;
  expect(await client.callTool("a")).toEqual(admitted);
  expect(fixture.visits).toHaveLength(1);
});
