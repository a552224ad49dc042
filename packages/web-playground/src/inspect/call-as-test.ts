import type { InspectedServerFacts } from "@idewire/devtools/internal";
import { exactJson } from "../state/exact-json.ts";

/** A call, and the server's answer. */
export interface AnsweredCall {
  readonly target: NonNullable<InspectedServerFacts["target"]>;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The result, or the error; undefined for a call without an answer. */
  readonly answer?:
    | { readonly result: unknown }
    | { readonly error: { readonly code: unknown } }
    | undefined;
}

/** A longer result is not pinned. */
const MAX_PINNED = 8_000;

/** A call as a vitest test with our client, which pins the answer. */
export function callAsTest({ target, method, params, answer }: AnsweredCall): string {
  const { name, arguments: args } = params;
  const isTool = method === "tools/call" && typeof name === "string";
  const call = isTool
    ? `client.callTool(${literal(name)}, ${literal(args ?? {})})`
    : `client.request(${literal(method)}, ${literal(params)})`;
  const [imports, open] = opening(target);
  return `${imports}
import { expect, test } from "vitest";

test(${literal(`${isTool ? name : method} answers as before`)}, async () => {
  const client = await ${open};
  try {
    ${expectation(call, answer)}
  } finally {
    await client.close();
  }
});
`;
}

function opening(target: AnsweredCall["target"]): readonly [imports: string, open: string] {
  const client = `{ name: "test", version: "1" }`;
  if ("url" in target) {
    const imports = `import { connectMcp } from "@idewire/http";`;
    return [imports, `connectMcp(${literal(target.url)}, ${client})`];
  }
  const { command, args } = target;
  const program = `{ command: ${literal(command)}, args: ${literal(args)} }`;
  const imports = `import { spawnMcp } from "@idewire/node-server";`;
  return [imports, `spawnMcp(${program}, ${client})`];
}

function expectation(call: string, answer: AnsweredCall["answer"]): string {
  if (answer !== undefined && "error" in answer) {
    return `await expect(${call}).rejects.toMatchObject({ code: ${literal(answer.error.code)} });`;
  }
  const result = answer === undefined ? undefined : literal(answer.result);
  return result === undefined || result.length > MAX_PINNED
    ? `expect(await ${call}).toBeDefined();`
    : `expect(await ${call}).toMatchObject(${result});`;
}

/** A value as JavaScript: JSON, except that a member `__proto__` would set the prototype. */
function literal(value: unknown): string {
  const json = exactJson.stringify(value) ?? "undefined";
  return json.includes("__proto__") ? `JSON.parse(${JSON.stringify(json)})` : json;
}
