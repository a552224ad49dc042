import { describeValue } from "@idewire/core/internal";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../context.ts";
import { mcp, rfc } from "../../sources.ts";
import { CheckSkipped, demand } from "../../verdict.ts";
import { exchange, initialize, messageIn, serverOf } from "../exchange.ts";

/** Checks of a server that requires tokens. */
export const authChecks: readonly Check[] = [
  {
    id: "MCP-AUTH-001",
    level: "must",
    rule: "A request without a token is answered with 401, and WWW-Authenticate: Bearer.",
    source: `${mcp("Authorization")}; ${rfc(6750, "3")}`,
    async run(context) {
      const { headers } = await refusalOf(context);
      const challenge = headers["www-authenticate"] ?? "";
      demand(/\bBearer\b/i.test(challenge), `it is ${describeValue(challenge)}`);
    },
  },
  {
    id: "MCP-AUTH-002",
    level: "must",
    rule: "A wrong token is answered with 401.",
    source: mcp("Authorization"),
    hostile: true,
    async run(context) {
      await refusalOf(context);
      const { status } = await initialize(context, {}, "wrong");
      demand(status === 401, `it was answered with HTTP ${status}`);
    },
  },
  {
    id: "MCP-AUTH-003",
    level: "must",
    rule: "The challenge, or the well-known address, leads to the metadata of the server: its resource, and its authorization servers.",
    source: `${mcp("Authorization")}; ${rfc(9728, "3")}`,
    async run(context) {
      const { resource, authorization_servers: servers } = await metadataOf(context);
      demand(typeof resource === "string", `resource is ${describeValue(resource)}`);
      const isList = Array.isArray(servers) && servers.length > 0;
      demand(isList, `authorization_servers is ${describeValue(servers)}`);
      return servers.map(String).join(", ");
    },
  },
  {
    id: "MCP-AUTH-004",
    level: "must",
    rule: "The resource of that metadata is the address of the server, or one that it is below.",
    source: rfc(9728, "3.3"),
    async run(context) {
      const { url } = serverOf(context);
      const { resource } = await metadataOf(context);
      const isOurs = typeof resource === "string" && isWithin(url, resource);
      demand(isOurs, `${new URL(url).href} is not within ${describeValue(resource)}`);
    },
  },
  {
    id: "MCP-AUTH-005",
    level: "must",
    rule: "An authorization server has metadata, with S256 among code_challenge_methods_supported.",
    source: `${mcp("Authorization")}; ${rfc(8414, "3")}`,
    async run(context) {
      const { authorization_servers: servers } = await metadataOf(context);
      const [first] = Array.isArray(servers) ? servers.map(String) : [];
      if (first === undefined) throw new CheckSkipped("there is no authorization server");
      const found = await readFirst(context, metadataAddresses(first));
      demand(found !== undefined, `${first} has no metadata`);
      const methods = found["code_challenge_methods_supported"];
      const isSafe = Array.isArray(methods) && methods.includes("S256");
      demand(isSafe, `code_challenge_methods_supported is ${describeValue(methods)}`);
    },
  },
];

/** @throws CheckSkipped if the server requires no token */
async function refusalOf(context: CheckContext) {
  serverOf(context);
  const answer = await initialize(context, {}, "none");
  if (answer.status !== 401) throw new CheckSkipped("the server requires no token");
  return answer;
}

async function metadataOf(context: CheckContext): Promise<Readonly<Record<string, unknown>>> {
  const { url } = serverOf(context);
  const { headers } = await refusalOf(context);
  const [, named] = /resource_metadata="?([^",\s]+)/i.exec(headers["www-authenticate"] ?? "") ?? [];
  const { origin, pathname } = new URL(url);
  const place = `${origin}/.well-known/oauth-protected-resource`;
  const path = pathname === "/" ? "" : pathname;
  const found = await readFirst(context, named === undefined ? [place + path, place] : [named]);
  demand(found !== undefined, "it leads to none");
  return found;
}

/** The first JSON object among some addresses. */
async function readFirst(context: CheckContext, addresses: readonly string[]) {
  for (const url of addresses) {
    if (toUrl(url) === undefined) continue;
    const headers = { accept: "application/json" };
    const answer = await exchange(context, { method: "GET", url, headers, credentials: "none" });
    if (answer.status !== 200) continue;
    const value = messageIn(answer);
    if (Object.keys(value).length > 0) return value;
  }
  return undefined;
}

/** Where the metadata of an issuer may be, in the order of the specification. */
function metadataAddresses(issuer: string): readonly string[] {
  const address = toUrl(issuer);
  if (address === undefined) return [];
  const { origin, pathname } = address;
  const path = pathname.replace(/\/$/, "");
  const names = ["oauth-authorization-server", "openid-configuration"];
  const inserted = names.map((name) => `${origin}/.well-known/${name}${path}`);
  return path === ""
    ? inserted
    : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

/** Whether an address is that of a resource, or below it. */
function isWithin(url: string, resource: string): boolean {
  const [own, other] = [new URL(url), toUrl(resource)];
  if (other === undefined) return false;
  const folder = other.pathname.endsWith("/") ? other.pathname : `${other.pathname}/`;
  return own.origin === other.origin && `${own.pathname}/`.startsWith(folder);
}

function toUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
