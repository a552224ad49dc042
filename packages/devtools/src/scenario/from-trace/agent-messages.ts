import { isObject, isRequestId, type Params, type RawMessage } from "@idewire/core";
import type { ExpectationStep } from "../file/model.ts";
import type { Translation } from "./translation.ts";

/** Requests of the handshake: their order is the agent's own affair. */
const LISTS = new Set(["tools/list", "resources/list", "prompts/list", "resources/templates/list"]);

/** What the agent sends becomes what is expected of it. */
export function translateAgentMessage(message: RawMessage, t: number, into: Translation): void {
  const { id, method } = message;
  const params = isObject(message.params) ? message.params : undefined;
  if (typeof method !== "string") {
    into.omissions.add("the agent's answer to a request that only the recorded editor sent");
  } else if (isRequestId(id)) {
    const call = translateRequest(method, params, { t, into });
    into.pending.set(id, { method, ...call });
  } else {
    translateNotification(method, params, { t, into });
  }
}

interface At {
  readonly t: number;
  readonly into: Translation;
}

interface Request {
  readonly tool?: string;
  readonly args?: Params;
  readonly step?: ExpectationStep;
  readonly previous?: ExpectationStep;
}

function translateRequest(method: string, params: Params | undefined, { t, into }: At): Request {
  const { steps, omissions } = into;
  if (method === "initialize") {
    const info = params?.["clientInfo"];
    const name = isObject(info) ? info["name"] : undefined;
    into.agent = typeof name === "string" ? name : undefined;
    return {};
  }
  if (method === "ping") {
    omissions.add("ping: when an agent sends it is its own affair");
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

function translateCall(params: Params | undefined, { t, into }: At): Request {
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
  if (tool === "close_tab") withdraw(into, ({ tab_name }) => tab_name === args["tab_name"]);
  if (tool === "closeAllDiffTabs") withdraw(into, () => true);
  return { tool, args, step, ...(previous !== undefined && { previous }) };
}

/** The agent closes diffs that still wait. */
function withdraw({ pending }: Translation, isMeant: (args: Params) => boolean): void {
  for (const call of pending.values()) {
    if (call.tool === "openDiff" && isMeant(call.args ?? {})) call.withdrawn = true;
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
    case "notifications/cancelled": {
      const id = params?.["requestId"];
      const call = isRequestId(id) ? into.pending.get(id) : undefined;
      if (call !== undefined) call.withdrawn = true;
      // The ids of requests differ from run to run.
      steps.expect({ expect: "notification", method }, t);
      return;
    }
    default: {
      const pattern = params === undefined ? {} : { params: into.names.toPattern(params) };
      steps.expect({ expect: "notification", method, ...pattern }, t);
    }
  }
}
