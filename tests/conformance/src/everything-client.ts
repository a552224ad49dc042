// The client under test of the official suite: `everything-client.js <url>`. It behaves as a user of our
// libraries would with any server: it connects, logs in if required, and calls every tool.
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
/** The settings that the suite passes to a client. */
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");

/** The key of a client that authenticates by signatures. */
async function givenKey(pem: string): Promise<CryptoKey> {
  const bytes = Buffer.from(pem.replace(/-----[^-]+-----/g, ""), "base64");
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  return crypto.subtle.importKey("pkcs8", bytes, algorithm, false, ["sign"]);
}

/** The issuer, which a user would configure: the suite passes credentials without it. */
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

/** The assertion of an employer's identity provider, or of the workload's platform. */
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

/** The arguments that the suite passes, or else some that the schema accepts. */
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

/** A person reads the list of skills, and loads one unless the scenario is about the list alone. */
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
    // The suite starts all clients at once: on a slow machine servers answer late.
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
