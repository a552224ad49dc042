import type { OpenRedirectTarget } from "@idewire/http/internal";
import { createMemoryStore, createOAuth } from "@idewire/http/oauth";

export const RESOURCE = "https://mcp.example.com/mcp";
export const METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
export const ISSUER = "https://as.example.com";
const REDIRECT = "http://127.0.0.1:1/callback";
export const CODE = "code-of-the-test-0123456789";
export const CLIENT_SECRET = "client-secret-0123456789";
const ACCESS_TOKEN = "access-token-0123456789";
const REFRESH_TOKEN = "refresh-token-0123456789";
/** The documents of a successful login. */
export const good = {
  resource: { resource: RESOURCE, authorization_servers: [ISSUER], scopes_supported: ["read"] },
  metadata: {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    registration_endpoint: `${ISSUER}/register`,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
  },
  registration: { client_id: "client", client_secret: CLIENT_SECRET, client_secret_expires_at: 0 },
  tokens: {
    access_token: ACCESS_TOKEN,
    refresh_token: REFRESH_TOKEN,
    token_type: "Bearer",
    expires_in: 3600,
  },
} as const;
export type Page = keyof typeof good;

/** The answers of an authorization server and its MCP server in a case. */
export interface Answers {
  readonly challenge: string;
  readonly pages: Readonly<Record<Page, { readonly status: number; readonly text: string }>>;
  /** Parameters of the redirect, replacing the usual ones; null removes one. */
  readonly redirect: Readonly<Record<string, string | null>>;
}

export const usual: Answers = {
  challenge: "Bearer",
  pages: {
    resource: { status: 200, text: JSON.stringify(good.resource) },
    metadata: { status: 200, text: JSON.stringify(good.metadata) },
    registration: { status: 201, text: JSON.stringify(good.registration) },
    tokens: { status: 200, text: JSON.stringify(good.tokens) },
  },
  redirect: {},
};

/** The requests and addresses of a login. */
interface Seen {
  readonly fetched: string[];
  readonly visited: URL[];
  readonly secrets: string[];
  outcome?: unknown;
}

/** Handles a 401, with the servers of a case. */
export async function answerChallenge({ challenge, pages, redirect }: Answers): Promise<Seen> {
  const secrets: string[] = [ACCESS_TOKEN, REFRESH_TOKEN];
  // Otherwise the client has other tokens, or none.
  if (!Object.hasOwn(redirect, "code")) secrets.push(CODE);
  if (pages.registration.text.includes(CLIENT_SECRET)) secrets.push(CLIENT_SECRET);
  const seen: Seen = { fetched: [], visited: [], secrets };
  const openRedirectTarget: OpenRedirectTarget = async () => ({
    uri: REDIRECT,
    async visit(address) {
      const url = new URL(address);
      seen.visited.push(url);
      const state = url.searchParams.get("state") ?? "";
      const back = new URL(REDIRECT);
      for (const [name, value] of Object.entries({ code: CODE, state, ...redirect })) {
        if (value !== null) back.searchParams.set(name, value);
      }
      return back.href;
    },
    async close() {},
  });
  const authorization = createOAuth({
    ...{ url: RESOURCE, store: createMemoryStore(), openRedirectTarget },
    async fetch(address, init) {
      seen.fetched.push(address);
      const body = init?.body instanceof URLSearchParams ? init.body : new URLSearchParams();
      seen.secrets.push(...body.getAll("code_verifier"));
      const { status, text } = pages[pageOf(address, init)];
      const headers = { "content-type": "application/json" };
      return new Response([204, 205, 304].includes(status) ? null : text, { status, headers });
    },
  });
  const refused = new Response(null, { status: 401 });
  refused.headers.set("www-authenticate", challenge);
  seen.outcome = await authorization
    .send({ method: "POST", url: new URL(RESOURCE) }, async (credentials) =>
      credentials.has("authorization") ? new Response() : refused,
    )
    .then(({ ok }) => ok)
    .catch((error: unknown) => error);
  return seen;
}

function pageOf(address: string, init: RequestInit | undefined): Page {
  if (init?.body instanceof URLSearchParams) return "tokens";
  if (init?.method === "POST") return "registration";
  return address.includes("oauth-protected-resource") ? "resource" : "metadata";
}
