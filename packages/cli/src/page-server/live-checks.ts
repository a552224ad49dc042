import { createHash } from "node:crypto";
import { messageOf } from "@idewire/core/internal/base";
import { type Peer, ToolFailure } from "@idewire/core/rpc";
import { type CheckResult, runChecks } from "@idewire/devtools/checks";
import {
  type CheckTarget,
  createRedactor,
  cutEvent,
  notifyPage,
  type PageHandlers,
  type PageMethods,
} from "@idewire/devtools/internal";
import { EventLog, type TraceEvent } from "@idewire/devtools/trace";
import { findEditors } from "@idewire/node-server";
import type { OwnConnections } from "@idewire/node-server/internal";
import type { Environment } from "@idewire/node-server/internal/files";
import { homeDirectory } from "@idewire/node-server/internal/files";
import { openCheckPort } from "../debug/check/check-port.ts";
import { readTarget } from "../debug/check/find-target.ts";
import { withoutHome } from "./without-home.ts";

/** Longer frames are cut for a page. */
const MAX_UNITS = 64_000;

/** An editor that a page may check. */
export interface CheckableEditor {
  /** Native; never sent to the page. */
  readonly lockFile: string;
  readonly name: string;
  readonly port: number;
  /** Native. */
  readonly folders: readonly string[];
  /** Whether it is this process. */
  readonly own: boolean;
}

/** The editors that a page may check. */
export interface LiveChecksOptions {
  readonly env: Environment;
  /** The running editors, the likeliest first. */
  readonly editors: () => Promise<readonly CheckableEditor[]>;
  readonly ownConnections?: OwnConnections;
}

/** Handlers by which a page checks editors of this machine, by the rules of `idewire check`. */
export function checkHandlers(
  peer: Peer,
  options: LiveChecksOptions,
): PageHandlers<"live/check-targets" | "live/check" | "live/check-stop"> {
  const checks = new LiveChecks(peer, options);
  void peer.closed.then(() => checks.stop());
  return {
    "live/check-targets": async () => ({ targets: await checks.list() }),
    "live/check": (params) => checks.run(params),
    "live/check-stop": () => {
      checks.stop();
      return {};
    },
  };
}

type CheckCall = PageMethods["live/check"];

class LiveChecks {
  readonly #peer: Peer;
  readonly #options: LiveChecksOptions;
  readonly #home: string;
  #running: AbortController | undefined;

  constructor(peer: Peer, options: LiveChecksOptions) {
    this.#peer = peer;
    this.#options = options;
    this.#home = homeDirectory(options.env);
  }

  /** By ids that do not reveal the paths of files. */
  async list(): Promise<readonly CheckTarget[]> {
    const editors = await this.#options.editors();
    return editors.map(({ lockFile, name, port, folders, own }) => ({
      ...{ id: idOf(lockFile), name, port, own },
      folders: folders.map((folder) => withoutHome(folder, this.#home)),
    }));
  }

  async run(params: CheckCall["params"]): Promise<CheckCall["result"]> {
    if (this.#running !== undefined) throw new ToolFailure("Checks are running already");
    const stop = new AbortController();
    this.#running = stop;
    try {
      return await this.#check(await this.#find(params.target), params, stop.signal);
    } finally {
      this.#running = undefined;
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Paths sent by a page are never read. */
  async #find(id: string): Promise<string> {
    const editors = await this.#options.editors();
    const found = editors.find(({ lockFile }) => idOf(lockFile) === id);
    if (found !== undefined) return found.lockFile;
    throw new ToolFailure("That editor is no longer running: choose another");
  }

  async #check(
    lockFile: string,
    { run, destructive = false, gentle = false }: CheckCall["params"],
    signal: AbortSignal,
  ): Promise<CheckCall["result"]> {
    const { env, ownConnections } = this.#options;
    const target = await readTarget(lockFile, { env }).catch((error: unknown) => {
      const words = messageOf(error);
      throw new ToolFailure(withoutHome(words, this.#home));
    });
    const port = await openCheckPort(target, ownConnections);
    const cut = (): void => port.close();
    signal.addEventListener("abort", cut, { once: true });
    const log = new EventLog();
    const frames = new Frames(log, target.token);
    try {
      const { ok, ms } = await runChecks({
        ...{ port, log, signal, destructive, gentle },
        onresult: (result) => {
          const shown = this.#clean(result);
          const events = frames.take();
          notifyPage(this.#peer, "live/check-result", { run, result: shown, events });
        },
      });
      return { ok, ms };
    } finally {
      signal.removeEventListener("abort", cut);
      port.close();
    }
  }

  #clean(result: CheckResult): CheckResult {
    return { ...result, detail: withoutHome(result.detail, this.#home) };
  }
}

/** The running editors, this folder's own first. */
export async function editorsFor(
  folder: string,
  env: Environment,
): Promise<readonly CheckableEditor[]> {
  const { files, editors } = await findEditors({ cwd: folder, env });
  const [first] = editors;
  const found = files.flatMap(({ path, port, lock, stale }) => {
    if (stale !== undefined || port === undefined || lock === undefined) return [];
    const { ideName: name = "IDE", workspaceFolders: folders } = lock;
    const own = lock.pid === process.pid && first?.lockFile === path;
    return [{ lockFile: path, name, port, folders, own }];
  });
  return found.sort((left, right) => Number(right.own) - Number(left.own));
}

/** The events since the last call, without tokens and cut to a useful length. */
class Frames {
  readonly #redactor = createRedactor({ only: ["token"] });
  #events: TraceEvent[] = [];

  constructor(log: EventLog, token: string | undefined) {
    // Known even if it does not look like a token.
    if (token !== undefined) this.#redactor.hide(token);
    log.on("append", (event) => this.#events.push(event));
  }

  take(): readonly TraceEvent[] {
    const events = this.#events;
    this.#events = [];
    return events.map((event) => this.#redactor.redact(cutEvent(event, MAX_UNITS)));
  }
}

function idOf(path: string): string {
  return createHash("sha256").update(path).digest("base64url").slice(0, 16);
}
