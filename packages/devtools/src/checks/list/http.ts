import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { textsOf } from "../../texts-of.ts";
import type { Check } from "../check.ts";
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
}

const TITLE = "idewire-check.txt";

const gemini: HttpFamily = {
  ...{ open: "openDiff", close: "closeDiff", state: "ide/contextUpdate" },
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
  },
};

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
      const { open, close, toOpen, toClose } = familyOf(context);
      const names = (await listTools(context)).map(({ name }) => name);
      if (!names.includes(open)) throw new CheckSkipped(`${open} is not listed`);
      const { connection } = await context.ready();
      const path = pathIn(context);
      const id = "diff";
      const params = { name: open, arguments: toOpen(path, "Shown by idewire check.\n") };
      connection.send(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
      await context.wait(context.times.quietMs);
      await connection.callTool(close, toClose(path));
      const { message } = await connection.answerTo(id, `${open}, which was closed,`);
      await context.wait(context.times.quietMs);
      const words = textsOf(isObject(message.result) ? message.result["content"] : undefined);
      demand(!words.join().includes('"SAVED"'), `${open} was answered with SAVED`);
      const isAccepted = connection.received.some(
        (received) => received.message.method === "ide/diffAccepted",
      );
      demand(!isAccepted, "ide/diffAccepted was sent");
    },
  },
];

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
