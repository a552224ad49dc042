import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

// Every rule needs a server that breaks it: here a server over HTTP that requires a token, with a fault.

/** The answers of a server by path; 404 for undefined. */
interface Protected {
  /** The challenge for a missing or wrong token; none if undefined. */
  readonly challenge?: ((origin: string) => string) | undefined;
  /** The status for a wrong token. */
  readonly wrongToken?: number;
  /** The protected resource metadata, by its path. */
  readonly resources: Readonly<Record<string, (origin: string) => unknown>>;
  /** The metadata of the authorization server, by its path. */
  readonly issuers: Readonly<Record<string, unknown>>;
}

const RESOURCE = "/.well-known/oauth-protected-resource";
const ISSUER = "/.well-known/oauth-authorization-server";
const safe = { code_challenge_methods_supported: ["S256"] };

const metadata =
  (more: object = {}) =>
  (origin: string): object => ({
    ...{ resource: `${origin}/mcp`, authorization_servers: [origin] },
    ...more,
  });
const leadTo = (path: string) => (origin: string) => `Bearer resource_metadata="${origin}${path}"`;

/** A server without a fault. */
const sound: Protected = {
  challenge: leadTo("/metadata"),
  resources: { "/metadata": metadata() },
  issuers: { [ISSUER]: safe },
};

async function serve({ challenge, wrongToken = 401, resources, issuers }: Protected) {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const origin = `http://${request.headers.host}`;
    const path = request.url ?? "";
    const document = resources[path]?.(origin) ?? issuers[path];
    if (document !== undefined) {
      const isText = typeof document === "string";
      response.end(isText ? document : JSON.stringify(document));
      return;
    }
    if (path !== "/mcp") {
      response.writeHead(404).end();
      return;
    }
    const hasToken = request.headers.authorization !== undefined;
    const headers = challenge === undefined ? {} : { "www-authenticate": challenge(origin) };
    response.writeHead(hasToken ? wrongToken : 401, headers).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** The verdicts of the rules for tokens. */
async function check(server: Protected): Promise<Readonly<Record<string, string>>> {
  const run = new CliRun(openFixture(), { args: ["check", "--json", await serve(server)] });
  // A server that requires a login cannot be used without one.
  expect(await run.exited).toBe(1);
  const { results } = JSON.parse(run.output) as {
    readonly results: readonly { readonly id: string; readonly verdict: string }[];
  };
  const own = results.filter(({ id }) => id.startsWith("MCP-AUTH-"));
  return Object.fromEntries(own.map(({ id, verdict }) => [id.slice(-3), verdict]));
}

const faults: readonly (readonly [id: string, what: string, server: Protected])[] = [
  ["001", "names no scheme", { ...sound, challenge: undefined }],
  ["001", "names another scheme", { ...sound, challenge: () => 'Basic realm="weather"' }],
  ["002", "accepts any token", { ...sound, wrongToken: 200 }],
  ["002", "answers an unknown token with 403", { ...sound, wrongToken: 403 }],
  ["002", "answers a wrong token with 400", { ...sound, wrongToken: 400 }],
  ["003", "has no metadata", { ...sound, resources: {} }],
  [
    "003",
    "leads to a page",
    { ...sound, resources: { "/metadata": () => "<!doctype html><title>Log in</title>" } },
  ],
  [
    "003",
    "leads to nothing, with metadata at its well-known address",
    { ...sound, resources: { [`${RESOURCE}/mcp`]: metadata() } },
  ],
  [
    "003",
    "does not name itself",
    { ...sound, resources: { "/metadata": metadata({ resource: undefined }) } },
  ],
  [
    "003",
    "names no authorization server",
    { ...sound, resources: { "/metadata": metadata({ authorization_servers: [] }) } },
  ],
  [
    "003",
    "names its authorization server outside a list",
    {
      ...sound,
      resources: { "/metadata": metadata({ authorization_servers: "https://example.com" }) },
    },
  ],
  [
    "004",
    "names another host",
    { ...sound, resources: { "/metadata": metadata({ resource: "https://example.com/mcp" }) } },
  ],
  [
    "004",
    "names its neighbour",
    {
      ...sound,
      resources: { "/metadata": (origin) => metadata({ resource: `${origin}/mc` })(origin) },
    },
  ],
  [
    "004",
    "names an address below its own",
    {
      ...sound,
      resources: { "/metadata": (origin) => metadata({ resource: `${origin}/mcp/v1` })(origin) },
    },
  ],
  [
    "004",
    "names itself by its path alone",
    { ...sound, resources: { "/metadata": metadata({ resource: "/mcp" }) } },
  ],
  ["005", "has an authorization server without metadata", { ...sound, issuers: {} }],
  ["005", "has an authorization server without PKCE", { ...sound, issuers: { [ISSUER]: {} } }],
  [
    "005",
    "has an authorization server with plain PKCE alone",
    { ...sound, issuers: { [ISSUER]: { code_challenge_methods_supported: ["plain"] } } },
  ],
];

const pass = { "001": "pass", "002": "pass", "003": "pass", "004": "pass", "005": "pass" };

test.each(faults)("MCP-AUTH-%s fails for a server that %s", async (id, _, server) => {
  expect(await check(server)).toMatchObject({ [id]: "fail" });
});

test.each<readonly [what: string, server: Protected]>([
  ["with a challenge that leads to its metadata", sound],
  [
    "with metadata at the well-known address of its path",
    { ...sound, challenge: () => "Bearer", resources: { [`${RESOURCE}/mcp`]: metadata() } },
  ],
  [
    "with metadata at the well-known address of its host",
    { ...sound, challenge: () => "bearer", resources: { [RESOURCE]: metadata() } },
  ],
  [
    "with metadata of all its host",
    {
      ...sound,
      resources: { "/metadata": (origin) => metadata({ resource: origin })(origin) },
    },
  ],
  [
    "with an authorization server of OpenID Connect",
    { ...sound, issuers: { "/.well-known/openid-configuration": safe } },
  ],
])("each rule of tokens passes for a server %s", async (_, server) => {
  expect(await check(server)).toEqual(pass);
});
