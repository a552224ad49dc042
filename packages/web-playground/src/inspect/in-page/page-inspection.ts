import { version } from "virtual:version";
import { shellQuote } from "@idewire/core/internal";
import { formValidator } from "@idewire/core/json-schema";
import { type Peer, ToolFailure } from "@idewire/core/rpc";
import {
  InspectedServers,
  InspectionLog,
  inspectionHandlers,
  LogSender,
  type ServerControl,
  type ServerRoute,
  servePage,
  startedAt,
} from "@idewire/devtools/internal";
import { createHttpTransport } from "@idewire/http";
import { HttpLog } from "@idewire/http/internal";
import { createDpop, createMemoryStore, createOAuth } from "@idewire/http/oauth";
import { exactJson } from "../../state/exact-json.ts";
import { loginTab } from "./login-tab.ts";
import { pageFetch } from "./page-fetch.ts";

/** Inspects an MCP server without idewire: this page is its client. @returns the inspection, as served to the page */
export function openPageInspection(url: string): (peer: Peer) => void {
  const log = new InspectionLog((work) => void window.setTimeout(work));
  const shell = shellQuote(url);
  const servers = new InspectedServers([
    {
      ...{ name: new URL(url).host, shell, target: { url }, log, version },
      ...{ json: exactJson, validator: formValidator, reopens: true, hasViews: false },
      route: (server) => routeTo(url, { log, server }),
    },
  ]);
  void servers.connect();
  return (peer) => {
    const inspection = () => servers.facts;
    servePage(peer, {
      "live/join": () => {
        const sender = new LogSender({ peer, log: log.log, inspection });
        // After the answer, so that the page can interpret the events.
        queueMicrotask(() => void sender.run());
        return { key: "", folder: "", began: startedAt(log.log), inspection: servers.facts };
      },
      "inspect/send": ({ frame, ch }) => ({ sent: servers.send(frame, ch) }),
      "inspect/app": () => {
        // Its policy comes with a response of a server: the policy of this page would be that of the view.
        throw new ToolFailure(
          `This page cannot show the view of a tool: run idewire inspect --web ${shell}`,
        );
      },
      ...inspectionHandlers(peer, { servers, json: exactJson }),
    });
  };
}

interface InPage {
  readonly log: InspectionLog;
  readonly server: ServerControl;
}

function routeTo(url: string, { log, server }: InPage): ServerRoute {
  const http = new HttpLog({ log, connection: server.connection, onchange: server.change });
  const fetch = http.over(pageFetch);
  const authorization = createOAuth({
    ...{ url, fetch, store: createMemoryStore(), dpop: createDpop(), clientName: "idewire" },
    openRedirectTarget: async () => loginTab((address) => http.visit(address)),
  });
  return {
    open: async () => () => createHttpTransport(url, { fetch, authorization }),
    get login() {
      return http.login;
    },
  };
}
