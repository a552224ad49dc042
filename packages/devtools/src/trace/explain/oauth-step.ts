import type { HttpHeader } from "../format/trace-event.ts";
import type { HttpExchange } from "../rows/http-exchanges.ts";
import type { HttpMeaning } from "./explain-http.ts";

/** The value of a header. */
export function headerOf(
  headers: readonly HttpHeader[] | undefined,
  name: string,
): string | undefined {
  return headers?.find(([each]) => each === name)?.[1];
}

/** The path of an address, without its query. */
export function pathOf(url: string): string {
  const [path] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").split(/[?#]/, 1);
  return path || "/";
}

/** The steps that are recognised by their place (RFC 8615). */
const PLACES: readonly (readonly [place: RegExp, meaning: HttpMeaning])[] = [
  [
    /\/\.well-known\/oauth-protected-resource/,
    {
      title: "OAuth: resource metadata",
      sentence:
        "Discovery: the client asks the server which authorization server issues tokens for it, and which scopes there are.",
      source: "RFC 9728; MCP 2025-11-25, Authorization",
    },
  ],
  [
    /\/\.well-known\/oauth-authorization-server/,
    {
      title: "OAuth: server metadata",
      sentence: "Discovery: the client asks where to register, log in and get tokens.",
      source: "RFC 8414; MCP 2025-11-25, Authorization",
    },
  ],
  [
    /\/\.well-known\/openid-configuration/,
    {
      title: "OAuth: OpenID metadata",
      sentence: "Discovery: the client asks where to register, log in and get tokens.",
      source: "OpenID Connect Discovery 1.0; MCP 2025-11-25, Authorization",
    },
  ],
];

/** The steps that are recognised by the grant type of their form. */
const GRANTS: Readonly<Record<string, HttpMeaning>> = {
  authorization_code: {
    title: "OAuth: code for tokens",
    sentence:
      "The client exchanges the code of the login for tokens, and proves by its verifier that the login was its own.",
    source: "RFC 6749, 4.1.3; RFC 7636",
  },
  refresh_token: {
    title: "OAuth: refresh",
    sentence: "The client exchanges its refresh token for a new access token.",
    source: "RFC 6749, 6",
  },
  client_credentials: {
    title: "OAuth: client credentials",
    sentence: "The client gets a token for itself, without a person.",
    source: "RFC 6749, 4.4",
  },
  "urn:ietf:params:oauth:grant-type:device_code": {
    title: "OAuth: device tokens",
    sentence: "The client asks whether the person has entered the code of the device.",
    source: "RFC 8628, 3.4",
  },
  "urn:ietf:params:oauth:grant-type:token-exchange": {
    title: "OAuth: token exchange",
    sentence: "The client exchanges the token of one issuer for that of another.",
    source: "RFC 8693",
  },
  "urn:ietf:params:oauth:grant-type:jwt-bearer": {
    title: "OAuth: assertion for tokens",
    sentence: "The client exchanges a signed assertion for a token.",
    source: "RFC 7523",
  },
};

/** The step of OAuth that an exchange is; undefined for any other. */
export function oauthStep({ request, text: answer }: HttpExchange): HttpMeaning | undefined {
  const { method, url = "", browser, text } = request;
  if (browser) return authorization(url);
  const place = PLACES.find(([pattern]) => pattern.test(pathOf(url)));
  if (place !== undefined) return place[1];
  if (method !== "POST" || text === undefined) return undefined;
  if (text.startsWith("{")) {
    return /"(?:redirect_uris|client_name|grant_types)"/.test(text) ? REGISTRATION : undefined;
  }
  const form = parametersOf(text);
  const grant = form.get("grant_type");
  if (grant !== undefined) return Object.hasOwn(GRANTS, grant) ? GRANTS[grant] : undefined;
  if (answer?.includes('"user_code"')) return DEVICE;
  return form.has("token") ? REVOCATION : undefined;
}

/** Why a step of OAuth failed; empty if it did not, or the reason is unknown. */
export function oauthRefusal({ request, status = 0, headers, text = "" }: HttpExchange): string {
  const location = headerOf(headers, "location") ?? "";
  const error = request.browser
    ? parametersOf(location.replace(/^[^?]*\?/, "")).get("error")
    : /"error"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  if (error !== undefined) return `It is answered with the error ${error}.`;
  const isPlace = PLACES.some(([pattern]) => pattern.test(pathOf(request.url ?? "")));
  const isMissing = isPlace && status >= 400;
  return isMissing ? "There is none at this address; the client tries the next one, if any." : "";
}

const REGISTRATION: HttpMeaning = {
  title: "OAuth: registration",
  sentence: "The client registers itself, and gets a client id.",
  source: "RFC 7591",
};

const REVOCATION: HttpMeaning = {
  title: "OAuth: revocation",
  sentence: "The client ends a token.",
  source: "RFC 7009",
};

const DEVICE: HttpMeaning = {
  title: "OAuth: device authorization",
  sentence: "The client asks for a code that the person enters on another device.",
  source: "RFC 8628, 3.1",
};

function authorization(url: string): HttpMeaning {
  const query = parametersOf(url.replace(/^[^?]*\?/, ""));
  const scope = query.get("scope");
  const wanted = scope === undefined ? "" : ` for ${scope.split(" ").join(", ")}`;
  const client = query.get("client_id") ?? "";
  // A client whose id is the address of its metadata needs no registration.
  const isDocument = /^https:\/\//.test(client);
  const how = isDocument ? " The client is known by its metadata document (CIMD)." : "";
  return {
    title: "OAuth: authorization",
    sentence: `You log in in the browser, and allow the client access${wanted}.${how}`,
    source: isDocument
      ? "RFC 6749, 4.1.1; draft-ietf-oauth-client-id-metadata-document"
      : "RFC 6749, 4.1.1",
  };
}

/** The parameters of a form. */
function parametersOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.split("&").map((pair) => {
    const [name = "", value = ""] = pair.split("=").map(decode);
    return [name, value] as const;
  });
  return new Map(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
