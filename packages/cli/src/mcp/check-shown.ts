import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import * as v from "valibot";

const words = v.optional(v.string());
const described = { title: words, description: words };
const contents = v.union([
  v.looseObject({ text: v.string() }),
  v.looseObject({ blob: v.string(), mimeType: words }),
]);
const bytes = { data: v.string(), mimeType: words };
const known = v.variant("type", [
  v.looseObject({ type: v.literal("text"), text: v.string() }),
  v.looseObject({ type: v.literal("image"), ...bytes }),
  v.looseObject({ type: v.literal("audio"), ...bytes }),
  v.looseObject({ type: v.literal("resource"), resource: contents }),
  v.looseObject({ type: v.literal("resource_link"), uri: v.string(), name: v.string() }),
]);
const kinds = new Set<unknown>(known.options.map(({ entries }) => entries.type.literal));
/** A kind of a later revision is shown as JSON. */
const content = v.union([
  known,
  v.looseObject({
    type: v.pipe(
      v.string(),
      v.check((type) => !kinds.has(type)),
    ),
  }),
]);

/** The methods whose answers are shown item by item. */
export type ShownMethod =
  | "tools/list"
  | "tools/call"
  | "resources/list"
  | "resources/templates/list"
  | "resources/read"
  | "prompts/list"
  | "prompts/get"
  | "completion/complete";

/** What is shown of each item that a server answers with; what else it has does not matter. */
const items: Readonly<Record<ShownMethod, v.GenericSchema>> = {
  "tools/list": v.looseObject({ name: v.string(), inputSchema: v.looseObject({}), ...described }),
  "tools/call": content,
  "resources/list": v.looseObject({ uri: v.string(), ...described }),
  "resources/templates/list": v.looseObject({ uriTemplate: v.string(), ...described }),
  "resources/read": contents,
  "prompts/list": v.looseObject({
    name: v.string(),
    arguments: v.optional(v.array(v.looseObject({ name: v.string() }))),
    ...described,
  }),
  "prompts/get": v.looseObject({ role: v.string(), content }),
  "completion/complete": v.string(),
};

/**
 * Checks an item that is to be shown to a person.
 * @throws IdewireError `protocol` for what no server should answer with
 */
export function checkShown(method: ShownMethod, item: unknown): void {
  if (v.is(items[method], item)) return;
  const what = `${method}: the server's answer has ${describeValue(item)}, which cannot be shown`;
  throw new IdewireError("protocol", `${what}; --json prints it as it is`);
}
