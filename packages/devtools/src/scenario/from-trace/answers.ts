import { isObject, type RawMessage } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { textsOf } from "../../texts-of.ts";
import type { TracedRequest } from "../../trace/conversation/conversation.ts";
import { exactJson } from "../../trace/exact-json.ts";
import type { ScenarioActions } from "../file/model.ts";
import { translateDiagnostics } from "./diagnostics.ts";
import type { AgentCall, Translation } from "./translation.ts";

/** Tools whose answers only confirm. */
const ACKNOWLEDGED = new Set(["close_tab", "closeAllDiffTabs"]);

type Texts = ReturnType<typeof textsOf>;

interface At {
  readonly t: number;
  readonly into: Translation;
}

type AnsweredCall = TracedRequest & AgentCall;

/** Translates the answer to a call: the person's decision, or the editor's state at that time. */
export function translateAnswer(call: AnsweredCall, message: RawMessage, at: At): void {
  const { omissions } = at.into;
  const { tool, cancelled } = call;
  if (message.error !== undefined) {
    refuse(call, message, at);
    return;
  }
  const result = isObject(message.result) ? message.result : {};
  if (tool === undefined) {
    noteTools(call, result, at);
    return;
  }
  const texts = textsOf(result["content"]);
  if (result["isError"] === true) {
    fail(call, texts.filter((text) => text !== undefined).join("\n"), at);
    return;
  }
  if (tool === "openDiff") {
    if (cancelled !== true) answerDiff(call, texts, at);
  } else if (tool === "getDiagnostics") {
    setDiagnostics(call, texts[0], at);
  } else if (!ACKNOWLEDGED.has(tool)) {
    omissions.add(`the answer of ${tool}: the simulated editor gives its own`);
  }
}

/** Notes the tools that the editor lacks; a list in pages is ignored. */
function noteTools({ method }: AnsweredCall, result: Params, { into }: At): void {
  const { tools, nextCursor } = result;
  if (method !== "tools/list" || !Array.isArray(tools) || nextCursor !== undefined) return;
  into.listedTools = new Set(tools.filter(isObject).map(({ name }) => String(name)));
}

function refuse({ method, tool, step, previous }: AnsweredCall, message: RawMessage, { into }: At) {
  const { code, message: words } = isObject(message.error) ? message.error : {};
  const isValidError = Number.isInteger(code) && typeof words === "string";
  if (tool === undefined || step === undefined || !isValidError) {
    return into.omissions.add(`the error of ${method}: a scenario has only errors of tools`);
  }
  const error = { code: Number(code), message: words };
  into.steps.insert({ do: "answerTool", tool, error, times: 1 }, after(previous));
}

function fail({ tool, step, previous }: AnsweredCall, failure: string, { into }: At): void {
  if (tool === undefined || step === undefined) return;
  into.steps.insert({ do: "answerTool", tool, failure, times: 1 }, after(previous));
}

function after(step: AgentCall["previous"]) {
  return step === undefined ? {} : { after: step };
}

function answerDiff({ args = {} }: AnsweredCall, [verdict, detail]: Texts, at: At): void {
  const { into, t } = at;
  const path = into.names.nameOf(args["new_file_path"] ?? args["old_file_path"]);
  const file = path === undefined ? {} : { path };
  const answer = answerOf(verdict, detail, args);
  if (answer === undefined) {
    into.omissions.add(`the answer of openDiff: ${JSON.stringify(verdict)} is unknown`);
    return;
  }
  const step = into.steps.act({ do: "diff", ...answer, ...file, times: 1 }, t);
  const isAccepted = answer.answer !== "reject" && answer.answer !== "close";
  const outcome = isAccepted ? "accepted" : answer.answer === "close" ? "closed" : "rejected";
  into.steps.expect({ expect: "diff", outcome, ...file }, t);
  if (path === undefined) return;
  into.answered.set(path, step);
  if (!isAccepted) return;
  into.files.written(path);
  into.accepted.set(path, detail ?? String(args["new_file_contents"]));
}

type Answer = Pick<ScenarioActions["diff"], "answer" | "text" | "comments">;

/** @param detail the second text of the answer: what was saved, or comments on what was rejected */
function answerOf(verdict: unknown, detail: string | undefined, args: Params): Answer | undefined {
  if (verdict === "DIFF_REJECTED") {
    // Other editors repeat the name of the tab.
    const hasComments = detail !== undefined && detail !== args["tab_name"];
    return { answer: "reject", ...(hasComments && { comments: detail }) };
  }
  if (verdict === "TAB_CLOSED") return { answer: "close" };
  if (verdict !== "FILE_SAVED") return undefined;
  const isEdited = detail !== undefined && detail !== args["new_file_contents"];
  return isEdited ? { answer: "accept-edited", text: detail } : { answer: "accept" };
}

/** Sets diagnostics as early as the editor can have known them. */
function setDiagnostics(
  { args = {}, previous }: AnsweredCall,
  text: string | undefined,
  { into }: At,
) {
  const files = parseList(text);
  if (files === undefined)
    return into.omissions.add("the answer of getDiagnostics: it has an unknown format");
  const { known, names } = into;
  const steps = files.map((file) => translateDiagnostics(file, into));
  const found = new Map(steps.flatMap((step) => (step === undefined ? [] : [[step.path, step]])));
  const requested = names.nameOf(args["uri"]);
  for (const path of requested === undefined ? known.keys() : [requested]) {
    const none = { do: "diagnostics", path, diagnostics: [] } as const;
    if (!found.has(path)) found.set(path, none);
  }
  for (const [path, step] of found) {
    const state = JSON.stringify(step.diagnostics);
    const before = known.get(path);
    known.set(path, state);
    if (state === (before ?? "[]")) continue;
    const answer = into.answered.get(path);
    const isWritten = answer?.do === "diff" && answer.answer.startsWith("accept");
    if (before === undefined || answer === undefined) {
      into.steps.insert(step, before === undefined ? {} : after(previous));
    } else {
      const when = isWritten ? ({ when: "written" } as const) : {};
      into.steps.insert({ ...step, ...when }, { before: answer });
    }
  }
  into.answered.clear();
}

function parseList(text: string | undefined): readonly unknown[] | undefined {
  try {
    const value: unknown = exactJson.parse(text ?? "");
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
