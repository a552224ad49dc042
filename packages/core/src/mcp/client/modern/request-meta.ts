import { asObject, type Params } from "../../../rpc/message.ts";
import { CAPABILITIES, CLIENT_INFO, VERSION } from "../../modern-keys.ts";
import type { Capabilities, Implementation } from "../../protocol.ts";
import { modernRevision } from "../../versions.ts";

/** The client's identity and capabilities in each request. */
export interface RequestMeta {
  readonly info: Implementation;
  readonly capabilities: Capabilities;
  /** Further members. */
  readonly meta: ReadonlyMap<string, unknown>;
}

/** The `_meta` of a request, with the members that its caller has set. */
export function metaOf({ info, capabilities, meta }: RequestMeta, params?: Params): Params {
  return {
    ...asObject(params?.["_meta"]),
    ...Object.fromEntries(meta),
    [VERSION]: modernRevision,
    [CLIENT_INFO]: info,
    [CAPABILITIES]: capabilities,
  };
}
