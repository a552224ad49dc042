import { randomBytes } from "node:crypto";
import { type Peer, ToolFailure } from "@idewire/core/rpc";
import {
  type InspectionFacts,
  type InspectMethods,
  type InspectPageMethod,
  type PageHandlers,
  servePage,
} from "@idewire/devtools/internal";
import type { Environment } from "@idewire/node-server/internal/files";
import type { Inspection } from "../debug/inspect/index.ts";
import { checkHandlers } from "./live-checks.ts";
import { LogSender } from "./log-sender.ts";
import { readPageFiles } from "./page-files.ts";
import { PageServer, type PageServerOptions } from "./page-server.ts";
import { startedAt } from "./started-at.ts";

/** What a page shows. */
export interface InspectPageOptions extends Omit<PageServerOptions, "onpage" | "files"> {
  readonly inspection: Inspection;
  /** Native: where agents are to be started. */
  readonly folder: string;
  readonly env: Environment;
}

/** Serves the page on loopback, which shows the log as it grows. The caller closes it. */
export async function openInspectPage(options: InspectPageOptions): Promise<PageServer> {
  const { inspection, folder, env, ...rest } = options;
  // Checks use connections of their own, so that the inspected ones are left undisturbed.
  const editors = async () => [{ ...inspection.editor, own: false }];
  const createLink = (): string => server.createLink();
  const server: PageServer = await PageServer.open({
    ...rest,
    files: readPageFiles("inspect"),
    onpage: (peer, key) => {
      servePage<InspectPageMethod>(peer, {
        ...inspectPageHandlers(peer, { key, inspection, folder, createLink }),
        ...checkHandlers(peer, { env, editors }),
      });
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
export function inspectPageHandlers(
  peer: Peer,
  { key, inspection, folder, createLink }: ShownInspection,
): PageHandlers<"live/join" | "live/link" | keyof InspectMethods> {
  const facts = (): InspectionFacts => {
    const { mode, editor, proxy } = inspection;
    return { mode, editor, ...(proxy !== undefined && { proxy }) };
  };
  const send = (frame: string): boolean => {
    if (inspection.send !== undefined) return inspection.send(frame);
    throw new ToolFailure("Between an agent and its editor nothing is sent");
  };
  return {
    "live/join": () => {
      const logger = new LogSender({ peer, log: inspection.log.log, inspection: facts });
      // After the answer, so that the page knows what the events are about.
      queueMicrotask(() => void logger.run());
      return { key, folder, began: startedAt(inspection.log.log), inspection: facts() };
    },
    "live/link": () => ({ url: createLink() }),
    "inspect/send": ({ frame }) => ({ sent: send(frame) }),
    "inspect/request": ({ method, params }) => {
      // Not one of our own client's, and of each page its own.
      const id = `page-${randomBytes(6).toString("hex")}`;
      return { id, sent: send(JSON.stringify({ jsonrpc: "2.0", id, method, params })) };
    },
  };
}
