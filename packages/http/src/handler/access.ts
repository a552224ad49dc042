import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { Authorized, McpHandlerOptions } from "./mcp-http-options.ts";
import type { RequestHead } from "./request-head.ts";
import type { ResourceMetadata } from "./resource-metadata.ts";
import { byteLength, isSameToken, MIN_TOKEN_BYTES } from "./token.ts";

/** Which requests are authorized, and the metadata about it that everybody may read. */
export interface Access<Context> {
  authorize(this: void, head: RequestHead): Authorized<Context> | Promise<Authorized<Context>>;
  readonly resourceMetadata: ResourceMetadata | undefined;
}

const ways = ["token", "authorize", "resourceServer", "access"] as const;

/**
 * The access that the options define.
 * @throws IdewireError `invalid-argument` unless exactly one kind of authorization is given, and for a token short
 * enough to be guessed
 */
export function accessOf<Context>(options: McpHandlerOptions<Context>): Access<Context> {
  const given = ways.filter((name) => Object.hasOwn(options, name));
  if (given.length !== 1) {
    const seen = given.length === 0 ? "none" : given.join(" and ");
    const expected = 'expected token, authorize, resourceServer, or access: "anyone"';
    throw new IdewireError("invalid-argument", `${expected}, got ${seen}`);
  }
  const { token, authorize, resourceServer, access } = options as OpenOptions<Context>;
  const admission = { context: options.context as Context };
  if (given[0] === "token") return { ...bearer(token, admission), resourceMetadata: undefined };
  if (given[0] === "access") {
    if (access !== "anyone") throw wrong("access", '"anyone"', access);
    return { authorize: () => admission, resourceMetadata: undefined };
  }
  if (given[0] === "authorize") {
    if (typeof authorize !== "function") throw wrong("authorize", "a function", authorize);
    return { authorize: (head) => authorize(head), resourceMetadata: undefined };
  }
  if (typeof resourceServer?.authorize === "function") return resourceServer;
  throw wrong("resourceServer", "what protectResource returns", resourceServer);
}

/** The options as an untyped program may pass them. */
interface OpenOptions<Context> {
  readonly token?: unknown;
  readonly authorize?: Access<Context>["authorize"];
  readonly resourceServer?: Access<Context>;
  readonly access?: unknown;
}

function wrong(name: string, expected: string, seen: unknown): IdewireError {
  return new IdewireError(
    "invalid-argument",
    `${name}: expected ${expected}, got ${typeof seen === "string" ? describeValue(seen) : typeof seen}`,
  );
}

const unauthorized = {
  status: 401,
  message: "The bearer token is missing or wrong",
  headers: { "www-authenticate": "Bearer" },
} as const;

function bearer<Context>(
  token: unknown,
  admission: { readonly context: Context },
): Pick<Access<Context>, "authorize"> {
  if (typeof token !== "string" || byteLength(token) < MIN_TOKEN_BYTES) {
    const seen = typeof token === "string" ? byteLength(token) : typeof token;
    throw new IdewireError(
      "invalid-argument",
      `token: expected ${MIN_TOKEN_BYTES} bytes or more, got ${seen}`,
    );
  }
  return {
    authorize(head) {
      const [, given = ""] = /^Bearer (.+)$/i.exec(head.header("authorization") ?? "") ?? [];
      return isSameToken(given, token) ? admission : unauthorized;
    },
  };
}
