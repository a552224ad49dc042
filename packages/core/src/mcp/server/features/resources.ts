import type { Unsubscribe } from "../../../emitter.ts";
import { RpcError } from "../../../errors.ts";
import type { Call } from "../../../rpc/call.ts";
import { describeValue, methodNotFound } from "../../../rpc/message.ts";
import type {
  ResourceContents,
  ResourceDescription,
  ResourceTemplateDescription,
} from "../../content.ts";
import { describedIn } from "../../in-revision.ts";
import { UPDATED } from "../../modern-keys.ts";
import type { Capabilities } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import type { RevisionTraits } from "../../versions.ts";
import type { CacheHint } from "../cache-hints.ts";
import type { Caller } from "../caller.ts";
import { NamedList } from "../named-list.ts";
import { pageOf } from "../pagination.ts";
import type { AttachedServer, Audience, FeatureHandler, ServerFeature } from "../server-feature.ts";
import { RESOURCE_SUBSCRIPTIONS, type Topic, textsOf, updatedResources } from "../topic.ts";
import type { Completer, Completers, CompletionSource } from "./completion.ts";
import { createUriMatcher, type UriVariables } from "./uri-template.ts";

/** How many resources one connection may subscribe to. */
const MAX_SUBSCRIPTIONS = 1000;

/** What reading a resource returns; undefined when it does not exist. */
export type ReadOutcome = ResourceContents | readonly ResourceContents[] | undefined;

/** A resource of a server. */
export interface Resource<Context = unknown> extends ResourceDescription {
  /** How long clients of 2026-07-28 may keep what is read; by default as the era says. */
  readonly caching?: CacheHint;
  read(uri: string, context: Context, call: Call): ReadOutcome | Promise<ReadOutcome>;
}

/** The resources whose URIs match a template. */
export interface ResourceTemplate<Context = unknown> extends ResourceTemplateDescription {
  /** How long clients of 2026-07-28 may keep what is read; by default as the era says. */
  readonly caching?: CacheHint;
  /** The completers of its variables, by name. */
  readonly complete?: Readonly<Record<string, Completer<Context>>>;
  read(
    found: { readonly uri: string; readonly variables: UriVariables },
    context: Context,
    call: Call,
  ): ReadOutcome | Promise<ReadOutcome>;
  /** The resources that `resources/list` includes. */
  list?(context: Context): readonly ResourceDescription[] | Promise<readonly ResourceDescription[]>;
}

export interface ResourcesOptions<Context = unknown> {
  readonly resources?: readonly Resource<Context>[];
  readonly templates?: readonly ResourceTemplate<Context>[];
  /** Whether clients may subscribe; the application then calls {@link Resources.updated}. */
  readonly subscriptions?: boolean;
  /**
   * Called when a client of this instance subscribes to a resource, for an application that looks for changes
   * only while {@link Resources.isSubscribed}.
   */
  readonly onsubscribe?: (uri: string) => void;
  /** How many entries a page of a list has; all of them by default. */
  readonly pageSize?: number;
}

interface Found<Context> {
  readonly caching: CacheHint | undefined;
  read(context: Context, call: Call): ReadOutcome | Promise<ReadOutcome>;
}

interface Matched<Context> {
  readonly template: ResourceTemplate<Context>;
  readonly match: (uri: string) => UriVariables | undefined;
}

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
  readonly #options: ResourcesOptions<Context>;
  readonly #resources: NamedList<Resource<Context>>;
  readonly #templates: readonly Matched<Context>[];
  #server: AttachedServer<Context> | undefined;

  constructor(options: ResourcesOptions<Context>) {
    const { resources, templates = [], subscriptions = false, onsubscribe } = options;
    this.#options = options;
    this.#resources = new NamedList("resource", ({ uri }) => uri, resources);
    this.#templates = templates.map((template) => ({
      template,
      match: createUriMatcher(template.uriTemplate),
    }));
    this.topics = onsubscribe === undefined ? {} : topicsOf(onsubscribe);
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
    const { subscriptions = false } = this.#options;
    return { resources: { listChanged: true, ...(subscriptions && { subscribe: true }) } };
  }

  attach(server: AttachedServer<Context>): void {
    this.#server = server;
  }

  /**
   * Adds a resource and notifies every client; the undo removes it again.
   * @throws IdewireError `invalid-argument` when there is a resource with the URI
   */
  add(resource: Resource<Context>): Unsubscribe {
    return this.#resources.add(resource, () => this.listChanged());
  }

  /** Notifies every client that the list has changed. */
  listChanged(): void {
    this.#server?.emit("notifications/resources/list_changed");
  }

  /** Whether a client of this instance is subscribed to a resource now. */
  isSubscribed(uri: string): boolean {
    return this.#server?.isHeard(UPDATED, { uri }) === true;
  }

  /** Notifies the subscribers of a resource that its contents have changed. */
  updated(uri: string): void {
    this.#server?.emit(UPDATED, { uri });
  }

  completersOf({ type, uri }: Readonly<Record<string, unknown>>): Completers<Context> | undefined {
    if (type !== "ref/resource") return undefined;
    const found = this.#templates.find(({ template }) => template.uriTemplate === uri);
    if (found === undefined) return undefined;
    const { uriTemplate, complete = {} } = found.template;
    const names = [...uriTemplate.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => name ?? "");
    return new Map(names.map((name) => [name, complete[name]]));
  }

  #list(call: Call, caller: Caller<Context>): unknown {
    const own = this.#resources.all;
    const more = this.#templates.flatMap(({ template }) =>
      template.list === undefined ? [] : [template.list(caller.context)],
    );
    if (more.length === 0) return this.#page(own, call, caller);
    return Promise.all(more.map((list) => Promise.resolve(list))).then((lists) =>
      this.#page([...own, ...lists.flat()], call, caller),
    );
  }

  #page(
    all: readonly ResourceDescription[],
    { params }: Call,
    { traits }: Caller<Context>,
  ): unknown {
    const { pageSize } = this.#options;
    const cursor = params?.["cursor"];
    // A template may list resources that are listed already.
    const unique = [...new Map(all.map((item) => [item.uri, item])).values()];
    const { items, ...more } = pageOf(unique, { keyOf: ({ uri }) => uri, cursor, pageSize });
    const resources = items.map((item) => described(traits, item));
    return { resources, ...more };
  }

  #listTemplates({ params }: Call, { traits }: Caller<Context>): unknown {
    const { templates = [], pageSize } = this.#options;
    const keyOf = ({ uriTemplate }: ResourceTemplateDescription) => uriTemplate;
    const { items, ...more } = pageOf(templates, { keyOf, cursor: params?.["cursor"], pageSize });
    const resourceTemplates = items.map(({ complete: _, ...item }) => described(traits, item));
    return { resourceTemplates, ...more };
  }

  #read(call: Call, { context, traits }: Caller<Context>): unknown {
    const uri = uriOf(call);
    const found = this.#find(uri);
    const outcome = found?.read(context, call);
    const finish = (contents: ReadOutcome) => {
      if (contents === undefined) throw notFound(traits, uri);
      const hint = traits.stateless ? found?.caching : undefined;
      return { contents: Array.isArray(contents) ? contents : [contents], ...hint };
    };
    return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
  }

  /** How a URI is read; undefined when no resource or template matches. */
  #find(uri: string): Found<Context> | undefined {
    const own = this.#resources.get(uri);
    if (own !== undefined) {
      const { caching } = own;
      return { caching, read: (context, call) => own.read(uri, context, call) };
    }
    for (const { template, match } of this.#templates) {
      const variables = match(uri);
      if (variables !== undefined) {
        const { caching } = template;
        const found = { uri, variables };
        return { caching, read: (context, call) => template.read(found, context, call) };
      }
    }
    return undefined;
  }

  #subscribe(call: Call, caller: Caller<Context>): unknown {
    if (caller.set === undefined) return methodNotFound(call.method);
    const uri = uriOf(call);
    if (this.#find(uri) === undefined) throw notFound(caller.traits, uri);
    const { subscriptions = [] } = caller.settings;
    if (subscriptions.includes(uri)) return {};
    if (subscriptions.length >= MAX_SUBSCRIPTIONS) {
      throw invalidParams(`uri: the limit of ${MAX_SUBSCRIPTIONS} subscriptions is reached`);
    }
    caller.set({ ...caller.settings, subscriptions: [...subscriptions, uri] });
    this.#options.onsubscribe?.(uri);
    return {};
  }

  #unsubscribe(call: Call, caller: Caller<Context>): unknown {
    if (caller.set === undefined) return methodNotFound(call.method);
    const uri = uriOf(call);
    const subscriptions = caller.settings.subscriptions?.filter((each) => each !== uri) ?? [];
    caller.set({ ...caller.settings, subscriptions });
    return {};
  }
}

/** The subscriptions of the modern era. */
function topicsOf(onsubscribe: (uri: string) => void): Readonly<Record<string, Topic>> {
  const narrow = (wanted: unknown) => {
    const uris = textsOf(RESOURCE_SUBSCRIPTIONS, wanted);
    for (const uri of uris) onsubscribe(uri);
    return uris;
  };
  return { [RESOURCE_SUBSCRIPTIONS]: { ...updatedResources, narrow } };
}

function uriOf({ params }: Call): string {
  const uri = params?.["uri"];
  if (typeof uri === "string") return uri;
  throw invalidParams(`uri: expected string, got ${describeValue(uri)}`);
}

/** The description of a resource or template, without what is for this end. */
function described(
  traits: RevisionTraits,
  { caching: _, ...item }: { readonly caching?: CacheHint; readonly name: string },
): object {
  return describedIn(traits, item);
}

/** Server / Resources / Error Handling. */
function notFound({ resourceNotFound }: RevisionTraits, uri: string): RpcError {
  return new RpcError(resourceNotFound, `Resource not found: ${describeValue(uri)}`, { uri });
}
