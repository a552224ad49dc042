import type { Unsubscribe } from "../../../emitter.ts";
import { IdewireError, RpcError } from "../../../errors.ts";
import { optionNames, requireFunction, requireKnownOptions, requireText } from "../../../misuse.ts";
import type { Call } from "../../../rpc/call.ts";
import { isObject, methodNotFound, type Params } from "../../../rpc/message.ts";
import { toBase64 } from "../../../text/base64.ts";
import { describePath, describeValue } from "../../../text/describe-value.ts";
import type { ResourceContents, ResourceDescription } from "../../content.ts";
import { describedIn } from "../../in-revision.ts";
import { UPDATED } from "../../modern-keys.ts";
import type { Capabilities } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import type { RevisionTraits } from "../../versions.ts";
import type { Caller } from "../caller.ts";
import { NamedList } from "../named-list.ts";
import { type ListPage, pageOf } from "../pagination.ts";
import { ServerCall } from "../server-call.ts";
import type { Audience, FeatureHandler, FeatureOwner, ServerFeature } from "../server-feature.ts";
import { type Topic, textsOf } from "../topic.ts";
import type { Completer } from "./completer.ts";
import type { Completers, CompletionSource } from "./completion.ts";
import type { ResourceAnswer, ResourceOptions } from "./resource-options.ts";
import { createUriMatcher, type UriVariables } from "./uri-template.ts";

const LIST_CHANGED = "notifications/resources/list_changed";

/** The member of a filter of `subscriptions/listen` that names resources. */
const RESOURCE_SUBSCRIPTIONS = "resourceSubscriptions";

/** How many resources one connection may subscribe to. */
const MAX_SUBSCRIPTIONS = 1000;

/** The handler of a resource; its variables are those of its own template. */
type ReadResource<Context> = (
  variables: never,
  call: ServerCall<Context>,
) => ResourceAnswer | Promise<ResourceAnswer>;

/** One resource, or those of a template. */
interface Entry<Context> extends ResourceOptions<Context> {
  /** A URI, or a template. */
  readonly uri: string;
  /** Undefined for a URI. */
  readonly match: ((uri: string) => UriVariables | undefined) | undefined;
  readonly read: ReadResource<Context>;
}

interface Found<Context> {
  readonly entry: Entry<Context>;
  readonly variables: UriVariables;
}

const names = optionNames<ResourceOptions>({
  name: true,
  title: true,
  description: true,
  mimeType: true,
  size: true,
  annotations: true,
  icons: true,
  _meta: true,
  caching: true,
  complete: true,
  list: true,
  onsubscribe: true,
});

/** The resources that clients can read (MCP 2025-11-25, Server / Resources). */
export class Resources<Context = unknown>
  implements ServerFeature<Context>, CompletionSource<Context>
{
  readonly requests: Readonly<Record<string, FeatureHandler<Context>>>;
  readonly audiences: Readonly<Record<string, Audience<Context>>> = {
    [UPDATED]: ({ settings }, params) =>
      settings.subscriptions?.includes(String(params?.["uri"])) === true,
  };
  readonly topics: Readonly<Record<string, Topic>>;
  readonly #entries: NamedList<Entry<Context>> = new NamedList("resource", ({ uri }) => uri);
  readonly #server: FeatureOwner<Context>;

  readonly #subscriptions: boolean;

  constructor(server: FeatureOwner<Context>, subscriptions = true) {
    this.#server = server;
    this.#subscriptions = subscriptions;
    this.topics = {
      [RESOURCE_SUBSCRIPTIONS]: {
        method: UPDATED,
        narrow: (wanted) => this.#accept(wanted),
        matches: (accepted, params) => (accepted as readonly unknown[]).includes(params?.["uri"]),
      },
    };
    this.requests = {
      "resources/list": (call, caller) => this.#list(call, caller),
      "resources/templates/list": (call, caller) => this.#listTemplates(call, caller),
      "resources/read": (call, caller) => this.#read(call, caller),
      ...(subscriptions && {
        "resources/subscribe": (call, caller) => this.#subscribe(call, caller),
        "resources/unsubscribe": (call, caller) => this.#unsubscribe(call, caller),
      }),
    };
  }

  capabilities(): Capabilities {
    if (this.#entries.all.length === 0) return {};
    return { resources: { listChanged: true, ...(this.#subscriptions && { subscribe: true }) } };
  }

  /** @throws IdewireError `invalid-argument` for a definition that cannot be used, with its URI */
  add(uri: string, options: ResourceOptions<Context>, read: ReadResource<Context>): Unsubscribe {
    const owner = `resource ${JSON.stringify(uri)}`;
    requireText("resource", uri);
    requireKnownOptions(owner, options, names);
    requireText(`${owner}, name`, options.name);
    requireFunction(`${owner}, handler`, read);
    const match = uri.includes("{") ? createUriMatcher(uri) : undefined;
    return this.#entries.add({ ...options, uri, match, read }, () => {
      this.#server.definitionsChanged(LIST_CHANGED);
    });
  }

  /** Notifies every client that the list has changed. */
  listChanged(): void {
    this.#server.emit(LIST_CHANGED);
  }

  completersOf({ type, uri }: Readonly<Record<string, unknown>>): Completers<Context> | undefined {
    const entry = type === "ref/resource" ? this.#entries.get(uri) : undefined;
    if (entry?.match === undefined) return undefined;
    const complete = (entry.complete ?? {}) as Readonly<Record<string, Completer<Context>>>;
    const variables = [...entry.uri.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => name ?? "");
    return new Map(variables.map((name) => [name, complete[name]]));
  }

  get hasCompleters(): boolean {
    return this.#entries.all.some(({ complete }) => complete !== undefined);
  }

  #list(call: Call, caller: Caller<Context>): unknown {
    if (this.#isAbsent(caller)) return methodNotFound(call.method);
    const own = this.#entries.all.filter(({ match }) => match === undefined).map(described);
    const lists = this.#entries.all.filter(({ list }) => list !== undefined);
    if (lists.length === 0) return this.#page(own, call, caller);
    const seen = new ServerCall(call, caller, "");
    return Promise.all(lists.map(async ({ list }) => (await list?.(seen)) ?? [])).then((more) =>
      this.#page([...own, ...more.flat()], call, caller),
    );
  }

  /** Legacy clients request lists that were not announced. */
  #isAbsent({ traits }: Caller<Context>): boolean {
    return traits.stateless && this.#entries.all.length === 0;
  }

  #page(
    all: readonly ResourceDescription[],
    { params }: Call,
    { traits }: Caller<Context>,
  ): unknown {
    // A template may list resources that are listed already.
    const unique = [...new Map(all.map((item) => [item.uri, item])).values()];
    const { items, ...more } = this.#pageOf(unique, ({ uri }) => uri, params);
    return { resources: items.map((item) => describedIn(traits, item)), ...more };
  }

  #listTemplates({ method, params }: Call, caller: Caller<Context>): unknown {
    const { traits } = caller;
    if (this.#isAbsent(caller)) return methodNotFound(method);
    const templates = this.#entries.all
      .filter(({ match }) => match !== undefined)
      .map((entry) => {
        const { uri: uriTemplate, ...description } = described(entry);
        return { uriTemplate, ...description };
      });
    const { items, ...more } = this.#pageOf(templates, ({ uriTemplate }) => uriTemplate, params);
    return { resourceTemplates: items.map((item) => describedIn(traits, item)), ...more };
  }

  #pageOf<T>(
    all: readonly T[],
    keyOf: (item: T) => string,
    params: Params | undefined,
  ): ListPage<T> {
    return pageOf(all, { keyOf, cursor: params?.["cursor"], pageSize: this.#server.pageSize });
  }

  #read(message: Call, caller: Caller<Context>): unknown {
    const uri = uriOf(message);
    const { traits } = caller;
    const { entry, variables } = this.#find(uri) ?? {};
    if (entry === undefined || variables === undefined) throw notFound(traits, uri);
    const finish = (answer: ResourceAnswer) => {
      const contents = toContents(entry, uri, answer);
      if (contents === undefined) throw notFound(traits, uri);
      return { contents, ...(traits.stateless && entry.caching) };
    };
    const call = new ServerCall(message, caller, uri);
    return this.#server.run(call, () => {
      const answer = entry.read(variables as never, call);
      return answer instanceof Promise ? answer.then(finish) : finish(answer);
    });
  }

  /** How a URI is read; undefined when no resource or template matches. */
  #find(uri: string): Found<Context> | undefined {
    const own = this.#entries.get(uri);
    if (own !== undefined && own.match === undefined) return { entry: own, variables: {} };
    for (const entry of this.#entries.all) {
      const variables = entry.match?.(uri);
      if (variables !== undefined) return { entry, variables };
    }
    return undefined;
  }

  #subscribe(call: Call, caller: Caller<Context>): unknown {
    if (caller.set === undefined) return methodNotFound(call.method);
    const uri = uriOf(call);
    const found = this.#find(uri);
    if (found === undefined) throw notFound(caller.traits, uri);
    const { subscriptions = [] } = caller.settings;
    if (subscriptions.includes(uri)) return {};
    if (subscriptions.length >= MAX_SUBSCRIPTIONS) {
      throw invalidParams(`uri: the limit of ${MAX_SUBSCRIPTIONS} subscriptions is reached`);
    }
    caller.set({ ...caller.settings, subscriptions: [...subscriptions, uri] });
    found.entry.onsubscribe?.(uri);
    return {};
  }

  #unsubscribe(call: Call, caller: Caller<Context>): unknown {
    if (caller.set === undefined) return methodNotFound(call.method);
    const uri = uriOf(call);
    const subscriptions = caller.settings.subscriptions?.filter((each) => each !== uri) ?? [];
    caller.set({ ...caller.settings, subscriptions });
    return {};
  }

  /** The subscriptions of the modern era: to resources that exist, or may come to exist. */
  #accept(wanted: unknown): unknown {
    if (!this.#subscriptions || this.#entries.all.length === 0) return undefined;
    const uris = textsOf(RESOURCE_SUBSCRIPTIONS, wanted);
    for (const uri of uris) this.#find(uri)?.entry.onsubscribe?.(uri);
    return uris;
  }
}

function uriOf({ params }: Call): string {
  const uri = params?.["uri"];
  if (typeof uri === "string") return uri;
  throw invalidParams(`uri: expected string, got ${describeValue(uri)}`);
}

/** The description of a resource or template, without the members that concern only this end. */
function described<Context>(entry: Entry<Context>): ResourceDescription {
  const { match, read, caching, complete, list, onsubscribe, ...description } = entry;
  return description;
}

function toContents<Context>(
  { uri: key, mimeType }: Entry<Context>,
  uri: string,
  answer: ResourceAnswer,
): readonly ResourceContents[] | undefined {
  const type = mimeType !== undefined && { mimeType };
  if (answer === undefined) return undefined;
  if (typeof answer === "string") return [{ uri, ...type, text: answer }];
  if (answer instanceof Uint8Array) return [{ uri, ...type, blob: toBase64(answer) }];
  const contents = Array.isArray(answer) ? answer : [answer];
  if (contents.every(isContents)) return contents;
  throw new IdewireError(
    "invalid-argument",
    `The result of resource ${describeValue(key)}: expected a string, bytes or contents, got ${describeValue(answer)}`,
  );
}

function isContents(value: unknown): value is ResourceContents {
  if (!isObject(value) || typeof value["uri"] !== "string") return false;
  return typeof value["text"] === "string" || typeof value["blob"] === "string";
}

/** Server / Resources / Error Handling. */
function notFound({ resourceNotFound }: RevisionTraits, uri: string): RpcError {
  return new RpcError(resourceNotFound, `Resource not found: ${describeValue(uri)}`, {
    uri: describePath(uri),
  });
}
