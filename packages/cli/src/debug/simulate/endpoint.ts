import { mkdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createToken, type DiscoveryFolder } from "@idewire/core/internal";
import type { ScenarioActions, ScriptedIde } from "@idewire/devtools/internal";
import type { IdeListener } from "@idewire/node-server";
import { listenIde } from "@idewire/node-server";
import {
  discoveryDirectory,
  type Environment,
  stateDirectory,
  writePrivateFile,
} from "@idewire/node-server/internal/files";
import { homeOf, type SimulatedHome } from "./simulated-home.ts";

/** How long a restarting editor is unreachable. */
const DOWN_MS = 100;

type Token = NonNullable<ScenarioActions["restart"]["token"]>;

/** The socket and the lock file of a simulated editor. */
export class SimulatedEndpoint {
  readonly #ide: ScriptedIde;
  readonly #home: SimulatedHome;
  #listener: IdeListener | undefined;
  /** The lock file with a wrong token, while there is one. */
  #wrongLock: string | undefined;
  #port = 0;

  constructor(ide: ScriptedIde, home: SimulatedHome) {
    this.#ide = ide;
    this.#home = home;
  }

  get port(): number {
    return this.#port;
  }

  get sessions(): IdeListener["sessions"] {
    return this.#listener?.sessions ?? new Set();
  }

  async open(token: Token): Promise<void> {
    const { host, dialect, share, log } = this.#ide;
    if (token === "new") await this.#forget();
    const listener = await listenIde(host, {
      dialects: [dialect],
      share,
      env: token === "wrong" ? this.#hiddenEnv() : this.#home.env,
      port: this.#port,
      wrapTransport: (transport) => this.#ide.watch(transport),
    });
    listener.on("ready", () => log.add({ kind: "ready" }));
    listener.on("refused", () => log.add({ kind: "refused", editor: this.#ide.name }));
    this.#listener = listener;
    const [endpoint] = listener.endpoints;
    this.#port = endpoint?.port ?? 0;
    if (token === "wrong") await this.#publishWrongToken(endpoint?.lockFile ?? "");
  }

  async restart({ token = "same", downMs = DOWN_MS }: ScenarioActions["restart"]): Promise<void> {
    await this.close();
    await sleep(downMs);
    await this.open(token);
  }

  async close(): Promise<void> {
    if (this.#wrongLock !== undefined) await rm(this.#wrongLock, { force: true });
    this.#wrongLock = undefined;
    await this.#listener?.close();
    this.#listener = undefined;
  }

  /** The record of the last run would restore its token. */
  async #forget(): Promise<void> {
    await rm(stateDirectory(this.#home.env), { recursive: true, force: true });
  }

  get #discoveryFolder(): DiscoveryFolder {
    const { dialect } = this.#ide;
    const { discovery } = dialect.endpoint;
    if (discovery === undefined) throw new Error(`${dialect.id} has no discovery file`);
    return discovery.folder;
  }

  /** A directory in which no agent looks. */
  #hiddenEnv(): Environment {
    const hidden = join(this.#home.root, "hidden");
    const config = { CLAUDE_CONFIG_DIR: join(hidden, ".claude") };
    const isByHome = this.#discoveryFolder.variable === undefined;
    return { ...this.#home.env, ...(isByHome && homeOf(hidden)), ...config };
  }

  /** The right token was never readable by an agent. */
  async #publishWrongToken(rightLock: string): Promise<void> {
    const right = JSON.parse(await readFile(rightLock, "utf8")) as object;
    const authToken = createToken();
    const directory = discoveryDirectory(this.#discoveryFolder, this.#home.env);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    this.#wrongLock = join(directory, basename(rightLock));
    await writePrivateFile(this.#wrongLock, JSON.stringify({ ...right, authToken }));
  }
}
