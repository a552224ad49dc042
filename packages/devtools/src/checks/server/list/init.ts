import { describeValue, isObject, legacyRevisions } from "@idewire/core/internal";
import type { Check } from "../../check.ts";
import { mcp, modern } from "../../sources.ts";
import { CheckSkipped, demand } from "../../verdict.ts";
import { serverOf } from "../exchange.ts";
import { introduction } from "../server-session.ts";

const KNOWN: readonly string[] = Object.keys(legacyRevisions);

/** Checks of the first contact with a server. */
export const initChecks: readonly Check[] = [
  {
    id: "MCP-INIT-001",
    level: "must",
    rule: "A client can connect: initialize, or server/discover of 2026-07-28, is answered with a result.",
    source: `${mcp("Lifecycle, Initialization")}; ${modern("Versioning")}`,
    async run(context) {
      const sessions = await context.server.probe(context);
      return sessions.map(({ revision }) => `MCP ${revision}`).join(", ");
    },
  },
  {
    id: "MCP-INIT-002",
    level: "must",
    era: "legacy",
    rule: "The result of initialize has protocolVersion, capabilities, and serverInfo with name and version.",
    source: mcp("Lifecycle, Initialization"),
    async run(context) {
      const { established } = await context.server.session(context, "legacy");
      context.cite(established);
      const { protocolVersion, capabilities, serverInfo, instructions } = established.result;
      const seen = describeValue(protocolVersion);
      demand(typeof protocolVersion === "string", `protocolVersion is ${seen}`);
      demand(isObject(capabilities), `capabilities is ${describeValue(capabilities)}`);
      demand(isObject(serverInfo), `serverInfo is ${describeValue(serverInfo)}`);
      for (const key of ["name", "version"]) {
        const value = serverInfo[key];
        demand(typeof value === "string", `serverInfo.${key} is ${describeValue(value)}`);
      }
      const isText = instructions === undefined || typeof instructions === "string";
      demand(isText, `instructions is ${describeValue(instructions)}`);
      return `${describeValue(serverInfo["name"])} ${describeValue(serverInfo["version"])}`;
    },
  },
  {
    id: "MCP-INIT-003",
    level: "must",
    era: "legacy",
    rule: "The revision in the answer to initialize is one that exists, and has an initialize.",
    source: mcp("Lifecycle, Version Negotiation"),
    async run(context) {
      const { established, revision } = await context.server.session(context, "legacy");
      context.cite(established);
      demand(KNOWN.includes(revision), `it answers ${describeValue(revision)}`);
    },
  },
  {
    // First of the checks that open another connection, as a server for one client may exit then.
    id: "MCP-INIT-004",
    level: "should",
    era: "legacy",
    rule: "A server over HTTP takes a second client while the first one is connected.",
    source: mcp("Transports, Streamable HTTP"),
    async run(context) {
      serverOf(context);
      await context.server.session(context, "legacy");
      const { connection } = await context.open();
      await connection.result("initialize", introduction());
    },
  },
  {
    id: "MCP-INIT-005",
    level: "must",
    era: "legacy",
    rule: "A revision that does not exist is not accepted: the answer has another one, or is an error.",
    source: mcp("Lifecycle, Version Negotiation"),
    async run(context) {
      const { connection } = await context.open();
      const { message } = await connection.request("initialize", introduction("1999-01-01"));
      if (message.error !== undefined) return "an error";
      const version = isObject(message.result) ? message.result["protocolVersion"] : undefined;
      demand(version !== "1999-01-01", "it accepts 1999-01-01");
      demand(typeof version === "string", `it answers ${describeValue(version)}`);
      return `it answers ${describeValue(version)}`;
    },
  },
  {
    id: "MCP-INIT-006",
    level: "must",
    era: "legacy",
    rule: "A client that requests the revision of the server's answer is answered with the same one.",
    source: mcp("Lifecycle, Version Negotiation"),
    async run(context) {
      const { revision } = await context.server.session(context, "legacy");
      if (revision === introduction()["protocolVersion"]) return "as in the first answer";
      const { connection } = await context.open();
      const { result } = await connection.result("initialize", introduction(revision));
      const { protocolVersion } = result;
      const seen = `asked for ${revision} it answers ${describeValue(protocolVersion)}`;
      demand(protocolVersion === revision, seen);
      return revision;
    },
  },
];

/** Checks of what a server declares. */
export const capChecks: readonly Check[] = [
  {
    id: "MCP-CAP-001",
    level: "must",
    rule: "The list of each declared capability is answered with a result: tools, prompts, resources.",
    source: mcp("Lifecycle, Operation"),
    async run(context) {
      const names = ["tools", "prompts", "resources"] as const;
      const session = await context.server.session(context);
      const declared = names.filter((name) => session.declares(name));
      if (declared.length === 0) throw new CheckSkipped("it declares none of the three");
      for (const name of declared) await context.server.list(context, name);
      return declared.join(", ");
    },
  },
  {
    id: "MCP-CAP-002",
    level: "must",
    rule: "What is served is declared: the lists of undeclared capabilities are empty.",
    source: `${mcp("Tools")}; ${mcp("Prompts")}; ${mcp("Resources")}`,
    async run(context) {
      const session = await context.server.session(context);
      for (const name of ["tools", "prompts", "resources"]) {
        if (session.declares(name)) continue;
        const { message } = await session.request(`${name}/list`);
        const entries = isObject(message.result) ? message.result[name] : undefined;
        const isServed = Array.isArray(entries) && entries.length > 0;
        demand(!isServed, `${name}/list has entries, and ${name} is not declared`);
      }
    },
  },
  {
    id: "MCP-CAP-003",
    level: "must",
    era: "legacy",
    rule: "If logging is declared, logging/setLevel is answered with a result.",
    source: mcp("Utilities, Logging"),
    async run(context) {
      const session = await context.server.session(context, "legacy");
      if (!session.declares("logging")) throw new CheckSkipped("logging is not declared");
      await session.result("logging/setLevel", { level: "error" });
    },
  },
  {
    id: "MCP-CAP-004",
    level: "should",
    era: "legacy",
    rule: "A log level that does not exist is answered with the error -32602.",
    source: mcp("Utilities, Logging"),
    note: "The official SDK 1 answers -32603.",
    async run(context) {
      const session = await context.server.session(context, "legacy");
      if (!session.declares("logging")) throw new CheckSkipped("logging is not declared");
      const { message } = await session.request("logging/setLevel", { level: "loud" });
      const code = isObject(message.error) ? message.error["code"] : undefined;
      demand(
        code === -32602,
        `it was answered with ${code === undefined ? "a result" : describeValue(code)}`,
      );
    },
  },
  {
    id: "MCP-CAP-005",
    level: "must",
    era: "legacy",
    rule: "If resources.subscribe is declared, resources/subscribe and resources/unsubscribe are answered with a result.",
    source: mcp("Resources"),
    async run(context) {
      const session = await context.server.session(context, "legacy");
      const { resources } = session.capabilities;
      const isDeclared = isObject(resources) && resources["subscribe"] === true;
      if (!isDeclared) throw new CheckSkipped("resources.subscribe is not declared");
      const [first] = await context.server.entries(context, "resources");
      if (first === undefined) throw new CheckSkipped("no resource is listed");
      for (const method of ["resources/subscribe", "resources/unsubscribe"]) {
        await session.result(method, { uri: first["uri"] });
      }
    },
  },
  {
    id: "MCP-CAP-006",
    level: "must",
    since: "2025-03-26",
    rule: "If completions is declared, completion/complete is answered with at most 100 values, all strings.",
    source: mcp("Utilities, Completion"),
    async run(context) {
      const session = await context.server.session(context);
      if (!session.declares("completions")) throw new CheckSkipped("completions is not declared");
      const prompts = session.declares("prompts")
        ? await context.server.entries(context, "prompts")
        : [];
      const named = prompts.flatMap(({ name, arguments: args }) => {
        const [first] = Array.isArray(args) ? args.filter(isObject) : [];
        return first === undefined ? [] : [{ name, argument: first["name"] }];
      });
      const [wanted] = named;
      if (wanted === undefined) throw new CheckSkipped("no prompt with an argument is listed");
      const { result } = await session.result("completion/complete", {
        ref: { type: "ref/prompt", name: wanted.name },
        argument: { name: wanted.argument, value: "" },
      });
      const { completion } = result;
      const values = isObject(completion) ? completion["values"] : undefined;
      const isList = Array.isArray(values) && values.every((value) => typeof value === "string");
      demand(isList, `completion.values is ${describeValue(values)}`);
      demand(values.length <= 100, `there are ${values.length} values`);
    },
  },
];
