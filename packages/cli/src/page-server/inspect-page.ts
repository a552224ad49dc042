import { type Peer, ToolFailure } from "@idewire/core/rpc";
import {
  type InspectedServer,
  type InspectedServers,
  type InspectionFacts,
  type InspectMethods,
  type InspectPageMethod,
  inspectionHandlers,
  LogSender,
  type PageHandlers,
  servePage,
  startedAt,
} from "@idewire/devtools/internal";
import type { Environment } from "@idewire/node-server/internal/files";
import type { Inspection } from "../debug/inspect/index.ts";
import { exactJson } from "../output/exact-json.ts";
import { checkHandlers } from "./live-checks.ts";
import { type PageFile, readPageFiles } from "./page-files.ts";
import { PageServer, type PageServerOptions } from "./page-server.ts";
import { ServedViews } from "./served-views.ts";

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
  const editors = async () =>
    inspection.mode === "server" ? [] : [{ ...inspection.editor, own: false }];
  const createLink = (): string => server.createLink();
  const files = new Map(readPageFiles("inspect"));
  const server: PageServer = await PageServer.open({
    ...rest,
    files,
    onpage: (peer, key) => {
      servePage<InspectPageMethod>(peer, {
        ...inspectPageHandlers(peer, { key, inspection, folder, createLink, files }),
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
  /** The files of the page's server, among which the views of MCP apps are served. */
  readonly files: Map<string, PageFile>;
}

/** Shows an inspection to a page until its peer closes. Call it in the turn in which the peer is created. */
export function inspectPageHandlers(
  peer: Peer,
  { key, inspection, folder, createLink, files }: ShownInspection,
): PageHandlers<"live/join" | "live/link" | keyof InspectMethods> {
  const facts = (): InspectionFacts => factsOf(inspection);
  return {
    "live/join": () => {
      const logger = new LogSender({ peer, log: inspection.log.log, inspection: facts });
      // After the answer, so that the page can interpret the events.
      queueMicrotask(() => void logger.run());
      return { key, folder, began: startedAt(inspection.log.log), inspection: facts() };
    },
    "live/link": () => ({ url: createLink() }),
    "inspect/send": ({ frame, ch }) => ({ sent: sendTo(inspection, frame, ch) }),
    ...inspectionHandlers(peer, { servers: serversOf(inspection), json: exactJson }),
    ...viewHandlers(peer, inspection, files),
  };
}

function factsOf(inspection: Inspection): InspectionFacts {
  if (inspection.mode === "server") return inspection.servers.facts;
  const { mode, editor, proxy } = inspection;
  return { mode, editor, ...(proxy !== undefined && { proxy }) };
}

function sendTo(inspection: Inspection, frame: string, ch: string | undefined): boolean {
  if (inspection.mode === "server") return inspection.servers.send(frame, ch);
  if (inspection.send !== undefined) return inspection.send(frame);
  throw new ToolFailure("A proxy cannot send frames of its own");
}

function serversOf(inspection: Inspection): InspectedServers | undefined {
  return inspection.mode === "server" ? inspection.servers : undefined;
}

function serverIn(inspection: Inspection, name: string): InspectedServer {
  const server = serversOf(inspection)?.of(name);
  if (server !== undefined) return server;
  throw new ToolFailure("No MCP server is inspected");
}

type ViewHandlers = PageHandlers<"inspect/app" | "inspect/app-frame" | "inspect/app-close">;

/** The requests of a page for the views of MCP apps. */
function viewHandlers(
  peer: Peer,
  inspection: Inspection,
  files: Map<string, PageFile>,
): ViewHandlers {
  const views = new ServedViews(files);
  void peer.closed.then(() => views.clear());
  return {
    "inspect/app": async ({ server, uri }) => {
      const { view, ch } = await serverIn(inspection, server).readView(uri);
      const { policy, refused } = view;
      return { path: views.add(ch, view), ch, policy, refused };
    },
    "inspect/app-frame": ({ ch, dir, frame }) => {
      if (views.has(ch)) inspection.log.append({ ev: "frame", ch, dir, raw: frame });
      return {};
    },
    "inspect/app-close": ({ ch }) => {
      views.remove(ch);
      return {};
    },
  };
}
