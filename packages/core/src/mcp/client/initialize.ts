import { badResult } from "../../rpc/bad-result.ts";
import { openBatch } from "../../rpc/batch.ts";
import { asObject, describeValue, isObject } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { describedIn, laterInInfo } from "../in-revision.ts";
import {
  type Capabilities,
  type Implementation,
  type InitializeResult,
  Method,
  mergeCapabilities,
} from "../protocol.ts";
import { mismatch } from "../refusals.ts";
import {
  isLegacyRevision,
  type LegacyRevision,
  legacyRevisionNames,
  newestLegacyRevision,
  type Revision,
  revisionWithBatches,
} from "../versions.ts";

/** What a client says of itself. */
export interface Introduction {
  readonly info: Implementation;
  readonly capabilities?: Capabilities;
  readonly protocolVersion?: LegacyRevision;
  readonly features?: readonly { capabilities(revision: Revision): Capabilities }[];
}

/** What a client announces in a revision. */
export function capabilitiesOf(
  { capabilities, features = [] }: Introduction,
  revision: Revision,
): Capabilities {
  const able = features.map((feature) => feature.capabilities(revision));
  return mergeCapabilities(...able, capabilities);
}

/** Sends `initialize`, checks the answer and sends `notifications/initialized`. */
export async function initialize(
  peer: Peer,
  introduction: Introduction,
  request: RequestOptions | undefined,
): Promise<InitializeResult> {
  const { info, protocolVersion = newestLegacyRevision } = introduction;
  const answer = await peer.request(
    Method.Initialize,
    {
      protocolVersion,
      capabilities: capabilitiesOf(introduction, protocolVersion),
      clientInfo: describedIn({ revision: protocolVersion }, info, laterInInfo),
    },
    { ...request, silent: true },
  );
  const server = parseInitializeResult(answer, peer);
  peer.openBatch = server.protocolVersion === revisionWithBatches ? openBatch : undefined;
  peer.notify(Method.Initialized);
  return server;
}

function parseInitializeResult(answer: unknown, peer: Peer): InitializeResult {
  const { serverInfo, protocolVersion, capabilities } = asObject(answer);
  if (!isObject(serverInfo)) throw badResult("server", Method.Initialize, answer, peer);
  if (!isLegacyRevision(protocolVersion)) {
    const seen = describeValue(protocolVersion, peer);
    throw mismatch(`MCP ${seen}`, legacyRevisionNames);
  }
  return { ...(answer as InitializeResult), capabilities: asObject(capabilities) };
}
