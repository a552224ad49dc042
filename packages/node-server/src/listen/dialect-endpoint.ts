import { randomUUID } from "node:crypto";
import type { Dialect, IdeServer, IdeSession } from "@idewire/core";
import { IdewireError } from "@idewire/core/rpc";
import type { ResumeEndpoint } from "../discovery/folder-claim.ts";
import { publishLockFile, sweepLockFiles } from "../discovery/lock-file.ts";
import type { PublishedLockFile } from "../discovery/published-lock-file.ts";
import { discoveryDirectory } from "../files/directories.ts";
import { ownDirectory } from "../files/own-folders.ts";
import { ownIdentity } from "../process/liveness.ts";
import type { AgentEndpoint, EndpointPlace } from "./agent-endpoint.ts";
import type { OfferedFolder } from "./agent-side.ts";
import { createServer, type ListenerContext } from "./create-server.ts";
import { kindOf } from "./endpoint-kinds.ts";
import type { IdeEndpoint } from "./listen-options.ts";

/** One dialect's server, its endpoint, and the discovery file for its agents. */
export class DialectEndpoint {
  readonly dialect: Dialect;
  readonly ide: IdeServer;
  readonly #context: ListenerContext;
  readonly #endpoint: AgentEndpoint;
  readonly #token: string;
  /** The part of the file's name that distinguishes it from those of other endpoints. */
  readonly #unique = randomUUID();
  #place: EndpointPlace = {};
  #lockFile: PublishedLockFile | undefined;
  #folders: readonly string[] = [];
  #askedMs: number | undefined;

  constructor(dialect: Dialect, token: string, context: ListenerContext) {
    this.dialect = dialect;
    this.#token = token;
    this.#context = context;
    this.ide = createServer(dialect, context);
    this.#endpoint = createEndpoint(this.ide, token, context);
    if (dialect.isBrief !== true) return;
    // A request for one of our folders.
    this.ide.events.on("identified", () => {
      this.#askedMs = Date.now();
      context.onasked();
    });
  }

  /** Where it is, for agents. */
  get facts(): IdeEndpoint {
    const { id, endpoint } = this.dialect;
    const host = urlHost(this.#context.options.address);
    return {
      ...{ dialect: id, kind: endpoint.kind, ...this.#place },
      url: this.#endpoint.urlAt(host, this.#place),
      ...(this.#lockFile !== undefined && { lockFile: this.#lockFile.path }),
      folders: this.#folders,
      ...(this.#askedMs !== undefined && {
        asked: { agent: titleOf(this.dialect), lastMs: this.#askedMs },
      }),
    };
  }

  /** The connected agents; those that connect for a prompt at a time are not among them. */
  get sessions(): ReadonlySet<IdeSession> {
    return this.dialect.isBrief === true ? new Set() : this.ide.sessions;
  }

  /** For the record of this run. */
  get resumption(): ResumeEndpoint {
    const { port, socketPath } = this.#place;
    const asked = this.#askedMs === undefined ? {} : { askedMs: this.#askedMs };
    const more = { token: this.#token, ...asked };
    return socketPath === undefined ? { port: port ?? 0, ...more } : { socketPath, ...more };
  }

  /** @throws IdewireError `port-in-use`, `file-system`, `invalid-argument` */
  async listen(place: EndpointPlace, offered: readonly OfferedFolder[]): Promise<void> {
    this.#place = await this.#endpoint.listen(place);
    await this.#publish(offered);
  }

  /** Publishes these folders for agents that look for an editor from now on; returns whether they have changed. */
  async offer(offered: readonly OfferedFolder[]): Promise<boolean> {
    const seen = offered.map((folder) => folder.seen);
    if (JSON.stringify(this.#folders) === JSON.stringify(seen)) return false;
    const former = this.#lockFile;
    await this.#publish(offered);
    former?.stop();
    return true;
  }

  admit(): void {
    this.#endpoint.admit();
  }

  /** Removes the discovery file synchronously, so that this works while the process exits. */
  removeLockFile(): void {
    this.#lockFile?.remove();
  }

  /** For the end of the process: removes everything that it would leave. */
  abandon(): void {
    this.removeLockFile();
    this.#endpoint.abandon?.();
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }

  async #publish(offered: readonly OfferedFolder[]): Promise<void> {
    const { side, env, warn } = this.#context;
    const { discovery } = this.dialect.endpoint;
    const folders = offered.map(({ seen }) => seen);
    if (discovery !== undefined) {
      const sent = {
        ...{ ...this.#place, token: this.#token, ideName: side.host.name },
        ...{ process: ownIdentity(), ...side.publish(folders) },
        ...{ writtenMs: Date.now(), isTrusted: side.host.workspace().trusted },
      };
      this.#lockFile = await publishLockFile(discovery, sent, {
        ...{ directory: discoveryDirectory(discovery.folder, env), unique: this.#unique, warn },
      });
    }
    this.#folders = folders;
  }
}

/** A failure for one family of agents does not prevent the others from finding the editor. */
export function cannotConnect(dialect: Dialect, { message }: Error): Error {
  return new Error(`${titleOf(dialect)} cannot connect: ${message}`);
}

function titleOf({ id, agent }: Dialect): string {
  return agent?.title ?? id;
}

/**
 * Opens the endpoint of a dialect at the first place that is free.
 * @throws IdewireError `port-in-use`, `file-system`, `invalid-argument`
 */
export async function openDialect(
  dialect: Dialect,
  context: ListenerContext,
  {
    offered,
    places: [{ token, ...place } = { token: "" }, ...others],
  }: {
    readonly offered: readonly OfferedFolder[];
    readonly places: readonly ResumeEndpoint[];
  },
): Promise<DialectEndpoint> {
  const opened = new DialectEndpoint(dialect, token, context);
  try {
    await opened.listen(place, offered);
    return opened;
  } catch (error) {
    await opened.close();
    const isTaken = error instanceof IdewireError && error.code === "port-in-use";
    if (!isTaken || others.length === 0) throw error;
    return openDialect(dialect, context, { offered, places: others });
  }
}

/** Removes the discovery files that our crashed runs have left for the agents of a dialect. */
export async function sweepFor(
  { endpoint: { discovery } }: Dialect,
  { env, warn }: ListenerContext,
): Promise<void> {
  if (discovery === undefined) return;
  const directory = await ownDirectory(discovery.folder, env);
  for (const trouble of await sweepLockFiles(discovery, directory)) warn(trouble);
}

function createEndpoint(ide: IdeServer, token: string, context: ListenerContext): AgentEndpoint {
  const { options, env, limits, budget, side, events, warn } = context;
  const { address = "127.0.0.1", allowedHosts = [], allowedOrigins = [], wrapTransport } = options;
  const { Endpoint } = kindOf(ide.dialect.endpoint);
  return new Endpoint(ide, {
    ...{ address, env, token, limits, budget, wrapTransport },
    warn: (error) => warn(cannotConnect(ide.dialect, error)),
    policy: { allowedHosts: allowedHosts.map((host) => host.toLowerCase()), allowedOrigins },
    seesAgents: side.isLocal,
    onrefused: () => events.emit("refused"),
  });
}

function urlHost(address = "127.0.0.1"): string {
  return address.includes(":") ? `[${address}]` : address;
}
