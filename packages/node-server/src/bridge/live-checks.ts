import { createHash } from "node:crypto";
import { type Peer, RpcError } from "@idewire/core";
import { type CheckResult, cutEvent, runChecks } from "@idewire/core/checks";
import { createRedactor, EventLog, type TraceEvent } from "@idewire/core/trace";
import { openCheckPort } from "../check/check-port.ts";
import { readTarget } from "../check/find-target.ts";
import { type Environment, homeDirectory } from "../directories.ts";
import { type EditorSearch, findEditors } from "../discovery/find-editors.ts";
import type { FolderLog } from "./folder-log.ts";
import { withoutHome } from "./without-home.ts";

/** The code of a failure that the person should read, as in the host protocol. */
const FAILURE_CODE = 1;

/** Of a longer frame a page gets the beginning. */
const MAX_UNITS = 64_000;

/** Which editors a page may have checked. */
export interface LiveChecksOptions {
  /** Native. */
  readonly folder: string;
  readonly env: Environment;
  readonly log: Pick<FolderLog, "own">;
}

/** Lets a page have the editors of this machine checked, by the rules of `idewire check`. */
export function serveChecks(peer: Peer, options: LiveChecksOptions): void {
  const checks = new LiveChecks(peer, options);
  peer.handle("live/check-targets", () => checks.list());
  peer.handle("live/check", ({ params }) => checks.run(params ?? {}));
  peer.handle("live/check-stop", () => {
    checks.stop();
    return {};
  });
  void peer.closed.then(() => checks.stop());
}

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

  /** Who lives, this folder's own first: by ids that say nothing of where its file is. */
  async list(): Promise<object> {
    const { files, editors } = await this.#search();
    const [own] = editors;
    const targets = files.flatMap(({ path, port, lock, stale }) => {
      if (stale !== undefined || port === undefined || lock === undefined) return [];
      const folders = lock.workspaceFolders.map((folder) => withoutHome(folder, this.#home));
      const isOwn = lock.pid === process.pid && own?.lockFile === path;
      return [{ id: idOf(path), name: lock.ideName ?? "IDE", port, folders, own: isOwn }];
    });
    return { targets: targets.sort((left, right) => Number(right.own) - Number(left.own)) };
  }

  async run(params: Readonly<Record<string, unknown>>): Promise<object> {
    if (this.#running !== undefined) throw new RpcError(FAILURE_CODE, "Checks are running already");
    const stop = new AbortController();
    this.#running = stop;
    try {
      return await this.#check(await this.#find(params["target"]), params, stop.signal);
    } finally {
      this.#running = undefined;
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  /** No path that a page names is ever read. */
  async #find(id: unknown): Promise<string> {
    const { files } = await this.#search();
    const found = files.find(({ path }) => idOf(path) === id);
    if (found !== undefined) return found.path;
    throw new RpcError(FAILURE_CODE, "That editor has gone: choose another");
  }

  async #check(
    lockFile: string,
    { run, destructive }: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<object> {
    const { env, log: folder } = this.#options;
    const target = await readTarget(lockFile, { env });
    const port = await openCheckPort(target, folder.own);
    const cut = (): void => port.close();
    signal.addEventListener("abort", cut, { once: true });
    const log = new EventLog();
    const frames = new Frames(log, target.token);
    try {
      const { ok, ms } = await runChecks({
        ...{ port, log, signal, destructive: destructive === true },
        onresult: (result) => {
          const shown = this.#clean(result);
          this.#peer.notify("live/check-result", { run, result: shown, events: frames.take() });
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

  #search(): Promise<EditorSearch> {
    const { folder: cwd, env } = this.#options;
    return findEditors({ cwd, env });
  }
}

/** What has passed since it was asked for last, without tokens and what is too long to prove more. */
class Frames {
  readonly #redactor = createRedactor({ only: ["token"] });
  readonly #token: string | undefined;
  #events: TraceEvent[] = [];

  constructor(log: EventLog, token: string | undefined) {
    this.#token = token;
    log.on("append", (event) => this.#events.push(event));
  }

  take(): readonly TraceEvent[] {
    const events = this.#events;
    this.#events = [];
    return events.map((event) => this.#redactor.redact(this.#hide(cutEvent(event, MAX_UNITS))));
  }

  /** A token that looks like none is known all the same. */
  #hide(event: TraceEvent): TraceEvent {
    if (!this.#token || event.ev !== "frame") return event;
    return { ...event, raw: event.raw.replaceAll(this.#token, "(the token)") };
  }
}

function idOf(path: string): string {
  return createHash("sha256").update(path).digest("base64url").slice(0, 16);
}
