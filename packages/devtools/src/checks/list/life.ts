import { describeValue, isObject, legacyRevisions } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { Check } from "../check.ts";
import { AGENT_REVISION, type CheckContext, initializeParams } from "../context.ts";
import { mcp, measured } from "../sources.ts";
import { CheckSkipped, demand } from "../verdict.ts";

const KNOWN: readonly string[] = Object.keys(legacyRevisions);

/** Checks of the handshake. */
export const lifeChecks: readonly Check[] = [
  {
    id: "IDE-LIFE-001",
    level: "must",
    overHttp: true,
    rule: "initialize with the id 0 is answered with protocolVersion, capabilities and serverInfo.",
    source: `${mcp("Lifecycle")}; ${measured("Handshake")}`,
    async run(context) {
      const { connection } = await context.open();
      const { message } = await connection.request("initialize", initializeParams(context.port), 0);
      const { result } = message;
      demand(isObject(result), `result is ${describeValue(result)}`);
      const { protocolVersion, capabilities, serverInfo } = result;
      const seen = describeValue(protocolVersion);
      demand(typeof protocolVersion === "string", `protocolVersion is ${seen}`);
      demand(isObject(capabilities), `capabilities is ${describeValue(capabilities)}`);
      demand(isObject(serverInfo), `serverInfo is ${describeValue(serverInfo)}`);
      for (const key of ["name", "version"]) {
        const value = serverInfo[key];
        demand(typeof value === "string", `serverInfo.${key} is ${describeValue(value)}`);
      }
      return `${describeValue(serverInfo["name"])}, MCP ${describeValue(protocolVersion)}`;
    },
  },
  {
    id: "IDE-LIFE-002",
    level: "must",
    overHttp: true,
    rule: `A client of ${AGENT_REVISION} is answered with a revision that it knows.`,
    source: measured("Handshake"),
    async run(context) {
      const server = await initialize(context);
      const { protocolVersion } = server;
      const isKnown = KNOWN.includes(String(protocolVersion));
      demand(isKnown, `it answers ${describeValue(protocolVersion)}, not ${KNOWN.join(", ")}`);
    },
  },
  {
    id: "IDE-LIFE-003",
    level: "must",
    overHttp: true,
    rule: "A revision that does not exist is not accepted: the answer is a known one, or an error.",
    source: `${mcp("Lifecycle, Version Negotiation")}; ${measured("Handshake")}`,
    async run(context) {
      const { connection } = await context.open();
      const { message } = await connection.request(
        "initialize",
        initializeParams(context.port, "1999-01-01"),
      );
      if (message.error !== undefined) return "an error";
      const version = isObject(message.result) ? message.result["protocolVersion"] : undefined;
      demand(KNOWN.includes(String(version)), `it answers ${describeValue(version)}`);
      return `it answers ${describeValue(version)}`;
    },
  },
  {
    id: "IDE-LIFE-004",
    level: "must",
    overHttp: true,
    rule: "Clients of older revisions can connect: 2024-11-05, 2025-03-26 and 2025-06-18.",
    source: `${mcp("Lifecycle, Version Negotiation")}; ${measured("Handshake")}`,
    async run(context) {
      for (const requested of KNOWN.filter((known) => known !== AGENT_REVISION)) {
        const { connection } = await context.open();
        const { result } = await connection.result(
          "initialize",
          initializeParams(context.port, requested),
        );
        const { protocolVersion } = result;
        const seen = `asked for ${requested} it answers ${describeValue(protocolVersion)}`;
        demand(KNOWN.includes(String(protocolVersion)), seen);
      }
    },
  },
  {
    id: "IDE-LIFE-005",
    level: "must",
    rule: "The capability tools is declared: without it Claude Code never asks for the tools.",
    source: measured("Handshake"),
    async run(context) {
      const server = await initialize(context);
      const { capabilities } = server;
      const names = Object.keys(Object(capabilities) as object).join(", ") || "none";
      demand(isObject(capabilities) && isObject(capabilities["tools"]), `it declares ${names}`);
    },
  },
  {
    id: "IDE-LIFE-006",
    level: "may",
    rule: "Before initialize, only ping is served.",
    source: mcp("Lifecycle, Initialization"),
    async run(context) {
      const { connection } = await context.open();
      const { message } = await connection.request("tools/list");
      demand(message.error !== undefined, "tools/list was answered with a result");
    },
  },
  {
    id: "IDE-LIFE-007",
    level: "should",
    rule: "The server's name is not Claude Code JetBrains Plugin.",
    source: measured("Diagnostics"),
    note: "With that name, Claude Code asks for no diagnostics before an edit.",
    async run(context) {
      const server = await initialize(context);
      const { serverInfo } = server;
      const name = isObject(serverInfo) ? serverInfo["name"] : undefined;
      demand(name !== "Claude Code JetBrains Plugin", `serverInfo.name is ${describeValue(name)}`);
    },
  },
  {
    id: "IDE-LIFE-008",
    level: "should",
    overHttp: true,
    rule: "server/discover is not answered with a result: an agent that gets one goes stateless and receives no selection.",
    source: "docs/clients/copilot-cli.md, Handshake",
    async run(context) {
      const { connection } = await context.open();
      const { message } = await connection.request("server/discover", {});
      demand(message.error !== undefined, "it was answered with a result");
    },
  },
  {
    id: "IDE-LIFE-009",
    level: "should",
    rule: "If prompts or resources are declared, their lists are answered with a result.",
    source: `${mcp("Lifecycle")}; ${measured("Handshake")}`,
    note: "Claude Code asks for the three lists back to back, without waiting.",
    async run(context) {
      const { connection, server } = await context.ready();
      const declared = ["prompts", "resources"].filter((name) => {
        return name in Object(server["capabilities"]);
      });
      if (declared.length === 0) throw new CheckSkipped("it declares neither");
      for (const name of declared) {
        const { result } = await connection.result(`${name}/list`);
        demand(Array.isArray(result[name]), `${name} is ${describeValue(result[name])}`);
      }
      return declared.join(", ");
    },
  },
];

/** The result of `initialize`; the answer is evidence. */
async function initialize(context: CheckContext): Promise<Params> {
  const { server, initialized } = await context.ready();
  context.cite(initialized);
  return server;
}
