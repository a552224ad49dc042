/** A source of a rule or a field, and where to read it. */
export interface SourceLink {
  readonly text: string;
  /** Absolute, or relative to the page for files of this repository; missing when there is none. */
  readonly url?: string;
}

const MCP = "https://modelcontextprotocol.io/specification";
const NEWEST = "2025-11-25";
const RPC = "https://www.jsonrpc.org/specification";

const rpcSections: Readonly<Record<string, string>> = {
  "4": "#request_object",
  "4.1": "#notification",
  "4.2": "#parameter_structures",
  "5": "#response_object",
  "5.1": "#error_object",
  "6": "#batch",
};

/** Of docs/clients, by the names that the pages beside the playground have. */
const clientPages: Readonly<Record<string, string>> = {
  "claude-code": "measured",
  "copilot-cli": "copilot-cli",
};

/** By the text after `MCP, `, without the `Base / ` of the basic protocol. */
const mcpPages: Readonly<Record<string, string>> = {
  Authorization: "/basic/authorization",
  Basic: "/basic",
  Schema: "/schema",
  "Key Changes": "/changelog",
  Messages: "/basic#messages",
  Batching: "/basic#batching",
  Lifecycle: "/basic/lifecycle",
  "Lifecycle / Initialization": "/basic/lifecycle#initialization",
  "Lifecycle / Operation": "/basic/lifecycle#operation",
  "Lifecycle / Shutdown": "/basic/lifecycle#shutdown",
  "Lifecycle / Version Negotiation": "/basic/lifecycle#version-negotiation",
  "Patterns / Subscriptions": "/basic/patterns/subscriptions",
  Ping: "/basic/utilities/ping",
  Prompts: "/server/prompts",
  Resources: "/server/resources",
  "Streamable HTTP": "/basic/transports/streamable-http",
  Tools: "/server/tools",
  "Tools / Data Types": "/server/tools#data-types",
  "Tools / Error Handling": "/server/tools#error-handling",
  Transports: "/basic/transports",
  "Transports / Protocol Version Header": "/basic/transports#protocol-version-header",
  "Transports / Session Management": "/basic/transports#session-management",
  "Transports / stdio": "/basic/transports#stdio",
  "Transports / Streamable HTTP": "/basic/transports#streamable-http",
  "Transports / Security Warning": "/basic/transports#security-warning",
  "Utilities / Cancellation": "/basic/utilities/cancellation",
  "Utilities / Completion": "/server/utilities/completion",
  "Utilities / Logging": "/server/utilities/logging",
  "Utilities / Pagination": "/server/utilities/pagination",
  "Utilities / Ping": "/basic/utilities/ping",
  "Utilities / Progress": "/basic/utilities/progress",
  "Utilities / Tasks": "/basic/utilities/tasks",
  Versioning: "/basic/versioning",
};

/**
 * The sources of a rule, a field or a problem, each with its address.
 * @param source as in the catalogue and the problems, several separated by `; `
 * @param subject the tool or the notification that it is about
 */
export function toSourceLinks(source: string, subject?: string): readonly SourceLink[] {
  return source.split("; ").map((text) => {
    const url = urlOf(text, subject);
    return { text, ...(url !== undefined && { url }) };
  });
}

function urlOf(text: string, subject: string | undefined): string | undefined {
  const rpc = /^JSON-RPC 2\.0(?:, (?:section )?(\d(?:\.\d)?))?/.exec(text);
  if (rpc !== null) return `${RPC}${rpcSections[rpc[1] ?? ""] ?? ""}`;
  const rfc = /^RFC (\d+)(?:, (?:section )?(\d+(?:\.\d+)*))?/.exec(text);
  if (rfc !== null) {
    const section = rfc[2] === undefined ? "" : `#section-${rfc[2]}`;
    return `https://www.rfc-editor.org/rfc/rfc${rfc[1]}${section}`;
  }
  const [, client, section = ""] = /^docs\/clients\/([\w-]+)\.md, (.*)$/.exec(text) ?? [];
  if (client !== undefined) return `docs/${clientPages[client]}.html#${slug(section)}`;
  const weakness = weaknessUrl(text);
  if (weakness !== undefined) return weakness;
  const mcp = /^MCP(?: (\d{4}-\d\d-\d\d))?, (?:Base \/ )?(.*)$/.exec(text);
  if (mcp !== null) return `${MCP}/${mcp[1] ?? NEWEST}${mcpPage(mcp[2] ?? "")}`;
  if (
    /^Claude Code(?! plugins)|extensions/.test(text) &&
    subject !== undefined &&
    isOurName(subject)
  ) {
    return `docs/claude-code.html#${subject.toLowerCase()}`;
  }
  return /^(?:JetBrains|Neovim) plugin|^Claude Code|^docs\/reference\/seeds\.md/i.test(text)
    ? "docs/seeds.html"
    : undefined;
}

function weaknessUrl(text: string): string | undefined {
  if (/^CVE-\d{4}-\d+$/.test(text)) return `https://nvd.nist.gov/vuln/detail/${text}`;
  const kind = /^CWE-(\d+)$/.exec(text)?.[1];
  return kind === undefined ? undefined : `https://cwe.mitre.org/data/definitions/${kind}.html`;
}

/** The anchor of a heading, as on GitHub and on the pages beside the playground. */
function slug(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}

/** The page of a heading that is not known by itself. */
function mcpPage(words: string): string {
  const name = words.replace(/ since .*/, "").replaceAll(", ", " / ");
  const [page = ""] = name.split(" / ");
  const known = mcpPages[name] ?? mcpPages[page];
  return known ?? `/${name.toLowerCase().replaceAll(" / ", "/").replaceAll(" ", "-")}`;
}

/** Tools and notifications of an IDE dialect have sections of their own; MCP's methods do not. */
function isOurName(subject: string): boolean {
  return /^[a-zA-Z_]+$/.test(subject) && subject !== "initialize";
}

const sections: Readonly<Record<string, string>> = {
  s0: "JetBrains plugin",
  s1: "Neovim plugin",
  s2: "Claude Code plugins",
  cli: "Claude Code 2.1.330 as measured",
};

/** The id of a requirement in words: `cli:notifications:clear` has its section in it. */
export function describeSource(id: string): string {
  const [, from = "", section, what = ""] = /^(s\d|cli):(?:([^:]+):)?(.*)$/.exec(id) ?? [];
  const name = sections[from];
  if (name === undefined) return id;
  const place = section === undefined ? name : `${name}, ${section}`;
  return `${place}: ${what}`.replaceAll("-", " ");
}
