import { describeValue, isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../context.ts";
import { modern } from "../../sources.ts";
import { CheckSkipped, demand } from "../../verdict.ts";
import { describeAnswer, type ServerListName, serverLists } from "../checked-server.ts";
import { requestMeta } from "../server-session.ts";
import { codeOf, receivedIn } from "./messages.ts";

/** Checks of the revision without a handshake. */
export const modernChecks: readonly Check[] = [
  {
    id: "MCP-MOD-001",
    level: "must",
    era: "modern",
    rule: "The result of server/discover has supportedVersions, capabilities, ttlMs and cacheScope.",
    source: `${modern("Versioning")}; ${modern("Schema")}`,
    async run(context) {
      const { established } = await context.server.session(context, "modern");
      context.cite(established);
      const { supportedVersions: versions, capabilities } = established.result;
      const isList = Array.isArray(versions) && versions.every((each) => typeof each === "string");
      demand(isList, `supportedVersions is ${describeValue(versions)}`);
      demand(isObject(capabilities), `capabilities is ${describeValue(capabilities)}`);
      demandCache(established.result, "server/discover");
      return (versions as readonly string[]).join(", ");
    },
  },
  {
    id: "MCP-MOD-002",
    level: "must",
    era: "modern",
    rule: "Every result has a resultType.",
    source: modern("Schema"),
    async run(context) {
      for (const { method, result } of await resultsOf(context)) {
        const { resultType } = result;
        demand(typeof resultType === "string", `that of ${method} is ${describeValue(resultType)}`);
      }
    },
  },
  {
    id: "MCP-MOD-003",
    level: "must",
    era: "modern",
    rule: "Lists have ttlMs, a whole number from 0, and the cacheScope public or private.",
    source: modern("Schema"),
    async run(context) {
      const results = await resultsOf(context);
      for (const { method, result } of results) demandCache(result, method);
    },
  },
  {
    id: "MCP-MOD-004",
    level: "must",
    era: "modern",
    rule: "A revision that does not exist is refused with the error -32022, whose data has supported and requested.",
    source: modern("Versioning"),
    async run(context) {
      // As the first request: a server may rely on those before.
      const { connection } = await context.open();
      const params = { _meta: requestMeta("1999-01-01") };
      const answer = await connection.request("server/discover", params);
      const { error } = answer.message;
      demand(codeOf(error) === -32022, `it was answered with ${describeAnswer(answer)}`);
      const data = isObject(error) && isObject(error["data"]) ? error["data"] : {};
      const { supported, requested } = data;
      demand(Array.isArray(supported), `supported is ${describeValue(supported)}`);
      demand(requested === "1999-01-01", `requested is ${describeValue(requested)}`);
    },
  },
  {
    id: "MCP-MOD-005",
    level: "must",
    era: "modern",
    rule: "A request whose _meta has no clientCapabilities is answered with the error -32602.",
    source: modern("Basic"),
    async run(context) {
      const { connection } = await context.open();
      const { "io.modelcontextprotocol/clientCapabilities": _, ...meta } = requestMeta();
      const answer = await connection.request("server/discover", { _meta: meta });
      const isRefused = codeOf(answer.message.error) === -32602;
      demand(isRefused, `it was answered with ${describeAnswer(answer)}`);
    },
  },
  {
    id: "MCP-MOD-006",
    level: "must",
    era: "modern",
    rule: "An unknown method is answered with the error -32601.",
    source: modern("Basic"),
    async run(context) {
      const session = await context.server.session(context, "modern");
      const answer = await session.request("idewire/nothing");
      const isRefused = codeOf(answer.message.error) === -32601;
      demand(isRefused, `it was answered with ${describeAnswer(answer)}`);
    },
  },
  {
    id: "MCP-MOD-007",
    level: "must",
    era: "modern",
    rule: "Reading a resource that does not exist is answered with the error -32602.",
    source: modern("Key Changes"),
    async run(context) {
      const session = await context.server.session(context, "modern");
      if (!session.declares("resources")) throw new CheckSkipped("resources is not declared");
      const uri = "idewire-check://nowhere/nothing";
      const answer = await session.request("resources/read", { uri });
      const isRefused = codeOf(answer.message.error) === -32602;
      demand(isRefused, `it was answered with ${describeAnswer(answer)}`);
    },
  },
  {
    id: "MCP-MOD-008",
    level: "must",
    era: "modern",
    rule: "The server sends no requests, and no log messages that were not requested.",
    source: modern("Basic"),
    async run(context) {
      const { connection } = await context.server.session(context, "modern");
      const frames = receivedIn(context).filter(({ ch }) => ch === connection.ch);
      for (const { message, n } of connection.received) {
        const { method, id } = message;
        const isRequest = method !== undefined && id !== undefined;
        const isWrong = isRequest || method === "notifications/message";
        if (isWrong) context.cite(n);
        demand(!isWrong, `it sent ${describeValue(method)}`);
      }
      return `${frames.length} messages`;
    },
  },
];

/** The first page of each declared list. */
async function resultsOf(context: CheckContext) {
  const session = await context.server.session(context, "modern");
  const names = (Object.keys(serverLists) as readonly ServerListName[]).filter((name) => {
    return name !== "resourceTemplates" && session.declares(serverLists[name].capability);
  });
  if (names.length === 0) throw new CheckSkipped("the server declares no lists");
  const results: { readonly method: string; readonly result: Params }[] = [];
  for (const name of names) {
    const { method } = serverLists[name];
    const { result } = await session.result(method);
    results.push({ method, result });
  }
  return results;
}

function demandCache({ ttlMs, cacheScope }: Params, method: string): void {
  const isTime = Number.isInteger(ttlMs) && Number(ttlMs) >= 0;
  demand(isTime, `ttlMs of ${method} is ${describeValue(ttlMs)}`);
  const isScope = cacheScope === "public" || cacheScope === "private";
  demand(isScope, `cacheScope of ${method} is ${describeValue(cacheScope)}`);
}
