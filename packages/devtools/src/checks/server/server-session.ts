import { describeValue, isObject, modernRevision } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { CheckConnection, Received } from "../check-connection.ts";
import { CheckFailed } from "../verdict.ts";

/** The revision that is requested first in the legacy era. */
export const LEGACY_REVISION = "2025-11-25";

const CLIENT = { name: "idewire-check", title: "idewire check", version: "1" };

/** The parameters of `initialize`. */
export function introduction(revision: string = LEGACY_REVISION): Params {
  return { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT };
}

/** The metadata of each request of the modern era. */
export function requestMeta(revision: string = modernRevision): Params {
  return {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
  };
}

type Answer = Received & { readonly result: Params };

/** A conversation with an MCP server, in one era. */
export class ServerSession {
  readonly connection: CheckConnection;
  readonly era: "legacy" | "modern";
  readonly revision: string;
  /** The answer to `initialize`, or to `server/discover`. */
  readonly established: Answer;

  private constructor(
    connection: CheckConnection,
    { era, revision, established }: Pick<ServerSession, "era" | "revision" | "established">,
  ) {
    this.connection = connection;
    this.era = era;
    this.revision = revision;
    this.established = established;
  }

  static async initialize(this: void, connection: CheckConnection): Promise<ServerSession> {
    const established = await connection.result("initialize", introduction());
    connection.notify("notifications/initialized");
    const revision = String(established.result["protocolVersion"]);
    return new ServerSession(connection, { era: "legacy", revision, established });
  }

  /** @throws CheckFailed if the server does not speak 2026-07-28 */
  static async discover(this: void, connection: CheckConnection): Promise<ServerSession> {
    const established = await connection.result("server/discover", { _meta: requestMeta() });
    const { supportedVersions: versions } = established.result;
    const isKnown = Array.isArray(versions) && versions.includes(modernRevision);
    if (!isKnown) throw new CheckFailed(`supportedVersions is ${describeValue(versions)}`);
    return new ServerSession(connection, { era: "modern", revision: modernRevision, established });
  }

  get capabilities(): Params {
    const { capabilities } = this.established.result;
    return isObject(capabilities) ? capabilities : {};
  }

  declares(capability: string): boolean {
    return Object.hasOwn(this.capabilities, capability);
  }

  /** The parameters of a request in this era. */
  params(params: Params = {}): Params {
    return this.era === "legacy" ? params : { ...params, _meta: requestMeta() };
  }

  /** @throws CheckFailed when no answer comes, or the connection closes */
  request(method: string, params?: Params): Promise<Received> {
    return this.connection.request(method, this.params(params));
  }

  /** @throws CheckFailed when the answer is an error, or its result is not an object */
  result(method: string, params?: Params): Promise<Answer> {
    return this.connection.result(method, this.params(params));
  }

  /** Waits until everything that was sent before is certainly processed. */
  async settle(): Promise<void> {
    await this.request(this.era === "legacy" ? "ping" : "server/discover");
  }
}
