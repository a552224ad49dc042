/** A server on npm, and what a test needs to use it without a network. */
export interface PublishedServer {
  readonly name: string;
  readonly version: string;
  readonly bin: string;
  readonly args?: readonly string[];
  /** Variables without which it exits. */
  readonly env?: Readonly<Record<string, string>>;
  /** The transports over HTTP that its own command supports; if there are none, a gateway serves it. */
  readonly http?: readonly OverHttp[];
  /** A call with a constant answer. */
  readonly call: readonly [tool: string, args: object];
}

/** How a command serves over HTTP; `{port}` stands for the port. */
export interface OverHttp {
  readonly transport: "Streamable HTTP" | "HTTP with SSE";
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly path: "/mcp" | "/sse";
  /** The "must" rules that it breaks. */
  readonly breaks?: readonly string[];
}

/** It accepts any Origin. */
const anyOrigin = "MCP-WEB-001: it was answered with HTTP 200";
/** It answers requests of an ended session with 400 instead of 404. */
const endedIsBad = "MCP-WEB-008: a request after it was answered with HTTP 400";
/** Its process exits when a second client connects. */
const endsAtSecond =
  'MCP-INIT-004: the answer to initialize did not arrive: the server closed with 1006 "initialize at …/sse: the connection broke off: other side closed"; after it, the server stopped answering';

const streamable = { transport: "Streamable HTTP", path: "/mcp" } as const;
const sse = { transport: "HTTP with SSE", path: "/sse" } as const;

/** A gateway from stdio to HTTP, for servers that support only stdio: both transports on one port. */
export const gateway = {
  name: "mcp-proxy",
  version: "6.7.19",
  bin: "mcp-proxy",
  args: ["--host", "127.0.0.1", "--port", "{port}", "--"],
  http: [
    { ...streamable, breaks: [anyOrigin] },
    { ...sse, breaks: [anyOrigin] },
  ],
} as const;

export const publishedServers: readonly PublishedServer[] = [
  {
    name: "@modelcontextprotocol/server-everything",
    version: "2026.8.31",
    bin: "mcp-server-everything",
    http: [
      {
        ...streamable,
        args: ["streamableHttp"],
        env: { PORT: "{port}" },
        breaks: [anyOrigin, endedIsBad],
      },
      { ...sse, args: ["sse"], env: { PORT: "{port}" }, breaks: [anyOrigin] },
    ],
    call: ["get-structured-content", { location: "Chicago" }],
  },
  {
    name: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    bin: "mcp-server-filesystem",
    args: ["."],
    call: ["list_allowed_directories", {}],
  },
  {
    name: "@modelcontextprotocol/server-memory",
    version: "2026.8.31",
    bin: "mcp-server-memory",
    call: ["read_graph", {}],
  },
  {
    name: "@modelcontextprotocol/server-sequential-thinking",
    version: "2026.8.31",
    bin: "mcp-server-sequential-thinking",
    call: ["sequentialthinking", {}],
  },
  {
    name: "@upstash/context7-mcp",
    version: "4.1.1",
    bin: "context7-mcp",
    http: [
      { ...streamable, args: ["--transport", "http", "--port", "{port}"], breaks: [anyOrigin] },
    ],
    call: ["resolve-library-id", {}],
  },
  {
    name: "@playwright/mcp",
    version: "0.0.83",
    bin: "playwright-mcp",
    http: [
      { ...streamable, args: ["--port", "{port}"], breaks: [anyOrigin] },
      { ...sse, args: ["--port", "{port}"], breaks: [anyOrigin] },
    ],
    call: ["browser_navigate", {}],
  },
  {
    name: "chrome-devtools-mcp",
    version: "1.11.0",
    bin: "chrome-devtools-mcp",
    call: ["navigate_page", { type: "none" }],
  },
  {
    name: "@notionhq/notion-mcp-server",
    version: "2.5.2",
    bin: "notion-mcp-server",
    env: { NOTION_TOKEN: "ntn_none" },
    http: [
      {
        ...streamable,
        args: ["--transport", "http", "--port", "{port}", "--unsafe-disable-auth"],
        breaks: [endedIsBad],
      },
    ],
    call: ["no-such-tool", {}],
  },
  {
    name: "tavily-mcp",
    version: "0.2.22",
    bin: "tavily-mcp",
    env: { TAVILY_API_KEY: "none" },
    call: ["no-such-tool", {}],
  },
  { name: "@eslint/mcp", version: "0.3.13", bin: "mcp", call: ["lint-files", { filePaths: [] }] },
  {
    name: "mcp-server-commands",
    version: "0.5.0",
    bin: "mcp-server-commands",
    call: ["run_command", { command: "echo seen" }],
  },
  {
    name: "mcp-server-kubernetes",
    version: "4.1.7",
    bin: "mcp-server-kubernetes",
    http: [
      {
        ...streamable,
        env: { ENABLE_UNSAFE_STREAMABLE_HTTP_TRANSPORT: "1", PORT: "{port}" },
        breaks: [anyOrigin],
      },
      {
        ...sse,
        env: { ENABLE_UNSAFE_SSE_TRANSPORT: "1", PORT: "{port}" },
        breaks: [endsAtSecond],
      },
    ],
    call: ["ping", {}],
  },
  {
    name: "@antv/mcp-server-chart",
    version: "0.9.10",
    bin: "mcp-server-chart",
    http: [
      {
        ...streamable,
        args: ["--transport", "streamable", "--port", "{port}"],
        breaks: [anyOrigin, "MCP-WEB-005: it was answered with HTTP 404 text/html; charset=utf-8"],
      },
      { ...sse, args: ["--transport", "sse", "--port", "{port}"], breaks: [anyOrigin] },
    ],
    call: ["generate_pie_chart", {}],
  },
  {
    name: "@brave/brave-search-mcp-server",
    version: "2.1.4",
    bin: "brave-search-mcp-server",
    env: { BRAVE_API_KEY: "none" },
    http: [{ ...streamable, args: ["--transport", "http", "--port", "{port}"] }],
    call: ["brave_web_search", {}],
  },
  {
    name: "@cyanheads/git-mcp-server",
    version: "2.15.3",
    bin: "git-mcp-server",
    http: [
      {
        ...streamable,
        env: { MCP_TRANSPORT_TYPE: "http", MCP_HTTP_PORT: "{port}" },
        breaks: [
          anyOrigin,
          'MCP-WEB-004: the body is "null"',
          "MCP-WEB-006: it was answered with HTTP 500",
        ],
      },
    ],
    call: ["git_status", {}],
  },
];
