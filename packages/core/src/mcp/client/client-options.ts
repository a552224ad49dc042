import { IdewireError } from "../../errors.ts";
import {
  optionNames,
  requireFunction,
  requireKnownOptions,
  requireOneOf,
  requireText,
} from "../../misuse.ts";
import { isObject, type Params } from "../../rpc/message.ts";
import { PEER_OPTIONS, type PeerOptions } from "../../rpc/peer-options.ts";
import { describeValue } from "../../text/describe-value.ts";
import {
  type Capabilities,
  type Implementation,
  INFO_NAMES,
  mergeCapabilities,
} from "../protocol.ts";
import type { LegacyRevision, Revision } from "../versions.ts";
import type { ClientFeature } from "./feature.ts";

/** The identity and the features of a client. */
export interface McpClientOptions extends Implementation {
  /** Capabilities to announce in addition to those of the features. */
  readonly capabilities?: Capabilities;
  /** `elicitation`, `sampling`, `Roots`, `tasks`, `resultCache`. */
  readonly features?: readonly ClientFeature[];
  /** The eras of MCP to speak; `auto`, the default, is the modern one where the server has it, else the legacy one. */
  readonly era?: "auto" | "legacy" | "modern";
  /** The revision to request by `initialize`, without asking for the modern era; the newest by default. */
  readonly protocolVersion?: LegacyRevision;
  /**
   * How long a server may be silent before it is asked in the legacy era; 5000 by default. Not used by clients of
   * the modern era only.
   */
  readonly probeTimeoutMs?: number;
  /** How long the handshake may take; 60,000 by default. */
  readonly timeoutMs?: number;
  /** Cancels the handshake. */
  readonly signal?: AbortSignal;
  /** Whether a transport that has closed is replaced; true by default where a function opens it. */
  readonly reopen?: boolean;
  /** Called for every notification of the server, in order of arrival. */
  readonly onnotification?: (method: string, params: Params | undefined) => void;
  /** Called with a fault of the server that leaves a part of its answer usable; the caller receives that part. */
  readonly onwarning?: (words: string) => void;
  /** Called with unexpected errors of handlers; `console.error` by default. */
  readonly onerror?: (error: Error) => void;
  /** Limits of the conversation. */
  readonly peer?: Omit<PeerOptions, "handler" | "lifecycle" | "isClient" | "onerror">;
}

const OPTIONS = optionNames<McpClientOptions>({
  ...INFO_NAMES,
  capabilities: true,
  features: true,
  era: true,
  protocolVersion: true,
  probeTimeoutMs: true,
  timeoutMs: true,
  signal: true,
  reopen: true,
  onnotification: true,
  onwarning: true,
  onerror: true,
  peer: true,
});

/** @throws IdewireError `invalid-argument` for an unknown or invalid option, by name */
export function requireClientOptions(options: McpClientOptions): void {
  const owner = "An MCP client";
  requireKnownOptions(owner, options, OPTIONS);
  const { name, version, features = [], era, peer = {} } = options;
  requireText(`${owner}, name`, name);
  requireText(`${owner}, version`, version);
  requireOneOf(`${owner}, era`, era, ["auto", "legacy", "modern"]);
  requireKnownOptions(`${owner}, peer`, peer, PEER_OPTIONS);
  for (const call of ["onnotification", "onwarning", "onerror"] as const) {
    if (options[call] !== undefined) requireFunction(`${owner}, ${call}`, options[call]);
  }
  if (!Array.isArray(features)) throw wrongFeature("features", "a list of features", features);
  for (const [index, feature] of features.entries()) {
    if (!isObject(feature))
      throw wrongFeature(`features[${index}]`, "a feature, such as tasks()", feature);
  }
}

function wrongFeature(member: string, expected: string, value: unknown): IdewireError {
  const seen = typeof value === "function" ? "a function" : describeValue(value);
  const text = `An MCP client, ${member}: expected ${expected}, got ${seen}`;
  return new IdewireError("invalid-argument", text);
}

/** The capabilities that a client announces in a revision. */
export function capabilitiesOf(
  { capabilities, features = [] }: Pick<McpClientOptions, "capabilities" | "features">,
  revision: Revision,
): Capabilities {
  const able = features.map((feature) => feature.capabilities?.(revision));
  return mergeCapabilities(...able, capabilities);
}
