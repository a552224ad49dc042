// Laws of types: a line under `@ts-expect-error` must not compile, all others must.
import * as v from "valibot";
import { toolResult } from "../content.ts";
import { McpServer } from "./server.ts";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => undefined;
declare const anyText: string;

const server = new McpServer({ name: "s", version: "1" });

// Arguments have the type of their schema.
const input = v.object({ city: v.string(), days: v.optional(v.number(), 1) });
server.tool("valibot", { input }, (args) => {
  same<typeof args, { city: string; days: number }>(true);
  return args.city;
});
server.tool(
  "json",
  {
    input: {
      type: "object",
      properties: {
        city: { type: "string" },
        kind: { enum: ["sun", "rain"] },
        days: { type: "array", items: { type: ["integer", "null"] } },
      },
      required: ["city", "kind"],
    },
  },
  (args) => {
    same<
      typeof args,
      {
        readonly city: string;
        readonly kind: "sun" | "rain";
        readonly days?: readonly (number | null)[];
      }
    >(true);
    return args.city;
  },
);

// A result has the type of the output.
const output = v.object({ kind: v.picklist(["sun", "rain"]), days: v.array(v.number()) });
server.tool("literal", { output }, () => ({ kind: "sun", days: [1] }));
server.tool("later", { input, output }, async () => ({ kind: "rain", days: [] }));
server.tool("both", { output }, () =>
  toolResult({ content: "Sun", structuredContent: { kind: "sun", days: [] } }),
);
server.tool("failed", { output }, () => toolResult({ content: "No station", isError: true }));
// @ts-expect-error a member is missing
server.tool("missing", { output }, () => ({ kind: "sun" }));
// @ts-expect-error a member may have other values
server.tool("wide", { output }, () => ({ kind: anyText, days: [] }));
// @ts-expect-error a text is not the structured result
server.tool("text", { output }, () => "Sun");

// Without an output, a tool answers a text or a result.
server.tool("content", {}, () => ({ content: [{ type: "text", text: "t" }] }));
// @ts-expect-error an object without content
server.tool("other", {}, () => ({ celsius: 20 }));
// @ts-expect-error nothing
server.tool("nothing", {}, () => undefined);
// @ts-expect-error there is no such option
server.tool("misspelled", { inputs: input }, () => "");

// Variables of a template, and arguments of a prompt, have their names.
const complete = (value: string) => [value];
server.resource("note://{folder}/{+path}", { name: "n", complete: { path: complete } }, (found) => {
  same<typeof found, { readonly folder: string; readonly path: string }>(true);
  return found.path;
});
// @ts-expect-error the template has no such variable
server.resource("note://{name}", { name: "n", complete: { other: complete } }, () => "");
const place = { required: true, complete: (value: string) => [value] } as const;
server.prompt("plan", { arguments: { place, tone: {} } }, ({ place: where, tone }) => {
  same<typeof where, string>(true);
  same<typeof tone, string | undefined>(true);
  return where;
});
server.prompt("typed", { arguments: { a: { complete: (value) => [value] } } }, () => "");

// A form has the type of its schema, and the context that of the server.
interface Person {
  readonly name: string;
}
const personal = new McpServer<Person>({ name: "s", version: "1" });
personal.tool("who", {}, async (_, call) => {
  same<typeof call.context, Person>(true);
  const answer = await call.ask("Sure?", v.object({ yes: v.boolean() }));
  if (answer.action === "accept") same<typeof answer.content, { yes: boolean }>(true);
  return call.context.name;
});
declare const transport: Parameters<typeof server.connect>[0];
server.connect(transport);
// @ts-expect-error the context is missing
personal.connect(transport);
