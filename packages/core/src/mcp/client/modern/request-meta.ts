import { asObject, type Params } from "../../../rpc/message.ts";
import { CAPABILITIES, CLIENT_INFO, VERSION } from "../../modern-keys.ts";
import { modernRevision } from "../../versions.ts";
import type { ClientDefinition } from "../client-era.ts";

/** The `_meta` of a request: what its caller wants, and what each request says of its client. */
export function metaOf(
  { info, capabilities, meta }: Pick<ClientDefinition, "info" | "capabilities" | "meta">,
  params?: Params,
): Params {
  return {
    ...asObject(params?.["_meta"]),
    ...Object.fromEntries(meta),
    [VERSION]: modernRevision,
    [CLIENT_INFO]: info,
    [CAPABILITIES]: capabilities,
  };
}
