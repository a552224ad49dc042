import { describeValue, formatRequest, isObject, parseJson } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { textsOf } from "../../texts-of.ts";
import type { Check } from "../check.ts";
import type { CheckConnection, Received } from "../check-connection.ts";
import type { CheckContext } from "../context.ts";
import { CheckSkipped, demand } from "../verdict.ts";
import { listTools } from "./tool.ts";

/** The calls and the notifications of a family of agents over HTTP. */
interface HttpFamily {
  readonly open: string;
  readonly close: string;
  /** The notification with the state of the editor. */
  readonly state: string;
  readonly toOpen: (path: string, text: string) => Params;
  readonly toClose: (path: string) => Params;
  /** The message in which the person's decision arrives; `answer` is the answer to `open`. */
  readonly isDecision: (received: Received, answer: Received | undefined) => boolean;
  /**
   * The accepted text; undefined if the agent uses its own.
   * @throws CheckSkipped if the diff was not accepted, CheckFailed if the agent cannot read the decision
   */
  readonly readAccepted: (decision: Received, path: string) => string | undefined;
}

const TITLE = "idewire-check.txt";
const PROPOSED = "Shown by idewire check.\n";
/** The id of the request that opens a diff. */
const DIFF = "diff";

const gemini: HttpFamily = {
  ...{ open: "openDiff", close: "closeDiff", state: "ide/contextUpdate" },
  isDecision: ({ message: { method } }) =>
    method === "ide/diffAccepted" || method === "ide/diffRejected" || method === "ide/diffClosed",
  readAccepted({ message: { method, params } }, path) {
    if (method !== "ide/diffAccepted") throw new CheckSkipped(NOT_ACCEPTED);
    const { filePath, content } = isObject(params) ? params : {};
    demand(filePath === path, `its filePath is ${describeValue(filePath)}`);
    demand(typeof content === "string", `its content is ${describeValue(content)}`);
    return content;
  },
  toOpen: (filePath, newContent) => ({ filePath, newContent }),
  toClose: (filePath) => ({ filePath, suppressNotification: true }),
};

const families: Readonly<Record<string, HttpFamily>> = {
  gemini,
  qwen: gemini,
  copilot: {
    ...{ open: "open_diff", close: "close_diff", state: "selection_changed" },
    toOpen: (original_file_path, new_file_contents) => ({
      ...{ original_file_path, new_file_contents, tab_name: TITLE },
    }),
    toClose: () => ({ tab_name: TITLE }),
    isDecision: (received, answer) => received === answer,
    readAccepted({ message }) {
      const { success, result, trigger, tab_name, message: words } = readAnswer(message.result);
      if (result === "REJECTED") throw new CheckSkipped(NOT_ACCEPTED);
      demand(result === "SAVED", `its result is ${describeValue(result)}`);
      demand(success === true, `its success is ${describeValue(success)}`);
      demand(tab_name === TITLE, `its tab_name is ${describeValue(tab_name)}`);
      demand(typeof trigger === "string", `its trigger is ${describeValue(trigger)}`);
      demand(typeof words === "string", `its message is ${describeValue(words)}`);
      return undefined;
    },
  },
};

const NOT_ACCEPTED = "the diff was not accepted as proposed";

const SOURCE = "docs/clients/gemini-cli.md, Diffs; docs/clients/copilot-cli.md, Tools";

/** Checks for agents over HTTP, in place of the rules for Claude Code. */
export const httpChecks: readonly Check[] = [
  {
    id: "IDE-HTTP-001",
    level: "must",
    overHttp: true,
    rule: "The tools that open and close a diff are listed both, or neither.",
    source: SOURCE,
    note: "With one of the two, Gemini CLI and Qwen Code open no diffs.",
    async run(context) {
      const { open, close } = familyOf(context);
      const names = (await listTools(context)).map(({ name }) => name);
      const [opens, closes] = [names.includes(open), names.includes(close)];
      demand(opens === closes, `${opens ? open : close} is listed alone`);
      return opens ? `${open}, ${close}` : "neither";
    },
  },
  {
    id: "IDE-HTTP-002",
    level: "must",
    overHttp: true,
    rule: "The state of the editor is sent after the list of tools.",
    source: "docs/clients/gemini-cli.md, Connection; docs/clients/copilot-cli.md, Notifications",
    async run(context) {
      const { state } = familyOf(context);
      const { connection, list } = await context.ready();
      const find = () => connection.received.find(({ message }) => message.method === state);
      const isAfter = () =>
        connection.received.find(({ message, n }) => {
          return message.method === state && n > (list?.n ?? 0);
        });
      const seen = await connection.waitFor(isAfter, context.times.noticeMs);
      if (seen === undefined && find() === undefined) {
        throw new CheckSkipped(`the server sent no ${state}: select text in the editor`);
      }
      demand(seen !== undefined, `${state} did not come after it`);
    },
  },
  {
    id: "IDE-HTTP-003",
    level: "must",
    overHttp: true,
    destructive: true,
    rule: "A diff that the agent closes is closed, and is not accepted.",
    source: SOURCE,
    note: "The agent writes the file of an accepted diff.",
    async run(context) {
      const { open, close, toClose } = familyOf(context);
      const { connection, path } = await propose(context);
      await context.wait(context.times.quietMs);
      await connection.callTool(close, toClose(path));
      const { message } = await connection.answerTo(DIFF, `${open}, which was closed,`);
      await context.wait(context.times.quietMs);
      const words = textsOf(isObject(message.result) ? message.result["content"] : undefined);
      demand(!words.join().includes('"SAVED"'), `${open} was answered with SAVED`);
      const isAccepted = connection.received.some(
        (received) => received.message.method === "ide/diffAccepted",
      );
      demand(!isAccepted, "ide/diffAccepted was sent");
    },
  },
  {
    id: "IDE-HTTP-004",
    level: "must",
    overHttp: true,
    destructive: true,
    needsPerson: true,
    rule: "A diff that the person accepts is answered as accepted, in a form that the agent reads.",
    source: SOURCE,
    note: "Any other form counts as no answer: the agent waits, or asks in the terminal.",
    async run(context) {
      const { close, toClose, readAccepted } = familyOf(context);
      const { connection, path } = await propose(context);
      const { personMs } = context.times;
      const decision = await connection.waitFor(() => findDecision(context, connection), personMs);
      if (decision === undefined) {
        await connection.callTool(close, toClose(path));
        throw new CheckSkipped(`nobody accepted the diff within ${personMs / 1_000} s`);
      }
      const text = readAccepted(decision, path);
      return text === undefined || text === PROPOSED ? "as proposed" : "with another text";
    },
  },
];

/** Proposes a file that does not exist, with a new agent. */
async function propose(context: CheckContext) {
  const { open, toOpen } = familyOf(context);
  const names = (await listTools(context)).map(({ name }) => name);
  if (!names.includes(open)) throw new CheckSkipped(`${open} is not listed`);
  const { connection } = await context.ready();
  const path = pathIn(context);
  const params = { name: open, arguments: toOpen(path, PROPOSED) };
  connection.send(formatRequest(DIFF, "tools/call", params));
  return { connection, path };
}

function findDecision(context: CheckContext, { received }: CheckConnection): Received | undefined {
  const { isDecision } = familyOf(context);
  const answer = received.find(({ message }) => message.id === DIFF);
  return received.find((one) => isDecision(one, answer));
}

/** The JSON in the one text of an answer; empty for anything else. */
function readAnswer(result: unknown): Params {
  const [text = ""] = textsOf(isObject(result) ? result["content"] : undefined);
  try {
    const value = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** @throws CheckSkipped for a family whose tools are not known here */
function familyOf({ port: { agent } }: CheckContext): HttpFamily {
  const family = families[agent?.id ?? ""];
  if (family === undefined) throw new CheckSkipped("the tools of this agent are not known");
  return family;
}

function pathIn({ port: { agent, platform } }: CheckContext): string {
  const folder = agent?.folder;
  if (folder === undefined) throw new CheckSkipped("the editor's folders are not known");
  return `${folder}${platform === "windows" ? "\\" : "/"}${TITLE}`;
}
