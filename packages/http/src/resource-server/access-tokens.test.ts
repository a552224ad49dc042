import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { expect, onTestFinished, test } from "vitest";
import type { RequestHead } from "../handler/request-head.ts";
import { type ProtectResourceOptions, protectResource } from "./protect-resource.ts";
import type { TrustedIssuer } from "./trusted-issuer.ts";
import type { VerifiedToken } from "./verified-token.ts";

const audience = "https://mcp.example.com/mcp";

interface TokenIssuer {
  readonly issuer: string;
  /** The answers of introspection, by token. */
  readonly active: Map<string, object>;
  /** Signs an access token for ann; claims that are undefined are left out. */
  sign(claims?: object, header?: object): Promise<string>;
  /** The audience, the issuer and an hour from now. */
  usual(): Readonly<Record<string, unknown>>;
}

/** An authorization server that signs any claims, and answers introspection as configured. */
async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: "k", alg: "ES256", use: "sig" };
  const active = new Map<string, object>();
  const answers: Readonly<Record<string, (body: URLSearchParams) => object>> = {
    "/jwks": () => ({ keys: [key] }),
    "/introspect": (body) => active.get(body.get("token") ?? "") ?? { active: false },
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      const metadata = {
        ...{ issuer, jwks_uri: `${issuer}/jwks` },
        introspection_endpoint: `${issuer}/introspect`,
      };
      const answer = answers[request.url ?? ""] ?? (() => metadata);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer(new URLSearchParams(body))));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const usual = () => ({ iss: issuer, aud: audience, exp: Math.floor(Date.now() / 1000) + 3600 });
  return {
    ...{ issuer, active, usual },
    sign(claims = {}, header = {}) {
      const all: JWTPayload = { ...usual(), sub: "ann", client_id: "app", ...claims };
      const protectedHeader = { alg: "ES256", kid: "k", typ: "at+jwt", ...header };
      return new SignJWT(all).setProtectedHeader(protectedHeader).sign(privateKey);
    },
  };
}

/** The head of a POST with a token. */
function headWith(token: string): RequestHead {
  const headers = new Map([["authorization", `Bearer ${token}`]]);
  return { method: "POST", path: "/mcp", query: "", header: (name) => headers.get(name) };
}

type Options = Partial<ProtectResourceOptions<VerifiedToken>>;

/** An issuer, and the verdicts of a resource server that trusts it on its tokens. */
async function open(trust: Partial<TrustedIssuer> = {}, options: Options = {}) {
  const issuer = await startTokenIssuer();
  const issuers = [{ issuer: issuer.issuer, ...trust }];
  const { authorize } = protectResource<VerifiedToken>({ issuers, audience, ...options });
  /** The principal, or the reason for a refusal. */
  const judge = async (token: string) => {
    const admission = await authorize(headWith(token));
    return "status" in admission ? `${admission.status} ${admission.message}` : admission.principal;
  };
  const contextOf = async (token: string) => {
    const admission = await authorize(headWith(token));
    return "status" in admission ? undefined : admission.context;
  };
  const ann = JSON.stringify([issuer.issuer, "ann"]);
  return { ...issuer, authorize, judge, contextOf, ann };
}

const introspection = { clientId: "rs", clientSecret: "of the tests only", cacheMs: 0 };

test.each(["at+jwt", "AT+JWT", "application/at+jwt", "Application/AT+JWT"])(
  "a JWT of type %s is an access token",
  async (typ) => {
    const { judge, sign, ann } = await open();
    expect(await judge(await sign({}, { typ }))).toBe(ann);
  },
);

test.each([
  "JWT",
  undefined,
  "logout+jwt",
  "secevent+jwt",
  "dpop+jwt",
  "at+jwt2",
  "",
  "text/at+jwt",
])(
  "a JWT of type %s is not an access token unless its issuer is configured otherwise",
  async (typ) => {
    const { judge, sign } = await open();
    expect(await judge(await sign({}, { typ }))).toMatch(/^401 .*not an access token/);
  },
);

test.each([[["at+jwt"]], [["JWT"]], [{ JWT: 1 }], [1], [null]])(
  "a JWT of type %j is refused, whatever its issuer calls access tokens",
  async (typ) => {
    for (const accessTokenType of ["at+jwt", "JWT"] as const) {
      const { judge, sign } = await open({ accessTokenType });
      expect(await judge(await sign({}, { typ }))).toMatch(/^401 .*not an access token/);
    }
  },
);

test.each<[string, object, object, string]>([
  ["JWT", { typ: "JWT" }, {}, ""],
  ["no type", { typ: undefined }, { token_use: "access" }, ""],
  ["at+jwt", {}, {}, ""],
  ["another type", { typ: "logout+jwt" }, {}, "not an access token"],
  ["JWT that is an ID token of Cognito", { typ: undefined }, { token_use: "id" }, '"id"'],
  ["JWT that is an ID token of Keycloak", { typ: "JWT" }, { typ: "ID" }, '"ID"'],
  ["JWT of Keycloak", { typ: "JWT" }, { typ: "Bearer" }, ""],
  ["JWT that is an ID token with a nonce", { typ: "JWT" }, { nonce: "n" }, "an ID token"],
  ["JWT that is an ID token with a hash", { typ: "JWT" }, { at_hash: "h" }, "an ID token"],
])(
  "from an issuer that does not mark access tokens, one of type %s is judged by its claims",
  async (_, header, claims, words) => {
    const { judge, sign, ann } = await open({ accessTokenType: "JWT" });
    const verdict = await judge(await sign(claims, header));
    if (words === "") expect(verdict).toBe(ann);
    else expect(verdict).toContain(words);
  },
);

test.each<[string, unknown]>([
  ["a certificate", { "x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2" }],
  ["a key", { jwk: { kty: "EC", crv: "P-256", x: "x", y: "y" } }],
  ["the name of a key", { kid: "k" }],
  ["an address of keys", { jku: "https://as.example.com/keys" }],
  ["a certificate beside a key with proofs", { jkt: "t", "x5t#S256": "c" }],
  ["an invalid thumbprint", { jkt: 1 }],
  ["nothing", {}],
  ["a text", "jkt"],
])("a token bound to %s, which is not verified, is refused", async (_, cnf) => {
  const { judge, sign, active, usual } = await open({ introspection });
  expect(await judge(await sign({ cnf }))).toMatch(/^401 .*not verified here/);
  active.set("opaque", { active: true, sub: "ann", ...usual(), cnf });
  expect(await judge("opaque")).toMatch(/^401 .*not verified here/);
});

test("a token bound to a key by DPoP needs its proof", async () => {
  const { judge, sign } = await open();
  expect(await judge(await sign({ cnf: { jkt: "t" } }))).toMatch(/^401 .*DPoP proof/);
});

test("a client's token without a subject is never that of the user of the same name", async () => {
  const { judge, sign, contextOf, ann, active, usual } = await open({ introspection });
  const clients = { sub: undefined, client_id: "ann" };
  const client = await sign(clients);
  expect(await judge(await sign({ sub: "ann", client_id: "app" }))).toBe(ann);
  const principal = await judge(client);
  expect(principal).not.toBe(ann);
  expect(principal).toContain("ann");
  expect(await contextOf(client)).toMatchObject({ subject: undefined, clientId: "ann" });
  active.set("opaque", { active: true, ...usual(), ...clients });
  expect(await judge("opaque")).toBe(principal);
  // A subject that looks like the principal of a client is not mistaken for it either.
  expect(await judge(await sign({ sub: '{"clientId":"ann"}' }))).not.toBe(principal);
});

test.each([[""], [1], [["ann"]], [{ clientId: "ann" }]])(
  "a token whose subject is %j is refused",
  async (sub) => {
    const { judge, active, usual } = await open({ introspection });
    active.set("opaque", { active: true, ...usual(), sub, client_id: "ann" });
    expect(await judge("opaque")).toMatch(/^401 /);
  },
);

test.each<[object, string]>([
  [{ token_type: "Bearer" }, ""],
  [{ token_type: "access_token" }, ""],
  [{ token_type: "N_A", token_use: "access_token" }, ""],
  [{ token_type: null, token_use: null }, ""],
  [{ token_type: "refresh_token" }, '"refresh_token"'],
  [{ token_type: "Refresh" }, '"Refresh"'],
  [{ token_type: "Bearer", token_use: "refresh_token" }, '"refresh_token"'],
  [{ token_use: ["access"] }, '["access"]'],
  [{ typ: "Offline" }, '"Offline"'],
])(
  "an active token that its issuer describes by %j is accepted only as an access token",
  async (claims, words) => {
    const { judge, active, usual, ann } = await open({ introspection });
    active.set("opaque", { active: true, sub: "ann", ...usual(), ...claims });
    const verdict = await judge("opaque");
    if (words === "") expect(verdict).toBe(ann);
    else expect(verdict).toMatch(/^401 .*, not an access token$/);
    expect(verdict).toContain(words);
  },
);

const nowS = () => Math.floor(Date.now() / 1000);

test.each<[string, () => object, string]>([
  ["exp, a string of an hour ago", () => ({ exp: String(nowS() - 3600) }), "has expired"],
  ["exp, a string in an hour", () => ({ exp: String(nowS() + 3600) }), ""],
  ["exp, a string that is not a number", () => ({ exp: "tomorrow" }), "exp is not a time"],
  ["exp, a list", () => ({ exp: [nowS() + 3600] }), "exp is not a time"],
  ["no exp", () => ({ exp: undefined }), "has expired"],
  ["nbf, a number in an hour", () => ({ nbf: nowS() + 3600 }), "not valid yet"],
  ["nbf, a string in an hour", () => ({ nbf: String(nowS() + 3600) }), "not valid yet"],
  ["nbf, a string of an hour ago", () => ({ nbf: String(nowS() - 3600) }), ""],
  ["nbf, within the tolerance", () => ({ nbf: nowS() + 3 }), ""],
  ["nbf, a text", () => ({ nbf: "now" }), "nbf is not a time"],
])("the times of an introspection response are honoured: %s", async (_, claims, words) => {
  const { judge, active, usual, ann, contextOf } = await open({ introspection });
  active.set("opaque", { active: true, sub: "ann", ...usual(), ...claims() });
  const verdict = await judge("opaque");
  if (words !== "") expect(verdict).toContain(words);
  else {
    expect(verdict).toBe(ann);
    expect((await contextOf("opaque"))?.expiresAtS).toBeTypeOf("number");
  }
});

test("streams end with their token, when it expires and when it is revoked", async () => {
  const { authorize, sign, active, usual } = await open({ introspection }, { clockToleranceS: 7 });
  const admit = async (token: string) => {
    const admission = await authorize(headWith(token));
    if ("status" in admission) throw new Error(admission.message);
    return admission;
  };
  const exp = nowS() + 60;
  const jwt = await admit(await sign({ exp }));
  expect([jwt.expiresAtMs, await jwt.isValid?.()]).toEqual([(exp + 7) * 1000, true]);
  active.set("opaque", { active: true, sub: "ann", ...usual(), exp: String(exp) });
  const opaque = await admit("opaque");
  expect([opaque.expiresAtMs, await opaque.isValid?.()]).toEqual([(exp + 7) * 1000, true]);
  active.delete("opaque");
  expect(await opaque.isValid?.()).toBe(false);
});

test.each<[string, object, boolean]>([
  ["fewer scopes", { scope: "read" }, false],
  ["more scopes", { scope: "write admin read" }, true],
  ["the scopes in another order", { scope: "write read" }, true],
  ["another subject", { sub: "bob" }, false],
  ["another audience", { aud: "https://other.example.com/mcp" }, false],
])("a stream ends when its token is found to have %s: %j", async (_, change, isValid) => {
  const { authorize, active, usual } = await open({ introspection });
  const claims = { active: true, sub: "ann", scope: "read write", ...usual() };
  active.set("opaque", claims);
  const admission = await authorize(headWith("opaque"));
  if ("status" in admission) throw new Error(admission.message);
  active.set("opaque", { ...claims, ...change });
  expect(await admission.isValid?.()).toBe(isValid);
});
