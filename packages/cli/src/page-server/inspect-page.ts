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

/** The options of an inspection's page. */
export interface InspectPageOptions extends Omit<PageServerOptions, "onpage" | "files"> {
  readonly inspection: Inspection;
  /** Native: where agents are started. */
  readonly folder: string;
  readonly env: Environment;
}

/** Serves the page, which shows the growing log, on loopback. The caller closes it. */
export async function openInspectPage(options: InspectPageOptions): Promise<PageServer> {
  const { inspection, folder, env, ...rest } = options;
  // Checks use their own connections, so that the inspected ones are not disturbed.
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

/** A page and the inspection that it shows. */
export interface ShownInspection {
  readonly key: string;
  readonly inspection: Inspection;
  readonly folder: string;
  readonly createLink: () => string;
}

/** Shows an inspection to a page until its peer closes. Call it in the turn in which the peer is created. */
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
    throw new ToolFailure("A proxy cannot send frames of its own");
  };
  return {
    "live/join": () => {
      const logger = new LogSender({ peer, log: inspection.log.log, inspection: facts });
      // After the answer, so that the page can interpret the events.
      queueMicrotask(() => void logger.run());
      return { key, folder, began: startedAt(inspection.log.log), inspection: facts() };
    },
    "live/link": () => ({ url: createLink() }),
    "inspect/send": ({ frame }) => ({ sent: send(frame) }),
  };
}
