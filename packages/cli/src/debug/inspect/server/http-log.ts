import { HttpWatch, type LoginEnd } from "@idewire/http/internal";
import type { McpContext } from "../../../mcp/open-client.ts";
import type { InspectLog } from "../inspect-log.ts";

interface HttpLogOptions {
  readonly log: InspectLog;
  /** The name of the newest connection. */
  readonly connection: () => string | undefined;
  /** Called when the login has changed. */
  readonly onchange: () => void;
}

/** Logs the HTTP exchanges with one server, and with the authorization server that it names. */
export class HttpLog {
  readonly #options: HttpLogOptions;
  readonly #watch: HttpWatch;
  #login: string | undefined;

  constructor(options: HttpLogOptions) {
    const { log, connection } = options;
    this.#options = options;
    this.#watch = new HttpWatch({
      onfact: (fact) => log.append({ ev: "http", ch: connection() ?? "", ...fact }),
      onsecret: (secret) => log.hide(secret),
    });
  }

  /** The address at which the person is to log in; undefined when there is none. */
  get login(): string | undefined {
    return this.#login;
  }

  /** The context, with its requests and logins logged. */
  over(context: McpContext): McpContext {
    return {
      ...context,
      fetch: this.#watch.over(context.fetch),
      onlogin: (address) => this.#visit(address),
    };
  }

  #visit(address: string): (end: LoginEnd) => void {
    const onend = this.#watch.visit(address);
    this.#login = address;
    this.#options.onchange();
    return (end) => {
      onend(end);
      this.#login = undefined;
      this.#options.onchange();
    };
  }
}
