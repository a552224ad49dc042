import { randomBytes } from "node:crypto";
import { type Peer, RpcError, RpcErrorCode } from "@idewire/core";
import type { EventLog, TraceEvent } from "@idewire/core/trace";
import type { Inspection } from "../inspect/index.ts";
import { readPageFiles } from "./page-files.ts";
import { PageServer, type PageServerOptions } from "./page-server.ts";

/** So much is told at once; a page that is slow gets the next when it has taken these. */
const MAX_EVENTS = 500;
const MAX_UNITS = 1 << 20;
/** Of a longer frame a page gets the beginning only: it has to draw it. */
const MAX_PAGE_UNITS = 1 << 22;
const BEGINNING_UNITS = 1 << 16;
/** The longest frame that a person sends from a page. */
const MAX_SENT_UNITS = 1 << 24;

/** What a page shows. */
export interface InspectPageOptions extends Omit<PageServerOptions, "onpage" | "files"> {
  readonly inspection: Inspection;
  /** Native: where agents are to be started. */
  readonly folder: string;
}

/** Serves the page on loopback: it shows the log as it grows. Whoever opens it closes it. */
export async function openInspectPage(options: InspectPageOptions): Promise<PageServer> {
  const { inspection, folder, ...rest } = options;
  const createLink = (): string => server.createLink();
  const server: PageServer = await PageServer.open({
    ...rest,
    files: readPageFiles("inspect"),
    onpage: (peer, key) => serveInspectPage(peer, { key, inspection, folder, createLink }),
  });
  return server;
}

/** A page, and what it is shown. */
export interface ShownInspection {
  readonly key: string;
  readonly inspection: Inspection;
  readonly folder: string;
  readonly createLink: () => string;
}

/** Shows an inspection to a page, until the peer ends. Call it in the turn in which that is made. */
export function serveInspectPage(peer: Peer, shown: ShownInspection): void {
  const { key, inspection, folder, createLink } = shown;
  const facts = (): object => {
    const { mode, editor, proxy } = inspection;
    return { mode, folder, editor, ...(proxy !== undefined && { proxy }) };
  };
  peer.handle("live/join", () => {
    // After the answer, so that the page knows what it is told of.
    queueMicrotask(() => void new LogTeller(peer, inspection.log.log, facts).run());
    return { key, ...facts() };
  });
  peer.handle("live/link", () => ({ url: createLink() }));
  const send = (frame: unknown): boolean => {
    if (typeof frame !== "string" || frame.length > MAX_SENT_UNITS) {
      const expected = `a text of at most ${MAX_SENT_UNITS} units`;
      throw new RpcError(RpcErrorCode.InvalidParams, `inspect/send: frame: expected ${expected}`);
    }
    if (inspection.send !== undefined) return inspection.send(frame);
    throw new RpcError(NOT_AN_AGENT, "Between an agent and its editor nothing is sent");
  };
  peer.handle("inspect/send", ({ params = {} }) => ({ sent: send(params["frame"]) }));
  peer.handle("inspect/request", ({ params: { method, params } = {} }) => {
    // Not one of our own client's, and of each page its own.
    const id = `page-${randomBytes(6).toString("hex")}`;
    return { id, sent: send(JSON.stringify({ jsonrpc: "2.0", id, method, params })) };
  });
}

/** The code of a failure that the person should read. */
const NOT_AN_AGENT = 1;

/** Tells a page all that is in a log and comes into it, as fast as the page takes it. */
class LogTeller {
  readonly #peer: Peer;
  readonly #log: EventLog;
  readonly #facts: () => object;
  /** The newest event that the page has. */
  #told = 0;
  #wake: () => void = () => {};
  #isOver = false;

  constructor(peer: Peer, log: EventLog, facts: () => object) {
    this.#peer = peer;
    this.#log = log;
    this.#facts = facts;
  }

  async run(): Promise<void> {
    const undo = this.#log.on("append", () => this.#wake());
    void this.#peer.closed.then(() => {
      this.#isOver = true;
      this.#wake();
    });
    try {
      await this.#tellAll();
      this.#peer.notify("live/joined");
      while (!this.#isOver) {
        if (this.#told === this.#log.last) await this.#more();
        // What happens in one turn is told together.
        await Promise.resolve();
        await this.#tellAll();
      }
    } catch {
      // The page has gone.
    } finally {
      undo();
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #tellAll(): Promise<void> {
    while (this.#told < this.#log.last && !this.#isOver) {
      const events = this.#next();
      const patience = { timeoutMs: Number.POSITIVE_INFINITY };
      await this.#peer.request("live/events", { events, ...this.#facts() }, patience);
    }
  }

  /** As much as is told at once, and what was dropped before the page could have it. */
  #next(): readonly TraceEvent[] {
    const events: TraceEvent[] = [];
    const { dropped } = this.#log;
    if (this.#told < dropped) {
      const count = dropped - this.#told;
      const text = `${count} events are not shown here: they came faster than they were read.`;
      const t = this.#log.at(dropped + 1)?.t ?? 0;
      events.push({ n: dropped, t, ev: "transcript", text, who: "idewire" });
      this.#told = dropped;
    }
    let units = 0;
    while (events.length < MAX_EVENTS && units < MAX_UNITS) {
      const event = this.#log.at(this.#told + 1);
      if (event === undefined) break;
      this.#told += 1;
      events.push(forPage(event));
      if (event.ev === "frame") units += event.raw.length;
    }
    return events;
  }
}

function forPage(event: TraceEvent): TraceEvent {
  if (event.ev !== "frame" || event.raw.length <= MAX_PAGE_UNITS) return event;
  return { ...event, raw: event.raw.slice(0, BEGINNING_UNITS), cut: event.cut ?? event.raw.length };
}
