import type { Fetch } from "../web-types.ts";
import type { HttpFact } from "./http-fact.ts";
import { HttpWatch, type LoginEnd } from "./http-watch.ts";

/** The log of an inspection. */
interface FactLog {
  append(fact: HttpFact & { readonly ev: "http"; readonly ch: string }): void;
  /** Removes a text from all later events. */
  hide(secret: string): void;
}

/** Where the exchanges are logged. */
export interface HttpLogOptions {
  readonly log: FactLog;
  /** The name of the newest connection. */
  readonly connection: () => string | undefined;
  /** Called when the login has changed. */
  readonly onchange: () => void;
}

/** Each text of the log is searched for all of them. */
const MAX_HIDDEN = 200;

/** Logs the HTTP exchanges with one server, and with the authorization server that it names. */
export class HttpLog {
  readonly #options: HttpLogOptions;
  readonly #watch: HttpWatch;
  #login: string | undefined;

  constructor(options: HttpLogOptions) {
    const { log, connection } = options;
    this.#options = options;
    const hidden = new Set<string>();
    this.#watch = new HttpWatch({
      onfact: (fact) => {
        const ch = connection() ?? "";
        // A server that creates too many secrets is shown without the parts that could contain them.
        const shown = hidden.size < MAX_HIDDEN ? fact : withoutSecrets(fact);
        log.append({ ev: "http", ch, ...shown });
      },
      onsecret: (secret) => {
        if (hidden.size >= MAX_HIDDEN || hidden.has(secret)) return;
        hidden.add(secret);
        log.hide(secret);
      },
    });
  }

  /** The address at which the person is to log in; undefined when there is none. */
  get login(): string | undefined {
    return this.#login;
  }

  /** A `fetch` whose requests are logged. */
  over(fetch: Fetch): Fetch {
    return this.#watch.over(fetch);
  }

  /** Logs that the person is sent to a login, with its address. @returns a function to call at its end */
  visit(address: string): (end: LoginEnd) => void {
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

function withoutSecrets(fact: HttpFact): HttpFact {
  const { headers: _, text: __, ...rest } = { headers: [], text: "", ...fact };
  const url = "url" in fact ? { url: fact.url.split("?")[0] ?? "" } : {};
  return { headers: [], ...rest, ...url } as HttpFact;
}
