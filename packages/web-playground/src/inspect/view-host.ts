import { asObject, isObject } from "@idewire/core/internal";
import { Peer, RpcError, type Transport } from "@idewire/core/rpc";
import { exactJson } from "../state/exact-json.ts";
import type { OfferedTool } from "./connections.ts";

const REVISION = "2026-01-26";
/** Implementation-defined, as for a link that the person does not open. */
const DECLINED = -32_000;

/** The actions of a view's host outside its frame. */
export interface ViewHostOptions {
  readonly tool: OfferedTool;
  /** The arguments of the call whose result the view shows. */
  readonly args: unknown;
  readonly result: unknown;
  /** The tools of the view's own server: it can call no others. */
  readonly tools: () => readonly OfferedTool[];
  /** Sends a request to the view's own server. */
  readonly ask: (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Asks the person; resolves with whether the address was opened. */
  readonly openLink: (url: URL) => Promise<boolean>;
  /** Called with the height that the content of the view needs, in pixels. */
  readonly onheight: (height: number) => void;
  /** Called when the view ends by itself, with the reason. */
  readonly onend: (reason: string) => void;
}

/** The host of the view of an MCP app: MCP Apps 2026-01-26, "Communication Protocol". The caller closes it. */
export class ViewHost {
  readonly #peer: Peer;
  readonly #options: ViewHostOptions;

  constructor(transport: Transport, options: ViewHostOptions) {
    this.#options = options;
    this.#peer = new Peer(transport, { json: exactJson });
    this.#handle();
    void this.#peer.closed.then(({ reason }) => reason !== "" && options.onend(reason));
  }

  /** Announces the end to the view, which may save its state until then, and ends it. */
  close(): void {
    const end = () => this.#peer.close();
    void this.#peer
      .request("ui/resource-teardown", { reason: "closed" }, { timeoutMs: 500 })
      .then(end, end);
  }

  #handle(): void {
    const { ask, onheight, args, result } = this.#options;
    const peer = this.#peer;
    peer.handle("ui/initialize", () => this.#facts());
    peer.handle("ui/notifications/initialized", () => {
      peer.notify("ui/notifications/tool-input", { arguments: asObject(args) });
      peer.notify("ui/notifications/tool-result", asObject(result));
    });
    peer.handle("ui/notifications/size-changed", ({ params }) => {
      const height = params?.["height"];
      if (typeof height === "number" && height > 0) onheight(height);
    });
    peer.handle("ping", () => ({}));
    peer.handle("tools/call", ({ params }) => ask("tools/call", this.#allowed(params)));
    peer.handle("resources/read", ({ params }) => ask("resources/read", asObject(params)));
    peer.handle("ui/open-link", ({ params }) => this.#openLink(params?.["url"]));
    // Without a model, its row in the log is all that becomes of a message.
    for (const method of ["ui/message", "ui/update-model-context"]) peer.handle(method, () => ({}));
    peer.handle("ui/request-display-mode", () => ({ mode: "inline" }));
    peer.handle("notifications/message", () => undefined);
  }

  #facts(): unknown {
    return {
      protocolVersion: REVISION,
      hostInfo: { name: "idewire-inspect", version: "1" },
      hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, logging: {} },
      hostContext: {
        toolInfo: { tool: this.#options.tool },
        theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
        ...{ displayMode: "inline", availableDisplayModes: ["inline"], platform: "web" },
        locale: navigator.language,
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    };
  }

  /** The section "Resource Discovery", "Visibility". */
  #allowed(params: unknown): Readonly<Record<string, unknown>> {
    const { name, arguments: args } = asObject(params);
    const tool = this.#options.tools().find((each) => each.name === name);
    if (tool === undefined) throw new RpcError(-32_602, `Unknown tool: ${String(name)}`);
    if (!visibilityOf(tool).includes("app")) {
      throw new RpcError(DECLINED, `The tool ${tool.name} is not for apps`);
    }
    return { name, arguments: args ?? {} };
  }

  async #openLink(given: unknown): Promise<unknown> {
    const url = URL.parse(String(given));
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new RpcError(-32_602, `url: expected an address of http or https`);
    }
    if (await this.#options.openLink(url)) return {};
    throw new RpcError(DECLINED, "The person has not opened the link");
  }
}

/** The URI of the view of a tool; undefined for a tool without one. */
export function viewUriOf({ _meta }: OfferedTool): string | undefined {
  const meta = isObject(_meta) ? _meta : {};
  const uri = isObject(meta["ui"]) ? meta["ui"]["resourceUri"] : meta["ui/resourceUri"];
  return typeof uri === "string" ? uri : undefined;
}

function visibilityOf({ _meta }: OfferedTool): readonly unknown[] {
  const ui = isObject(_meta) && isObject(_meta["ui"]) ? _meta["ui"] : {};
  const { visibility } = ui;
  return Array.isArray(visibility) ? visibility : ["model", "app"];
}
