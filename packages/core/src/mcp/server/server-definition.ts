import type { Call } from "../../rpc/call.ts";
import type { SerializedJson } from "../../rpc/message.ts";
import type { InitializeResult } from "../protocol.ts";
import type { Revision } from "../versions.ts";
import type { NegotiatedParameters } from "./negotiated-parameters.ts";
import type { FeatureHandler } from "./server-feature.ts";
import type { McpServerOptions } from "./server-options.ts";
import type { Tool } from "./tool.ts";

/** What a connection needs of the server that it belongs to. */
export interface ServerDefinition<Context> {
  readonly options: McpServerOptions<Context>;
  readonly negotiated: NegotiatedParameters;
  describe(revision: Revision): Pick<InitializeResult, "capabilities" | "serverInfo">;
  tool(name: string): Tool<Context> | undefined;
  toolList(revision: Revision, cursor?: unknown): SerializedJson;
  handlerOf(call: Call): FeatureHandler<Context> | undefined;
}
