import { bridgeFigure } from "./own/bridge.ts";
import { commandFigure } from "./own/command.ts";
import { importCore, importNodeServer } from "./own/imports.ts";
import { manyAgentsFigure } from "./own/many-agents.ts";
import { lighthouseFigure, pageFigure } from "./own/page.ts";
import { firstViewSize, pageSize, pluginSize } from "./own/shipped.ts";
import { type Sources, sizesOf } from "./own/sizes.ts";
import { instantiationsOf } from "./own/types.ts";
import { selectionFigure, vaultFigure } from "./own/vault.ts";
import type { Contestant, Ratio, Row } from "./row.ts";

/** Contestants without session handling: generation 1 of the SDK leaves it to its user, generation 2 has none. */
const withoutSessions: readonly Contestant[] = ["floor", "sdk-v1", "sdk-v2"];

/** The budgets of speed and size, and their measurement. */
export const rows: readonly Row[] = [
  ratioRow("mem-1", "call in memory, 1 in flight", 1.15, ratio("memory", { inFlight: 1 })),
  ratioRow("mem-64", "call in memory, 64 in flight", 1.15, ratio("memory", { inFlight: 64 })),
  ratioRow("ws-1", "call over ws, 1 in flight", 1.12, ratio("ws", { inFlight: 1 })),
  ratioRow("ws-64", "call over ws, 64 in flight", 0.5, ratio("ws", { inFlight: 64 })),
  ratioRow("stdio-1", "call over stdio, 1 in flight", 1.15, ratio("stdio", { inFlight: 1 })),
  ratioRow("stdio-64", "call over stdio, 64 in flight", 0.7, ratio("stdio", { inFlight: 64 })),
  ...httpRows(),
  ...clientRows(),
  ...fanOutRows(),
  goal(ratioRow("list-12", "tools/list, 12 tools", 0.9, ratio("list", { toolCount: 12 }))),
  goal(ratioRow("list-500", "tools/list, 500 tools", 0.8, ratio("list", { toolCount: 500 }))),
  goal(ratioRow("diff-1m", "openDiff, 1 MB", 1.1, ratio("openDiff", { size: 1_000_000 }))),
  goal(ratioRow("diff-10m", "openDiff, 10 MB", 1.1, ratio("openDiff", { size: 10_000_000 }))),
  goal(
    ratioRow(
      "diff-code",
      "openDiff, 1 MB of code",
      1.1,
      ratio("openDiff", { size: 1_000_000, code: 1 }),
    ),
  ),
  ...anchorRows(),
  ratioRow("malformed-cpu", "a malformed frame", 1, ratio("malformed", {})),
  {
    id: "malformed-answered",
    title: "malformed kinds answered",
    unit: "of 11",
    budget: { limit: 11, atLeast: true },
    mustHold: true,
    how: { kind: "value", workload: "malformed", optionsOf: () => ({}) },
  },
  {
    id: "stalled",
    title: "growth: one client never reads 200 MB",
    unit: "MB",
    budget: { limit: 16 },
    mustHold: true,
    how: { kind: "value", workload: "stalledClient", optionsOf: () => ({}) },
  },
  {
    id: "heap",
    title: "heap of an idle connection",
    unit: "kB",
    budget: { limit: 6 },
    mustHold: true,
    how: {
      kind: "value",
      workload: "idleConnections",
      // A server of the SDK uses a hundred times as much memory, so fewer suffice.
      optionsOf: (name) => ({ connections: name.startsWith("sdk") ? 300 : 2_000 }),
    },
  },
  goal(
    ratioRow("start-listen", "listen, discovery file, close", 1.2, {
      ...ratio("warmStart", {}),
      without: ["sdk-v1", "sdk-v2"],
    }),
  ),
  goal(ratioRow("start-connect", "connect, initialize, close", 1.3, ratio("connect", {}))),
  importRow("import-core", "import core, over bare node", 10, importCore),
  importRow("import-node", "import node-server, over ws", 15, importNodeServer),
  commandRow("command-version", ["--version"]),
  commandRow("command-select", ["select", "plan.md", "1"]),
  commandRow("command-mention", ["mention", "plan.md"]),
  sizeRow("size-peer", "bundle: JSON-RPC peer", 4, {
    idewire: 'export { Peer } from "@idewire/core/rpc"',
  }),
  sizeRow("size-client", "bundle: MCP client", 8, {
    idewire: 'export { McpClient } from "@idewire/core/client"',
    "sdk-v1": 'export { Client } from "@modelcontextprotocol/sdk/client/index.js"',
    "sdk-v2": 'export { Client } from "@modelcontextprotocol/client"',
  }),
  sizeRow("size-server", "bundle: IDE server with its tools", 15, {
    idewire: 'export { createIdeServer, claudeCode } from "@idewire/core"',
    "sdk-v1": 'export { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"',
    "sdk-v2": 'export { McpServer } from "@modelcontextprotocol/server"',
  }),
  {
    id: "types-200",
    title: "types of 200 tools with zod",
    unit: "thousand",
    budget: { limit: 130 },
    mustHold: true,
    how: { kind: "own", measure: instantiationsOf },
  },
  shippedRow("size-plugin", "Obsidian plugin, minified", 450, pluginSize),
  shippedRow("size-view", "playground's first view, gzip", 48, firstViewSize),
  shippedRow("size-page", "all of the playground, gzip", 260, pageSize),
  {
    id: "selection",
    title: "from a selection to the agent's frame",
    unit: "ms",
    budget: { limit: 100 },
    mustHold: false,
    how: { kind: "own", measure: selectionFigure },
  },
  {
    id: "agents-32",
    title: "from a selection to the last of 32 agents",
    unit: "ms",
    budget: { limit: 100 },
    mustHold: true,
    how: { kind: "own", measure: manyAgentsFigure },
  },
  {
    id: "bridge-selection",
    title: "from a selection to the bridge's client",
    unit: "ms",
    budget: { limit: 200 },
    mustHold: true,
    how: { kind: "own", measure: bridgeFigure },
  },
  pageRow("page-first", "page: its first frame", 500, "firstFrameMs"),
  pageRow("page-task", "page: longest task in a flood", 50, "floodTaskMs"),
  { ...pageRow("page-heap", "page: heap that 120 diffs leave", 10, "diffsHeapMb"), unit: "MB" },
  {
    ...pageRow("page-axe", "page: rules of axe broken", 0, "axeComplaints"),
    unit: "rules",
    mustHold: true,
  },
  lighthouseRow("page-desktop", "Lighthouse, desktop, lowest score", "desktop"),
  lighthouseRow("page-phone", "Lighthouse, phone, lowest score", "phone"),
  vaultRow("vault-onload", "10,000 notes: onload", 20, "onloadMs"),
  vaultRow("vault-start", "10,000 notes: delay of the layout", 50, "readyMs"),
  vaultRow("vault-check", "10,000 notes: check all", 5_000, "tookMs"),
  vaultRow("vault-cpu", "10,000 notes: check all, CPU", 3_000, "cpuMs"),
  vaultRow("vault-again", "10,000 notes: check again", 500, "againMs"),
  vaultRow("vault-task", "10,000 notes: longest task", 50, "longestMs"),
  vaultRow("vault-key", "10,000 notes: key to picture", 50, "keyMs"),
  { ...vaultRow("vault-held", "10,000 notes: report held", 5, "heldMb"), unit: "MB" },
  { ...vaultRow("vault-left", "10,000 notes: report closed", 1, "leftMb"), unit: "MB" },
];

/** These take minutes, so they run only on request. */
export const soakRows: readonly Row[] = [
  {
    id: "soak",
    title: "growth from call 100,000 to 1,000,000",
    unit: "MB",
    budget: { limit: 10 },
    mustHold: true,
    how: { kind: "value", workload: "soak", optionsOf: () => ({}) },
  },
  httpValueRow("soak-http", "growth by 100,000 requests over HTTP", 10, "httpSoak"),
  httpValueRow("soak-sessions", "growth by 10,000 sessions left open", 10, "sessionSoak"),
  {
    id: "idle-5000",
    title: "RSS of one of 5,000 idle connections",
    unit: "kB",
    budget: { limit: 16 },
    mustHold: false,
    how: {
      kind: "value",
      workload: "idleConnections",
      optionsOf: (name) => ({ connections: name.startsWith("sdk") ? 1_000 : 5_000, resident: 1 }),
    },
  },
];

function fanOutRows(): readonly Row[] {
  const sizes = [
    { name: "100", title: "100 B", size: 100 },
    { name: "10k", title: "10 kB", size: 10_000 },
    { name: "1m", title: "1 MB", size: 1_000_000 },
  ];
  return [1, 10, 100].flatMap((clients) =>
    sizes.map(({ name, title, size }) =>
      ratioRow(
        `fan-${clients}-${name}`,
        `selection of ${title} to ${clients} ${clients === 1 ? "client" : "clients"}`,
        1.2,
        ratio("fanOut", { clients, size }),
      ),
    ),
  );
}

/** The comments of a long source after one edit, and after a rewrite of the whole. */
function anchorRows(): readonly Row[] {
  const without: readonly Contestant[] = ["sdk-v1", "sdk-v2"];
  const edited = { functions: 1_250, comments: 1_000, isRewritten: 0 };
  const rewritten = { functions: 1_500, comments: 1_000, isRewritten: 1 };
  const how = (options: Ratio["options"]): Ratio => ({ ...ratio("anchors", options), without });
  return [
    ratioRow("anchors-edit", "1,000 comments after an edit", 7, how(edited)),
    ratioRow("anchors-rewrite", "1,000 comments after a rewrite", 25, how(rewritten)),
    {
      id: "anchors-memory",
      title: "memory of that rewrite at most",
      unit: "MB",
      budget: { limit: 120 },
      mustHold: true,
      how: { kind: "value", workload: "anchors", optionsOf: () => rewritten, without },
    },
  ];
}

function ratio(workload: string, options: Ratio["options"]): Ratio {
  return { kind: "ratio", workload, options };
}

/** In a session, in the modern era, and as a stream with one event of progress; and the memory of a session. */
function httpRows(): readonly Row[] {
  const calls = [1, 32].flatMap((inFlight) => {
    const over = (options: Ratio["options"], ...without: Contestant[]): Ratio => ({
      ...ratio("http", { inFlight, ...options }),
      without,
    });
    const title = (what: string) => `call over HTTP, ${what}, ${inFlight} in flight`;
    return [
      ratioRow(`http-${inFlight}`, title("a session"), 1.2, over({})),
      // Generation 1 of the SDK does not support that era.
      ratioRow(`http-modern-${inFlight}`, title("modern"), 1.2, over({ modern: 1 }, "sdk-v1")),
      ratioRow(`http-sse-${inFlight}`, title("a stream"), 1.3, over({ progress: 1 })),
      // The SDKs have no shared store.
      goal(
        ratioRow(
          `http-redis-${inFlight}`,
          title("a session in Redis"),
          2,
          over({ shared: 1 }, "sdk-v1", "sdk-v2"),
        ),
      ),
    ];
  });
  const heap = httpValueRow("http-heap", "heap of an idle session over HTTP", 3, "idleSessions");
  return [...calls, { ...heap, unit: "kB" }];
}

function httpValueRow(id: string, title: string, limit: number, workload: string): Row {
  const how = { kind: "value", workload, optionsOf: () => ({}), without: withoutSessions } as const;
  return { id, title, unit: "MB", budget: { limit }, mustHold: true, how };
}

/** Only the client, in a session and in the modern era. */
function clientRows(): readonly Row[] {
  return [1, 32].flatMap((inFlight) => {
    const title = (era: string) => `client over HTTP, ${era}, ${inFlight} in flight`;
    const session = ratio("httpClient", { inFlight });
    const modern = ratio("httpClient", { inFlight, modern: 1 });
    return [
      ratioRow(`client-${inFlight}`, title("a session"), 1.3, session),
      ratioRow(`client-modern-${inFlight}`, title("modern"), 1.3, {
        ...modern,
        without: ["sdk-v1"],
      }),
    ];
  });
}

function ratioRow(id: string, title: string, limit: number, how: Ratio): Row {
  return { id, title, unit: "ratio", budget: { limit }, mustHold: true, how };
}

function goal(row: Row): Row {
  return { ...row, mustHold: false };
}

function importRow(id: string, title: string, limit: number, measure: typeof importCore): Row {
  return {
    id,
    title,
    unit: "ms",
    budget: { limit },
    mustHold: false,
    how: { kind: "own", measure },
  };
}

/** The CPU time of a command over that of `node -e 0`. */
function commandRow(id: string, args: readonly string[]): Row {
  const how = { kind: "own", measure: () => commandFigure(args) } as const;
  const title = `idewire ${args[0]}, over node -e 0`;
  return { id, title, unit: "ratio", budget: { limit: 2.3 }, mustHold: false, how };
}

function shippedRow(id: string, title: string, limit: number, measure: typeof pluginSize): Row {
  const how = { kind: "own", measure } as const;
  return { id, title, unit: "kB", budget: { limit }, mustHold: false, how };
}

function pageRow(
  id: string,
  title: string,
  limit: number,
  name: Parameters<typeof pageFigure>[0],
): Row {
  const how = { kind: "own", measure: () => pageFigure(name) } as const;
  return { id, title, unit: "ms", budget: { limit }, mustHold: false, how };
}

function lighthouseRow(
  id: string,
  title: string,
  name: Parameters<typeof lighthouseFigure>[0],
): Row {
  const how = { kind: "own", measure: () => lighthouseFigure(name) } as const;
  const budget = { limit: 95, atLeast: true } as const;
  return { id, title, unit: "of 100", budget, mustHold: false, how };
}

function vaultRow(
  id: string,
  title: string,
  limit: number,
  name: Parameters<typeof vaultFigure>[0],
): Row {
  const how = { kind: "own", measure: () => vaultFigure(name) } as const;
  return { id, title, unit: "ms", budget: { limit }, mustHold: false, how };
}

function sizeRow(id: string, title: string, limit: number, sources: Sources): Row {
  const measure = (settings: Parameters<typeof sizesOf>[1]) => sizesOf(sources, settings);
  return {
    id,
    title,
    unit: "kB",
    budget: { limit },
    mustHold: true,
    how: { kind: "own", measure },
  };
}
