import { expect, test } from "vitest";
import type { HttpEvent, TraceEvent } from "../format/trace-event.ts";
import { HttpExchanges } from "../rows/http-exchanges.ts";
import { explainHttp } from "./explain-http.ts";

/** An exchange of these parts. */
function exchangeOf(...parts: readonly Partial<HttpEvent>[]) {
  const exchanges = new HttpExchanges();
  const events = parts.map((part, at) => {
    const kind = at === 0 ? "request" : "response";
    return { n: at + 1, t: at * 10, ev: "http", ch: "c1", exchange: 1, part: kind, ...part };
  });
  for (const event of events) exchanges.add(event as TraceEvent);
  const exchange = exchanges.of(1);
  if (exchange === undefined) throw new Error("no exchange");
  return exchange;
}

const post = (text: string) => ({ method: "POST", url: "https://as.example.com/token", text });
const get = (path: string) => ({ method: "GET", url: `https://as.example.com${path}` });

test.each([
  [get("/.well-known/oauth-protected-resource/mcp"), "OAuth: resource metadata"],
  [get("/.well-known/oauth-authorization-server"), "OAuth: server metadata"],
  [post('{"redirect_uris":[]}'), "OAuth: registration"],
  [{ ...get("/authorize?client_id=a&scope=read+write"), browser: true }, "OAuth: authorization"],
  [post("grant_type=authorization_code&code=x"), "OAuth: code for tokens"],
  [post("grant_type=refresh_token"), "OAuth: refresh"],
  [post("token=x&client_id=y"), "OAuth: revocation"],
  [{ ...post(""), carries: [{ method: "tools/call", id: 1 }] }, "tools/call"],
  [get("/mcp"), "stream of the server"],
  [{ ...get("/mcp"), headers: [["last-event-id", "7"]] as const }, "resumes a stream"],
  [{ method: "DELETE", url: "https://a.example.com/mcp" }, "end of the session"],
])("%j is known by its meaning", (request, title) => {
  expect(explainHttp(exchangeOf(request as Partial<HttpEvent>)).title).toBe(title);
});

const code = post("grant_type=authorization_code&code=x");
const refused = (error: string) => ({ part: "end", text: JSON.stringify({ error }) }) as const;
const login = { ...get("/authorize?client_id=a"), browser: true } as const;
const denied = ["location", "http://127.0.0.1:1/callback?error=access_denied&state=x"] as const;
const discover = {
  ...{ method: "POST", url: "https://a.example.com/mcp" },
  carries: [{ method: "server/discover", id: 1 }],
};

test.each<[string, readonly Partial<HttpEvent>[], string]>([
  [
    "a code",
    [code, { status: 400 }, refused("invalid_grant")],
    "It is answered with the error invalid_grant.",
  ],
  [
    "a client",
    [code, { status: 401 }, refused("invalid_client")],
    "It is answered with the error invalid_client.",
  ],
  [
    "a login",
    [login, { status: 302, headers: [denied] }],
    "It is answered with the error access_denied.",
  ],
  [
    "metadata",
    [get("/.well-known/oauth-authorization-server"), { status: 404 }],
    "There is none at this address; the client tries the next one, if any.",
  ],
  ["the first request", [discover, { status: 400 }], "Servers of the legacy era refuse it."],
])("the refusal of %s is explained", (_, parts, words) => {
  expect(explainHttp(exchangeOf(...parts)).sentence).toMatch(new RegExp(`\\. ${words}$`));
});

test("the scope of a login, a client with a metadata document, and a step-up are explained", () => {
  const url =
    "https://as.example.com/authorize?scope=read%20write&client_id=https%3A%2F%2Fa.example%2Fc";
  const login = exchangeOf({ method: "GET", url, browser: true });
  expect(explainHttp(login).sentence).toMatch(/for read, write\..*metadata document \(CIMD\)/);
  const challenge = [
    "www-authenticate",
    'Bearer error="insufficient_scope", scope="write"',
  ] as const;
  const call = { method: "POST", url, carries: [{ method: "tools/call", id: 1 }] };
  const stepUp = exchangeOf(call, { status: 403, headers: [challenge] });
  expect(explainHttp(stepUp).sentence).toContain("step-up");
  expect(explainHttp(stepUp).sentence).toContain("more scope is needed: write");
});
