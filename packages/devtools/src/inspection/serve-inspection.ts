import { asObject } from "@idewire/core/internal";
import type { ExactJson } from "@idewire/core/internal/base";
import { type Peer, ToolFailure } from "@idewire/core/rpc";
import type { InspectMethods } from "../page-protocol/inspect-methods.ts";
import { notifyPage, type PageHandlers } from "../page-protocol/server.ts";
import type { PageRequest } from "./inspected-server.ts";
import type { InspectedServers } from "./inspected-servers.ts";

/** The methods of a page that concern an MCP server, but for those of the views of MCP apps. */
type ServerMethod = Exclude<
  keyof InspectMethods,
  "inspect/send" | "inspect/app" | "inspect/app-frame" | "inspect/app-close"
>;

/** The inspected MCP servers of a page. */
export interface ServedServers {
  /** Undefined when an editor is inspected. */
  readonly servers: InspectedServers | undefined;
  /** Reads the parameters of calls. */
  readonly json: ExactJson;
}

/** Serves inspected MCP servers to a page, which is sent their facts when they change, until its peer closes. */
export function inspectionHandlers(
  peer: Peer,
  { servers, json }: ServedServers,
): PageHandlers<ServerMethod> {
  const serverOf = (name: string) => {
    if (servers !== undefined) return servers.of(name);
    throw new ToolFailure("No MCP server is inspected");
  };
  const undo = servers?.onChange(() =>
    notifyPage(peer, "inspect/facts", { inspection: servers.facts }),
  );
  void peer.closed.then(undo);
  return {
    "inspect/request": async ({ server, key, method, json: text }) => {
      const onsent: PageRequest["onsent"] = (sent) =>
        notifyPage(peer, "inspect/sent", { key, ...sent });
      const params = text === undefined ? undefined : asObject(json.parse(text));
      const failure = await serverOf(server).request({ key, method, params, onsent });
      return failure === undefined ? {} : { failure };
    },
    "inspect/cancel": ({ server, key }) => {
      serverOf(server).cancel(key);
      return {};
    },
    "inspect/answer": ({ server, question, result }) => {
      serverOf(server).answer(question, result);
      return {};
    },
    "inspect/settings": async (settings) => {
      await serverOf(settings.server).set(settings);
      return {};
    },
    "inspect/connect": async ({ server }) => {
      await serverOf(server).connect();
      return {};
    },
  };
}
