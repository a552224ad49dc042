import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import * as v from "valibot";

const words = v.nullish(v.string());
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
/** Kinds of later revisions are shown as JSON. */
const content = v.union([
  known,
  v.looseObject({
    type: v.pipe(
      v.string(),
      v.check((type) => !kinds.has(type)),
    ),
  }),
]);

/** The methods whose results are shown item by item. */
export type ShownMethod =
  | "tools/list"
  | "tools/call"
  | "resources/list"
  | "resources/templates/list"
  | "resources/read"
  | "prompts/list"
  | "prompts/get"
  | "completion/complete";

/** The parts of each item that are shown; other members do not matter. */
const items: Readonly<Record<ShownMethod, v.GenericSchema>> = {
  "tools/list": v.looseObject({ name: v.string(), inputSchema: v.looseObject({}), ...described }),
  "tools/call": content,
  "resources/list": v.looseObject({ uri: v.string(), ...described }),
  "resources/templates/list": v.looseObject({ uriTemplate: v.string(), ...described }),
  "resources/read": contents,
  "prompts/list": v.looseObject({
    name: v.string(),
    arguments: v.nullish(v.array(v.looseObject({ name: v.string() }))),
    ...described,
  }),
  "prompts/get": v.looseObject({ role: v.string(), content }),
  "completion/complete": v.string(),
};

/** How the items of a result are shown. */
export interface ShowItems<T> {
  readonly show: (item: T) => void;
  /** Reports items that cannot be shown. */
  readonly warn: (words: string) => void;
}

/**
 * Shows the valid items of a result; a warning reports the others.
 * @throws IdewireError `protocol` when all items are invalid
 */
export function showItems<T>(
  method: ShownMethod,
  all: readonly T[],
  { show, warn }: ShowItems<T>,
): void {
  const good = all.filter((item) => v.is(items[method], item));
  for (const item of good) show(item);
  const bad = all.find((item) => !v.is(items[method], item));
  if (good.length === all.length) return;
  const more = all.length - good.length - 1;
  const others = more === 0 ? "" : ` and ${more} more`;
  const what = `${method}: the server's answer has ${describeValue(bad)}${others}, which cannot be shown`;
  const fault = `${what}; --json prints it as it is`;
  if (good.length === 0) throw new IdewireError("protocol", fault);
  warn(fault);
}
