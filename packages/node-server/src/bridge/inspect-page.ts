import { randomBytes } from "node:crypto";
import { type Peer, RpcError, RpcErrorCode } from "@idewire/core";
import type { Environment } from "../directories.ts";
import type { Inspection } from "../inspect/index.ts";
import { serveChecks } from "./live-checks.ts";
import { LogTeller } from "./log-teller.ts";
import { readPageFiles } from "./page-files.ts";
import { PageServer, type PageServerOptions } from "./page-server.ts";

/** The longest frame that a person sends from a page. */
const MAX_SENT_UNITS = 1 << 24;

/** What a page shows. */
export interface InspectPageOptions extends Omit<PageServerOptions, "onpage" | "files"> {
  readonly inspection: Inspection;
  /** Native: where agents are to be started. */
  readonly folder: string;
  readonly env: Environment;
}

/** Serves the page on loopback: it shows the log as it grows. Whoever opens it closes it. */
export async function openInspectPage(options: InspectPageOptions): Promise<PageServer> {
  const { inspection, folder, env, ...rest } = options;
  // Over connections of their own, so that what is looked at goes on as it is.
  const editors = async () => [{ ...inspection.editor, own: false }];
  const createLink = (): string => server.createLink();
  const server: PageServer = await PageServer.open({
    ...rest,
    files: readPageFiles("inspect"),
    onpage: (peer, key) => {
      serveInspectPage(peer, { key, inspection, folder, createLink });
      serveChecks(peer, { env, editors });
    },
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
    queueMicrotask(() => void new LogTeller({ peer, log: inspection.log.log, facts }).run());
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
