import { badResult } from "../../rpc/bad-result.ts";
import { openBatch } from "../../rpc/batch.ts";
import { asObject, isObject } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import { describeValue } from "../../text/describe-value.ts";
import { describedIn, laterInInfo } from "../in-revision.ts";
import {
  type Capabilities,
  type Implementation,
  type InitializeResult,
  Method,
} from "../protocol.ts";
import { isModernError, mismatch } from "../refusals.ts";
import {
  isLegacyRevision,
  type LegacyRevision,
  legacyRevisionNames,
  newestLegacyRevision,
  type Revision,
  revisionWithBatches,
} from "../versions.ts";
import type { HandshakeOptions } from "./connection.ts";
import { isHeaderTransport } from "./modern/header-transport.ts";
import { waitWithin } from "./wait-within.ts";
import { withoutNulls } from "./without-nulls.ts";

/** How a client introduces itself. */
export interface Introduction {
  readonly info: Implementation;
  /** The newest legacy one that the server accepts by default. */
  readonly protocolVersion?: LegacyRevision | undefined;
  capabilitiesIn(revision: Revision): Capabilities;
}

/**
 * Sends `initialize`, checks the answer and sends `notifications/initialized`. A server that refuses the newest
 * revision over HTTP with 400, in place of naming another one, is asked for the older ones in turn.
 */
export async function initialize(
  peer: Peer,
  introduction: Introduction,
  options: HandshakeOptions | undefined,
): Promise<InitializeResult> {
  const { protocolVersion } = introduction;
  const wanted = protocolVersion === undefined ? legacyRevisionNames : [protocolVersion];
  for (let at = wanted.length - 1; ; at -= 1) {
    const revision = wanted[at] ?? newestLegacyRevision;
    try {
      return await initializeIn(revision, { peer, introduction, options });
    } catch (error) {
      if (at <= 0 || !isRefusedRevision(error)) throw error;
    }
  }
}

interface Handshake {
  readonly peer: Peer;
  readonly introduction: Introduction;
  readonly options: HandshakeOptions | undefined;
}

async function initializeIn(
  revision: LegacyRevision,
  { peer, introduction, options }: Handshake,
): Promise<InitializeResult> {
  const answer = await peer.request(
    Method.Initialize,
    {
      protocolVersion: revision,
      capabilities: introduction.capabilitiesIn(revision),
      clientInfo: describedIn({ revision }, introduction.info, laterInInfo),
    },
    { ...options, silent: true },
  );
  const server = parseInitializeResult(answer, peer);
  peer.openBatch = server.protocolVersion === revisionWithBatches ? openBatch : undefined;
  peer.notify(Method.Initialized);
  const { transport } = peer;
  // The first message with the revision in a header.
  if (isHeaderTransport(transport)) {
    await waitWithin(transport.begun(), Method.Initialized, options, peer.options.clock);
  }
  return server;
}

/** Whether a server over HTTP refuses the revision, by the status that the specification defines for that. */
function isRefusedRevision(error: unknown): boolean {
  return error instanceof Error && error.cause === 400 && !isModernError(error);
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
