// The client under test of the official suite: `everything-client.js <url>`. It does what a user of our
// libraries would do with any server: connect, log in where that is wanted, call every tool.
import {
  elicitation,
  listSkills,
  loadSkill,
  McpClient,
  Roots,
  sampling,
  type ToolDescription,
} from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import type { OpenRedirectTarget } from "@idewire/http/internal";
import {
  createDpop,
  createMemoryStore,
  createOAuth,
  exchangeIdToken,
  type OAuthOptions,
  type RequestAssertion,
} from "@idewire/http/oauth";

/** A person with a browser that follows one redirect. */
const openRedirectTarget: OpenRedirectTarget = async () => ({
  uri: "http://127.0.0.1:8414/callback",
  async visit(authorizationUrl) {
    const response = await fetch(authorizationUrl, { redirect: "manual" });
    return response.headers.get("location") ?? "";
  },
  async close() {},
});

const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
/** What the suite hands to a user. */
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");

/** The key of a client that proves by signatures who it is. */
async function givenKey(pem: string): Promise<CryptoKey> {
  const bytes = Buffer.from(pem.replace(/-----[^-]+-----/g, ""), "base64");
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  return crypto.subtle.importKey("pkcs8", bytes, algorithm, false, ["sign"]);
}

/** The issuer that a user would state: the suite hands out credentials without it. */
async function lookUpIssuer({ origin, pathname }: URL): Promise<string> {
  for (const path of [pathname, ""]) {
    const response = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
    if (!response.ok) continue;
    const metadata = (await response.json()) as { readonly authorization_servers: [string] };
    return metadata.authorization_servers[0];
  }
  return origin;
}

async function givenCredentials(): Promise<Partial<OAuthOptions>> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  if (typeof clientId !== "string") return {};
  const { private_key_pem: pem } = context;
  const client = { clientId, ...(typeof clientSecret === "string" && { clientSecret }) };
  const isMachine = scenario.includes("client-credentials");
  const key = typeof pem === "string" && { privateKey: await givenKey(pem) };
  const issuer = await lookUpIssuer(new URL(process.argv[2] ?? ""));
  if (isMachine) return { clientCredentials: { issuer, ...client, ...key } };
  const identityAssertion = givenAssertion();
  return { clients: { [issuer]: client }, ...(identityAssertion && { identityAssertion }) };
}

/** What an employer's identity provider, or the platform of a workload, gives. */
function givenAssertion(): RequestAssertion | undefined {
  const {
    idp_issuer: idp,
    idp_client_id: clientId,
    idp_id_token: idToken,
    valid_jwt: jwt,
  } = context;
  if (idp !== undefined) return exchangeIdToken({ idp, clientId, idToken: () => idToken });
  return jwt === undefined ? undefined : () => jwt;
}

/** Arguments that the suite hands to a user, else such as a schema takes. */
function argumentsOf(
  { name: tool, inputSchema }: ToolDescription,
  [first]: readonly ToolDescription[],
): Readonly<Record<string, unknown>> {
  const calls: readonly { name: string; arguments: Record<string, unknown> }[] =
    context.toolCalls ?? [];
  const given = calls.find(({ name }) => name === tool);
  if (given !== undefined) return given.arguments;
  const properties = (inputSchema["properties"] ?? {}) as Record<string, { type?: string }>;
  const object = first?.inputSchema;
  const values: Readonly<Record<string, unknown>> = {
    number: 2,
    integer: 2,
    boolean: true,
    object,
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = "" }]) => [name, values[type] ?? "text"]),
  );
}

/** A person looks at the list of skills, and loads one unless they wanted to see the list alone. */
async function useSkills(client: McpClient): Promise<void> {
  const [entry] = await listSkills(client);
  if (entry === undefined || scenario.endsWith("no-prefetch")) return;
  const skill = await loadSkill(client, entry, { parseFrontmatter });
  for (const { uri } of entry.resources) await skill.read(uri);
}

/** Enough of YAML for the skills of the suite. */
function parseFrontmatter(yaml: string): unknown {
  const lines = yaml.trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
}

async function main(url: string): Promise<void> {
  const authorization = createOAuth({
    url,
    store: createMemoryStore(),
    openRedirectTarget,
    clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
    dpop: createDpop(),
    ...(await givenCredentials()),
  });
  const open = () => createHttpTransport(url, { authorization });
  const client = await McpClient.connect(open, {
    name: "idewire-everything-client",
    version: "1.0.0",
    // All clients of the suite start at once: on a slow machine silence means nothing for longer than by default.
    probeTimeoutMs: 60_000,
    features: [
      elicitation({ form: ({ defaults }) => ({ action: "accept", content: defaults }) }),
      sampling(() => ({
        role: "assistant",
        content: { type: "text", text: "4" },
        model: "none",
      })),
      new Roots(() => [{ uri: "file:///workspace" }]),
    ],
  });
  if (client.server.capabilities["extensions"] !== undefined) await useSkills(client);
  const hasTools = Object.hasOwn(client.server.capabilities, "tools");
  const tools = hasTools ? await client.listTools() : [];
  for (const tool of tools) await client.callTool(tool.name, argumentsOf(tool, tools));
  await client.close();
}

await main(process.argv[2] ?? "");
