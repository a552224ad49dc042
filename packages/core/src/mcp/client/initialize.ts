import { badResult } from "../../rpc/bad-result.ts";
import { openBatch } from "../../rpc/batch.ts";
import { asObject, describeValue, isObject } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import { describedIn, laterInInfo } from "../in-revision.ts";
import {
  type Capabilities,
  type Implementation,
  type InitializeResult,
  Method,
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
import type { HandshakeOptions } from "./connection.ts";
import { withoutNulls } from "./without-nulls.ts";

/** How a client introduces itself. */
export interface Introduction {
  readonly info: Implementation;
  /** The newest legacy one by default. */
  readonly protocolVersion?: LegacyRevision | undefined;
  capabilitiesIn(revision: Revision): Capabilities;
}

/** Sends `initialize`, checks the answer and sends `notifications/initialized`. */
export async function initialize(
  peer: Peer,
  introduction: Introduction,
  options: HandshakeOptions | undefined,
): Promise<InitializeResult> {
  const { info, protocolVersion = newestLegacyRevision } = introduction;
  const answer = await peer.request(
    Method.Initialize,
    {
      protocolVersion,
      capabilities: introduction.capabilitiesIn(protocolVersion),
      clientInfo: describedIn({ revision: protocolVersion }, info, laterInInfo),
    },
    { ...options, silent: true },
  );
  const server = parseInitializeResult(answer, peer);
  peer.openBatch = server.protocolVersion === revisionWithBatches ? openBatch : undefined;
  peer.notify(Method.Initialized);
  return server;
}

function parseInitializeResult(answer: unknown, peer: Peer): InitializeResult {
  const hello = withoutNulls(asObject(answer));
  const { serverInfo, capabilities } = hello;
  const { protocolVersion } = asObject(answer);
  if (!isObject(serverInfo)) throw badResult("server", Method.Initialize, answer, peer);
  if (!isLegacyRevision(protocolVersion)) {
    const seen = describeValue(protocolVersion, peer);
    throw mismatch(`MCP ${seen}`, legacyRevisionNames);
  }
  return { ...(hello as unknown as InitializeResult), capabilities: asObject(capabilities) };
}
