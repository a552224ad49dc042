import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { TracedMessage } from "../../trace/conversation/conversation.ts";
import type { AgentCall, Translation } from "./translation.ts";

/** Requests of the handshake: their order is left to the agent. */
const LISTS = new Set(["tools/list", "resources/list", "prompts/list", "resources/templates/list"]);

/** Translates messages of the agent into expectations. */
export function translateAgentMessage(message: TracedMessage, t: number, into: Translation): void {
  const { method, request, value } = message;
  const params = isObject(value.params) ? value.params : undefined;
  if (method === undefined) {
    into.omissions.add("the agent's answer to a request that only the recorded editor sent");
  } else if (request === undefined) {
    translateNotification(method, params, { t, into });
  } else {
    into.calls.set(request, translateRequest(method, params, { t, into }));
  }
}

interface At {
  readonly t: number;
  readonly into: Translation;
}

function translateRequest(method: string, params: Params | undefined, { t, into }: At): AgentCall {
  const { steps, omissions } = into;
  if (method === "initialize") {
    const info = params?.["clientInfo"];
    const name = isObject(info) ? info["name"] : undefined;
    into.agent = typeof name === "string" ? name : undefined;
    return {};
  }
  if (method === "ping") {
    omissions.add("ping: left to the agent");
    return {};
  }
  if (LISTS.has(method)) {
    return { step: steps.expect({ expect: "request", method, order: "any" }, t) };
  }
  if (method === "tools/call") return translateCall(params, { t, into });
  const { _meta: _, ...rest } = params ?? {};
  const isBare = Object.keys(rest).length === 0;
  const pattern = isBare ? {} : { params: into.names.toPattern(rest) };
  return { step: steps.expect({ expect: "request", method, ...pattern }, t) };
}

function translateCall(params: Params | undefined, { t, into }: At): AgentCall {
  const tool = params?.["name"];
  if (typeof tool !== "string" || tool === "" || tool.length > 200) {
    into.omissions.add("tools/call: it names no tool");
    return {};
  }
  const args = isObject(params?.["arguments"]) ? params["arguments"] : {};
  const pattern = into.names.toPattern(args);
  const step = into.steps.expect({ expect: "call", tool, arguments: pattern }, t);
  const previous = into.lastCalls.get(tool);
  into.lastCalls.set(tool, step);
  if (into.phase !== "connecting") into.enter("busy", t);
  if (tool === "close_tab") cancelDiffs(into, ({ tab_name }) => tab_name === args["tab_name"]);
  if (tool === "closeAllDiffTabs") cancelDiffs(into, () => true);
  return { args, step, ...(previous !== undefined && { previous }) };
}

/** The agent closes pending diffs. */
function cancelDiffs({ calls }: Translation, matches: (args: Params) => boolean): void {
  for (const [{ tool }, call] of calls) {
    if (tool === "openDiff" && matches(call.args ?? {})) call.cancelled = true;
  }
}

function translateNotification(method: string, params: Params | undefined, { t, into }: At): void {
  const { steps } = into;
  switch (method) {
    case "notifications/initialized": {
      const agent = into.agent === undefined ? {} : { agent: { name: into.agent } };
      steps.expect({ expect: "initialized", ...agent }, t);
      into.enter("initialized", t);
      return;
    }
    case "ide_connected":
      steps.expect({ expect: "notification", method, order: "any" }, t);
      return;
    case "notifications/progress":
      into.omissions.add("progress: how often it is reported differs from run to run");
      return;
    case "notifications/cancelled":
      // The ids of requests differ from run to run.
      steps.expect({ expect: "notification", method }, t);
      return;
    default: {
      const pattern = params === undefined ? {} : { params: into.names.toPattern(params) };
      steps.expect({ expect: "notification", method, ...pattern }, t);
    }
  }
}
