import type { Unsubscribe } from "../../../emitter.ts";
import { requireText } from "../../../misuse.ts";
import type { Call } from "../../../rpc/call.ts";
import { SerializedJson } from "../../../rpc/message.ts";
import { toolIn } from "../../in-revision.ts";
import { Method } from "../../protocol.ts";
import type { InputSchema } from "../../schemas/infer.ts";
import type { Revision } from "../../versions.ts";
import type { Caller } from "../caller.ts";
import { NamedList } from "../named-list.ts";
import { pageOf } from "../pagination.ts";
import { ServerCall } from "../server-call.ts";
import type { FeatureOwner } from "../server-feature.ts";
import { createTool, type Tool, type ToolHandler, type ToolOptions } from "../tool.ts";

/** The tools that a server offers (MCP 2025-11-25, Server / Tools). */
export class Tools<Context = unknown> {
  readonly #tools: NamedList<Tool<Context>> = new NamedList("tool", nameOf);
  readonly #server: FeatureOwner<Context>;
  /** The first page of each revision, serialised, until the tools change. */
  readonly #lists = new Map<Revision, SerializedJson>();

  constructor(server: FeatureOwner<Context>) {
    this.#server = server;
  }

  /** @throws IdewireError `invalid-argument` for a definition that cannot be used, with its name */
  add(
    name: string,
    options: ToolOptions<Context>,
    handler: ToolHandler<Context, InputSchema, unknown>,
  ): Unsubscribe {
    requireText("tool", name);
    return this.#tools.add(createTool(name, options, handler), () => this.changed());
  }

  /** Notifies every client that other tools are listed than before. */
  changed(): void {
    this.#lists.clear();
    this.#server.definitionsChanged(Method.ToolsListChanged);
  }

  get(name: string): Tool<Context> | undefined {
    return this.#tools.get(name);
  }

  /** Whether callers see different tools. */
  get hasVisibility(): boolean {
    return this.#tools.all.some(({ visible }) => visible !== undefined);
  }

  /**
   * The result of `tools/list`.
   * @param finish adds the members that every result of the revision has
   */
  list(
    call: Call,
    caller: Caller<Context>,
    finish: (list: object) => unknown = (list) => list,
  ): SerializedJson {
    const { traits } = caller;
    const cursor = call.params?.["cursor"] ?? undefined;
    const cached = cursor === undefined ? this.#lists.get(traits.revision) : undefined;
    if (cached !== undefined) return cached;
    const seen = new ServerCall(call, caller, "");
    const listed = this.#tools.all.filter(
      (tool) => isListed(tool) && tool.visible?.(seen) !== false,
    );
    const { pageSize } = this.#server;
    const { items, ...more } = pageOf(listed, { keyOf: nameOf, cursor, pageSize });
    const tools = items.map((tool) => toolIn(traits, tool.description));
    const list = new SerializedJson(JSON.stringify(finish({ tools, ...more })));
    if (cursor === undefined && !this.hasVisibility) this.#lists.set(traits.revision, list);
    return list;
  }
}

function isListed({ listed }: Tool<never>): boolean {
  return typeof listed === "function" ? listed() : listed;
}

function nameOf({ description }: Tool<never>): string {
  return description.name;
}
