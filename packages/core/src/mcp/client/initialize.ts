import { IdewireError } from "../../errors.ts";
import { openBatch } from "../../rpc/batch.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import { sendRequest } from "../../rpc/send-request.ts";
import type { RequestOptions } from "../../rpc/sent-requests.ts";
import { describedIn, laterInInfo } from "../in-revision.ts";
import {
  type Capabilities,
  type Implementation,
  type InitializeResult,
  Method,
  mergeCapabilities,
} from "../protocol.ts";
import { badResult } from "../refusals.ts";
import {
  isLegacyRevision,
  type LegacyRevision,
  legacyRevisions,
  newestLegacyRevision,
  type RevisionTraits,
} from "../versions.ts";

/** What a client says of itself. */
export interface Introduction {
  readonly info: Implementation;
  readonly capabilities?: Capabilities;
  readonly protocolVersion?: LegacyRevision;
  readonly features?: readonly { capabilities(traits: RevisionTraits): Capabilities }[];
}

/** Sends `initialize`, checks the answer and sends `notifications/initialized`. */
export async function initialize(
  peer: Peer,
  { info, capabilities, features = [], protocolVersion }: Introduction,
  request: RequestOptions | undefined,
): Promise<InitializeResult> {
  const asked = protocolVersion ?? newestLegacyRevision;
  const able = features.map((feature) => feature.capabilities(legacyRevisions[asked]));
  const answer = await sendRequest(
    peer,
    Method.Initialize,
    {
      protocolVersion: asked,
      capabilities: mergeCapabilities(...able, capabilities),
      clientInfo: describedIn(legacyRevisions[asked], info, laterInInfo),
    },
    { ...request, silent: true },
  );
  const server = parseInitializeResult(answer);
  const revision = server.protocolVersion as LegacyRevision;
  peer.openBatch = legacyRevisions[revision].batches ? openBatch : undefined;
  peer.notify(Method.Initialized);
  return server;
}

function parseInitializeResult(answer: unknown): InitializeResult {
  if (!isObject(answer) || !isObject(answer["serverInfo"])) {
    throw badResult("server", Method.Initialize, answer);
  }
  const version = answer["protocolVersion"];
  if (!isLegacyRevision(version)) {
    throw new IdewireError(
      "version-mismatch",
      `The server speaks MCP ${describeValue(version)}; this client ${Object.keys(legacyRevisions).join(", ")}`,
    );
  }
  const capabilities = isObject(answer["capabilities"]) ? answer["capabilities"] : {};
  return { ...(answer as unknown as InitializeResult), capabilities };
}
