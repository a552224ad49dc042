import { describeValue, isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../context.ts";
import { mcp, modern } from "../../sources.ts";
import { CheckSkipped, demand } from "../../verdict.ts";
import { describeAnswer } from "../checked-server.ts";
import type { ServerSession } from "../server-session.ts";
import { codeOf } from "./messages.ts";

const NOWHERE = "idewire-check://nowhere/nothing";
/** Resources and prompts that are read, at most. */
const MAX_READ = 3;

/** Checks of what resources and prompts contain. */
export const readChecks: readonly Check[] = [
  {
    id: "MCP-READ-001",
    level: "must",
    rule: "A resource that can be read has contents, each with a uri, and a text or a blob.",
    source: mcp("Resources"),
    async run(context) {
      const listed = await context.server.entries(context, "resources");
      if (listed.length === 0) throw new CheckSkipped("no resource is listed");
      return demandRead(context, listed, {
        ...{ method: "resources/read", key: "uri", member: "contents", demandItem: demandContents },
      });
    },
  },
  {
    id: "MCP-READ-002",
    level: "must",
    rule: "Reading a resource that does not exist is answered with an error.",
    source: mcp("Resources"),
    async run(context) {
      const answer = await readNothing(context);
      demand(answer.message.error !== undefined, "it was answered with a result");
      return describeAnswer(answer);
    },
  },
  {
    id: "MCP-READ-003",
    level: "should",
    rule: "That error is -32002, or -32602 as in 2026-07-28.",
    source: `${mcp("Resources")}; ${modern("Key Changes")}`,
    async run(context) {
      const answer = await readNothing(context);
      const code = codeOf(answer.message.error);
      demand(code === -32002 || code === -32602, `it was answered with ${describeAnswer(answer)}`);
    },
  },
  {
    id: "MCP-READ-004",
    level: "must",
    rule: "A prompt that can be filled in has messages, each with a role and content.",
    source: mcp("Prompts"),
    async run(context) {
      const prompts = await context.server.entries(context, "prompts");
      const free = prompts.filter((prompt) => !requiresArguments(prompt));
      if (free.length === 0)
        throw new CheckSkipped("no prompt without required arguments is listed");
      return demandRead(context, free, {
        ...{ method: "prompts/get", key: "name", member: "messages", demandItem: demandMessage },
      });
    },
  },
  {
    id: "MCP-READ-005",
    level: "should",
    rule: "A prompt that does not exist, and one without a required argument, is answered with the error -32602.",
    source: mcp("Prompts"),
    async run(context) {
      const session = await context.server.session(context);
      const prompts = await context.server.entries(context, "prompts");
      const demanding = prompts.find(requiresArguments);
      const names = ["idewire-no-such-prompt", ...(demanding ? [demanding["name"]] : [])];
      for (const name of names) {
        const answer = await session.request("prompts/get", { name });
        const isRefused = codeOf(answer.message.error) === -32602;
        demand(isRefused, `${describeValue(name)} was answered with ${describeAnswer(answer)}`);
      }
    },
  },
];

/** How listed entries are read. */
interface Reading {
  readonly method: string;
  /** The argument that names an entry, as in the list. */
  readonly key: string;
  /** The member of the result that has the items. */
  readonly member: string;
  /** @throws CheckFailed unless an item of the entry is as it must be */
  readonly demandItem: (item: unknown, entry: string) => void;
}

/**
 * Reads the first entries, and demands their items.
 * @throws CheckSkipped if each was answered with an error
 */
async function demandRead(
  context: CheckContext,
  entries: readonly Readonly<Record<string, unknown>>[],
  { method, key, member, demandItem }: Reading,
): Promise<string> {
  const session = await context.server.session(context);
  let count = 0;
  for (const { [key]: name } of entries.slice(0, MAX_READ)) {
    const items = await readMember(session, [method, { [key]: name }], member);
    if (items === REFUSED) continue;
    count += 1;
    const entry = describeValue(name);
    demand(Array.isArray(items), `${member} of ${entry} is ${describeValue(items)}`);
    for (const item of items as readonly unknown[]) demandItem(item, entry);
  }
  if (count === 0) throw new CheckSkipped("each one that was tried was answered with an error");
  return `${count} read`;
}

/** The answer was an error: a listed resource may be unavailable, such as a stopped cluster. */
const REFUSED = Symbol("refused");

/** A member of a complete result. */
async function readMember(
  session: ServerSession,
  [method, params]: readonly [string, Params],
  member: string,
): Promise<unknown> {
  const { message } = await session.request(method, params);
  if (message.error !== undefined) return REFUSED;
  demand(isObject(message.result), `${method} was answered with ${describeValue(message.result)}`);
  const { resultType = "complete" } = message.result;
  return resultType === "complete" ? message.result[member] : REFUSED;
}

async function readNothing(context: CheckContext) {
  const session = await context.server.session(context);
  if (!session.declares("resources")) throw new CheckSkipped("resources is not declared");
  return session.request("resources/read", { uri: NOWHERE });
}

function demandContents(content: unknown, own: string): void {
  demand(isObject(content), `contents of ${own} has ${describeValue(content)}`);
  const { uri, text, blob } = content;
  demand(typeof uri === "string", `the uri in contents of ${own} is ${describeValue(uri)}`);
  const isFilled = typeof text === "string" || typeof blob === "string";
  demand(isFilled, `contents of ${own} has neither text nor blob`);
  const isEncoded = typeof blob !== "string" || /^[A-Za-z0-9+/]*={0,2}$/.test(blob);
  demand(isEncoded, `the blob of ${own} is not base64`);
}

function demandMessage(message: unknown, own: string): void {
  demand(isObject(message), `messages of ${own} has ${describeValue(message)}`);
  const { role, content } = message;
  const isRole = role === "user" || role === "assistant";
  demand(isRole, `the role of a message of ${own} is ${describeValue(role)}`);
  demand(isObject(content), `the content of a message of ${own} is ${describeValue(content)}`);
}

function requiresArguments({ arguments: args }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(args) && args.some((arg) => isObject(arg) && arg["required"] === true);
}
