import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { OpenRedirectTarget } from "@idewire/http/internal";
import { type DpopProof, hashOf, readProof } from "./dpop-proof.ts";
import {
  json,
  result,
  ScriptedHttpServer,
  type SeenRequest,
  withSessions,
} from "./scripted-http-server.ts";

/** Changes to the two servers. */
export interface AuthorizationKnobs {
  /** Members of the two documents, replacing the usual ones; undefined removes one. */
  resourceMetadata: Record<string, unknown>;
  metadata: Record<string, unknown>;
  /** Parameters of the redirect, replacing the usual ones; undefined removes one. */
  redirect: Record<string, string | undefined>;
  /** The scope of the challenge, required of tokens. */
  scope: string | undefined;
  expiresIn: number | undefined;
  /** Whether tokens are bound to a key (RFC 9449). */
  binds: boolean;
  /** The nonces that the two servers require in proofs. */
  nonces: { server?: string; issuer?: string };
  /** The answer to a revocation request, instead of the usual one. */
  revocation: ((token: string) => { status: number; body: unknown }) | undefined;
  /** The answer to a token request, instead of the usual one. */
  token: ((body: URLSearchParams) => { status: number; body: unknown } | undefined) | undefined;
}

interface Issued {
  readonly scope: string;
  readonly family: string;
  /** The thumbprint of the key to which it is bound. */
  readonly thumbprint: string | undefined;
}

/**
 * An MCP server that requires tokens, and the authorization server that issues them: refresh tokens rotate, and
 * using one twice revokes all tokens of its login.
 */
export class AuthorizationFixture {
  readonly knobs: AuthorizationKnobs = {
    ...{ resourceMetadata: {}, metadata: {}, redirect: {} },
    ...{ scope: undefined, expiresIn: 3600, token: undefined, binds: false, nonces: {} },
    revocation: undefined,
  };
  readonly clients = new Set<string>();
  readonly accessTokens = new Map<string, Issued>();
  readonly refreshTokens = new Map<string, Issued & { used: boolean }>();
  refreshes = 0;
  readonly server: ScriptedHttpServer;
  readonly issuer: ScriptedHttpServer;
  readonly #codes = new Map<string, { scope: string; key: string | null }>();
  readonly #proofs = new Set<string>();

  constructor() {
    this.server = new ScriptedHttpServer(
      withSessions((seen, response) => {
        if (seen.path.startsWith("/.well-known/oauth-protected-resource")) {
          const { url } = this.server;
          const usual = { resource: url, authorization_servers: [this.issuer.origin] };
          return json(response, { ...usual, ...this.knobs.resourceMetadata });
        }
        const [scheme, token = ""] = seen.headers.authorization?.split(" ") ?? [];
        const issued = this.accessTokens.get(token);
        if (issued?.thumbprint !== undefined) {
          const wrong = scheme === "DPoP" ? this.#judgeProof(seen, { token, ...issued }) : "scheme";
          if (wrong !== undefined) return refuseProof(response, wrong, this.knobs.nonces.server);
        }
        const { scope } = this.knobs;
        const wanted = scope === undefined ? "" : `, scope="${scope}"`;
        const at = `${this.server.origin}/.well-known/oauth-protected-resource/mcp`;
        const accepted = this.knobs.binds ? "DPoP" : "Bearer";
        const challenge = `${accepted} resource_metadata="${at}"${wanted}`;
        if (issued === undefined) {
          return response.writeHead(401, { "www-authenticate": challenge }).end();
        }
        const has = issued.scope.split(" ");
        if (scope !== undefined && !scope.split(" ").every((each) => has.includes(each))) {
          const more = `${challenge}, error="insufficient_scope"`;
          return response.writeHead(403, { "www-authenticate": more }).end();
        }
        if (seen.message.method !== "tools/call") return false;
        const text = { content: [{ type: "text", text: "admitted" }] };
        return json(response, result(seen.message.id, text));
      }),
    );
    this.issuer = new ScriptedHttpServer((seen, response) => {
      const { pathname, searchParams } = new URL(seen.path, this.issuer.origin);
      if (pathname === "/.well-known/oauth-authorization-server") {
        return json(response, { ...this.#metadata(), ...this.knobs.metadata });
      }
      if (pathname === "/register") {
        const id = randomUUID();
        this.clients.add(id);
        return json(response, { client_id: id }, {}, 201);
      }
      if (pathname === "/authorize") {
        return response.writeHead(302, { location: this.#authorize(searchParams) }).end();
      }
      if (pathname === "/revoke") return this.#endFamily(new URLSearchParams(seen.body), response);
      if (pathname !== "/token") return response.writeHead(404).end();
      const { status, body } = this.#token(new URLSearchParams(seen.body), seen);
      const { issuer: nonce } = this.knobs.nonces;
      const headers = {
        ...(nonce !== undefined && { "dpop-nonce": nonce }),
        ...(status === 401 && { "www-authenticate": 'Basic realm="tokens"' }),
      };
      return json(response, body, headers, status);
    });
  }

  async listen(): Promise<this> {
    await Promise.all([this.server.listen(), this.issuer.listen()]);
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.server[Symbol.asyncDispose](), this.issuer[Symbol.asyncDispose]()]);
  }

  /** The parameters of each visit of the person. */
  get visits(): readonly URLSearchParams[] {
    return this.issuer.seen
      .filter(({ path }) => path.startsWith("/authorize"))
      .map(({ path }) => new URL(path, this.issuer.origin).searchParams);
  }

  /** All secrets, which no error may contain. */
  get secrets(): readonly string[] {
    return [
      ...[...this.accessTokens.keys(), ...this.refreshTokens.keys(), ...this.#codes.keys()],
      ...this.issuer.seen.flatMap(({ body }) => new URLSearchParams(body).getAll("code_verifier")),
    ];
  }

  #metadata(): Record<string, unknown> {
    const { origin } = this.issuer;
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      revocation_endpoint: `${origin}/revoke`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      ...(this.knobs.binds && { dpop_signing_alg_values_supported: ["ES256"] }),
    };
  }

  #authorize(parameters: URLSearchParams): string {
    const code = randomUUID();
    const scope = parameters.get("scope") ?? "";
    this.#codes.set(code, { scope, key: parameters.get("dpop_jkt") });
    const back = new URL(parameters.get("redirect_uri") ?? "");
    const isKnown = this.clients.has(parameters.get("client_id") ?? "");
    const usual = isKnown ? { code } : { error: "invalid_client" };
    const all = { state: parameters.get("state") ?? "", ...usual, ...this.knobs.redirect };
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined) back.searchParams.set(name, value);
    }
    return back.href;
  }

  #token(body: URLSearchParams, seen: SeenRequest): { status: number; body: unknown } {
    const special = this.knobs.token?.(body);
    if (special !== undefined) return special;
    const refused = (error: string) => ({ status: 400, body: { error } });
    const proof = this.knobs.binds ? readProof(seen) : undefined;
    const wrong = this.knobs.binds ? this.#judgeProof(seen, {}) : undefined;
    if (wrong !== undefined) return refused(wrong);
    const thumbprint = proof?.thumbprint;
    if (!this.clients.has(body.get("client_id") ?? "")) return refused("invalid_client");
    const given = body.get("refresh_token") ?? "";
    const before = this.refreshTokens.get(given);
    if (body.get("grant_type") === "refresh_token") {
      if (before === undefined) return refused("invalid_grant");
      if (before.used) this.#revoke(before.family);
      if (before.used || before.thumbprint !== thumbprint) return refused("invalid_grant");
      before.used = true;
      this.refreshes += 1;
      return this.#issue({ ...before, thumbprint });
    }
    if (body.has("assertion") || body.get("grant_type") === "client_credentials") {
      return this.#issue({ scope: body.get("scope") ?? "", family: randomUUID(), thumbprint });
    }
    const code = this.#codes.get(body.get("code") ?? "");
    if (code === undefined) return refused("invalid_grant");
    if (this.knobs.binds && code.key !== thumbprint) return refused("invalid_grant");
    return this.#issue({ scope: code.scope, family: randomUUID(), thumbprint });
  }

  /** The error code of RFC 9449 for the proof of a request; undefined for a valid one. */
  #judgeProof(
    seen: SeenRequest,
    { token, thumbprint }: { readonly token?: string; readonly thumbprint?: string | undefined },
  ): string | undefined {
    const proof: Partial<DpopProof> = readProof(seen) ?? {};
    const { issuer, server } = this.knobs.nonces;
    const { origin } = token === undefined ? this.issuer : this.server;
    const { jti = "" } = proof;
    const isFresh = jti !== "" && !this.#proofs.has(jti);
    this.#proofs.add(jti);
    const isFor = proof.htm === seen.method && proof.htu === new URL(seen.path, origin).href;
    const isOurs = thumbprint === undefined || proof.thumbprint === thumbprint;
    const hasToken = proof.ath === (token === undefined ? undefined : hashOf(token));
    if (!isFresh || !isFor || !isOurs || !hasToken) return "invalid_dpop_proof";
    const nonce = token === undefined ? issuer : server;
    return nonce === undefined || proof.nonce === nonce ? undefined : "use_dpop_nonce";
  }

  #issue({ scope, family, thumbprint }: Issued) {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.accessTokens.set(access, { scope, family, thumbprint });
    this.refreshTokens.set(refresh, { scope, family, thumbprint, used: false });
    const type = thumbprint === undefined ? "Bearer" : "DPoP";
    const body = { access_token: access, refresh_token: refresh, token_type: type };
    return { status: 200, body: { ...body, scope, expires_in: this.knobs.expiresIn } };
  }

  #endFamily(body: URLSearchParams, response: ServerResponse): void {
    const token = body.get("token") ?? "";
    const { status = 200, body: answer = {} } = this.knobs.revocation?.(token) ?? {};
    const issued = this.refreshTokens.get(token) ?? this.accessTokens.get(token);
    if (status === 200 && issued !== undefined) this.#revoke(issued.family);
    json(response, answer, {}, status);
  }

  #revoke(family: string): void {
    for (const tokens of [this.accessTokens, this.refreshTokens]) {
      for (const [token, issued] of tokens) if (issued.family === family) tokens.delete(token);
    }
  }
}

function refuseProof(response: ServerResponse, error: string, nonce: string | undefined): void {
  const challenge = `DPoP error="${error}", algs="ES256"`;
  const headers = nonce === undefined ? {} : { "dpop-nonce": nonce };
  response.writeHead(401, { "www-authenticate": challenge, ...headers }).end();
}

/** A person with a browser who agrees to everything, and whom a redirect leads back. */
export const agreeingPerson: OpenRedirectTarget = async (registered) => ({
  uri: registered ?? "http://127.0.0.1:1/callback",
  async visit(authorizationUrl) {
    const response = await fetch(authorizationUrl, { redirect: "manual" });
    return response.headers.get("location") ?? "";
  },
  async close() {},
});
