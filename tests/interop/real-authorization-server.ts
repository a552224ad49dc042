import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OpenRedirectTarget } from "@idewire/http/internal";
import Provider from "oidc-provider";

/** The form of the tokens for a resource. */
export interface ResourceFormat {
  readonly scope: string;
  readonly format: "jwt" | "opaque";
  readonly ttlS?: number;
}

/** A real authorization server whose users all agree to everything. */
export interface RealAuthorizationServer {
  readonly issuer: string;
  /** A client of the server for introspection. */
  readonly introspection: { readonly clientId: string; readonly clientSecret: string };
  /** Counts of logins and tokens. */
  readonly counts: Readonly<TokenCounts>;
  /** Expires all opaque access tokens. */
  expire(): Promise<void>;
  close(): Promise<void>;
}

interface TokenCounts {
  logins: number;
  /** The number of exchanged refresh tokens. */
  refreshes: number;
  /** The number of logins revoked because a refresh token was used twice. */
  revoked: number;
}

const introspection = { clientId: "resource-server", clientSecret: "a secret of the tests only" };

/** Deviations from the server's defaults. */
export interface AuthorizationServerOptions {
  /** Whether it requires its nonces in proofs (RFC 9449, section 8). */
  readonly wantsNonces?: boolean;
  /** Whether pages may register, as with a proxy that adds the headers: oidc-provider answers no preflight for that. */
  readonly admitsPages?: boolean;
  /** Clients registered by hand. */
  readonly clients?: readonly object[];
  /** Reads client id metadata documents; left out, the server does not support them. */
  readonly readDocument?: (url: string) => Promise<Response>;
}

/** Starts oidc-provider: DCR, resource indicators, `iss`, DPoP, introspection, rotation. */
export async function startAuthorizationServer(
  resources: ReadonlyMap<string, ResourceFormat>,
  options: AuthorizationServerOptions = {},
): Promise<RealAuthorizationServer> {
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (provider === undefined) return;
    if (options.admitsPages === true && admitPage(request, response)) return;
    if (request.url?.startsWith("/interaction/")) void agree(provider, request, response);
    else void provider.callback()(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = new Provider(issuer, configuration(resources, options));
  return {
    issuer,
    introspection,
    ...observe(provider),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** @returns whether it was the preflight of a registration, which is answered */
function admitPage({ url, method }: IncomingMessage, response: ServerResponse): boolean {
  if (url !== "/reg") return false;
  response.setHeader("access-control-allow-origin", "*");
  if (method !== "OPTIONS") return false;
  response.writeHead(204, { "access-control-allow-headers": "content-type, accept" }).end();
  return true;
}

function observe(provider: Provider): Pick<RealAuthorizationServer, "counts" | "expire"> {
  const counts = { logins: 0, refreshes: 0, revoked: 0 };
  const issued = new Set<{ destroy(): Promise<unknown> }>();
  provider.on("authorization.success", () => void counts.logins++);
  provider.on("refresh_token.consumed", () => void counts.refreshes++);
  provider.on("grant.revoked", () => void counts.revoked++);
  provider.on("access_token.saved", (token) => void issued.add(token));
  provider.on("access_token.destroyed", (token) => void issued.delete(token));
  const expire = async () => {
    await Promise.all([...issued].map((token) => token.destroy()));
  };
  return { counts, expire };
}

function configuration(
  resources: ReadonlyMap<string, ResourceFormat>,
  { wantsNonces = false, clients = [], readDocument }: AuthorizationServerOptions,
): object {
  return {
    clients: [
      {
        client_id: introspection.clientId,
        client_secret: introspection.clientSecret,
        token_endpoint_auth_method: "client_secret_basic",
        grant_types: [],
        redirect_uris: [],
        response_types: [],
      },
      ...clients,
    ],
    scopes: ["openid", "offline_access", "read", "write"],
    ...(readDocument !== undefined && { fetch: (url: URL | string) => readDocument(String(url)) }),
    clientDefaults: { token_endpoint_auth_method: "none" },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      clientIdMetadataDocument: { enabled: readDocument !== undefined, ack: "draft-02" },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      dPoP: {
        enabled: true,
        ...(wantsNonces && { nonceSecret: randomBytes(32), requireNonce: () => true }),
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo(_: unknown, resource: string) {
          const { scope, format, ttlS = 3600 } = resources.get(resource) ?? {};
          return {
            scope,
            audience: resource,
            accessTokenTTL: ttlS,
            accessTokenFormat: format,
            ...(format === "jwt" && { jwt: { sign: { alg: "RS256" } } }),
          };
        },
      },
    },
    // Pages may be clients, too.
    clientBasedCORS: () => true,
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    cookies: { keys: ["of the tests only"] },
  };
}

/** The person's part on the pages of the server. */
async function agree(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: "ann" } });
    return;
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? "",
    clientId: String(params["client_id"]),
  });
  grant.addOIDCScope(String(params["scope"] ?? ""));
  const { missingResourceScopes = {} } = prompt.details as {
    readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
  };
  for (const [resource, scopes] of Object.entries(missingResourceScopes)) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(
    request,
    response,
    { consent },
    { mergeWithLastSubmission: true },
  );
}

/** A browser with cookies that follows redirects until they leave the server. */
export const browsingPerson: OpenRedirectTarget = async (registered) => {
  const uri = registered ?? "http://127.0.0.1:1/callback";
  return { uri, visit: (address) => browse(address, uri), async close() {} };
};

async function browse(address: string, until: string): Promise<string> {
  const { at, response } = await openBrowser().visit(address, until);
  if (!at.startsWith(until)) throw new Error(`${response?.status} ${await response?.text()}`);
  return at;
}

/** Follows redirects, with cookies. */
function openBrowser() {
  const cookies = new Map<string, string>();
  return {
    async visit(address: string, until: string | undefined, form?: URLSearchParams) {
      let at = address;
      let response: Response | undefined;
      let body = form;
      for (let count = 0; count < 20; count += 1) {
        if (until !== undefined && at.startsWith(until)) break;
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const sent = body === undefined ? {} : { method: "POST", body };
        response = await fetch(at, { ...sent, redirect: "manual", headers: { cookie } });
        body = undefined;
        for (const set of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (location === null) break;
        at = new URL(location, at).href;
      }
      return { at, response };
    },
  };
}

/** A person who enters a code of device authorization and agrees to everything. */
export async function enterCode(verificationUri: string, userCode: string): Promise<string> {
  const browser = openBrowser();
  const read = async (form?: URLSearchParams) => {
    const { response } = await browser.visit(verificationUri, undefined, form);
    return (await response?.text()) ?? "";
  };
  const xsrfOf = (page: string) => /name="xsrf" value="([^"]*)"/.exec(page)?.[1] ?? "";
  const first = await read();
  const code = { xsrf: xsrfOf(first), user_code: userCode };
  const second = await read(new URLSearchParams(code));
  const confirmed = { ...code, xsrf: xsrfOf(second), confirm: "yes" };
  return read(new URLSearchParams(confirmed));
}
