import type { ResourceContents, ResourceDescription } from "../../content.ts";
import type { CacheHint } from "../cache-hints.ts";
import type { ServerCall } from "../server-call.ts";
import type { Completer } from "./completer.ts";
import type { VariablesOf } from "./uri-template.ts";

/** The result of reading a resource: a text, bytes, contents, or several; undefined when it does not exist. */
export type ResourceAnswer =
  | string
  | Uint8Array
  | ResourceContents
  | readonly ResourceContents[]
  | undefined;

/** The definition of a resource, or of all resources whose URIs match a template. */
export interface ResourceOptions<Context = unknown, Uri extends string = string>
  extends Omit<ResourceDescription, "uri"> {
  /** How long clients of 2026-07-28 may cache the contents; by default as the server's option specifies. */
  readonly caching?: CacheHint;
  /** For a template: completes its variables, by name. */
  readonly complete?: { readonly [Name in keyof VariablesOf<Uri>]?: Completer<Context> };
  /** For a template: the resources that `resources/list` includes. */
  list?(
    this: void,
    call: ServerCall<Context>,
  ): readonly ResourceDescription[] | Promise<readonly ResourceDescription[]>;
  /**
   * Called when a client of this instance subscribes, for an application that checks for changes only while {@link
   * McpServer.isSubscribed}.
   */
  onsubscribe?(this: void, uri: string): void;
}

/** Reads a resource; `call.name` is its URI. */
export type ResourceHandler<Context = unknown, Uri extends string = string> = {
  read(
    variables: VariablesOf<Uri>,
    call: ServerCall<Context>,
  ): ResourceAnswer | Promise<ResourceAnswer>;
}["read"];
