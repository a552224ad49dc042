import { setInterval } from "node:timers";
import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { createDpop, createMemoryStore, createOAuth } from "@idewire/http/oauth";
import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { json, type ScriptedAnswer, ScriptedHttpServer } from "../src/scripted-http-server.ts";

async function scripted(answer: ScriptedAnswer): Promise<ScriptedHttpServer> {
  const server = await new ScriptedHttpServer(answer).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A server whose authorization server names an endpoint elsewhere. */
async function naming(member: string, address: string): Promise<AuthorizationFixture> {
  const fixture = await new AuthorizationFixture().listen();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  fixture.knobs.metadata = { [member]: address };
  return fixture;
}

async function login(
  { server: { url } }: AuthorizationFixture,
  timeoutMs = 20_000,
  send: typeof fetch = fetch,
) {
  const options = { url, store: createMemoryStore(), openRedirectTarget: agreeingPerson };
  const authorization = createOAuth({ ...options, dpop: createDpop(), timeoutMs, fetch: send });
  const transport = createHttpTransport(url, { authorization, listen: false });
  const client = await McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
  client.close();
}

const endpoints = ["token_endpoint", "registration_endpoint"];

test.each(endpoints)("a %s that redirects gets nothing sent elsewhere", async (member) => {
  for (const status of [302, 307, 308]) {
    const elsewhere = await scripted((_, response) => json(response, {}));
    const redirecting = await scripted((_, response) =>
      response.writeHead(status, { location: `${elsewhere.origin}/stolen` }).end(),
    );
    const fixture = await naming(member, `${redirecting.origin}/here`);
    await expect(login(fixture)).rejects.toMatchObject({ code: "unauthorized" });
    expect([redirecting.seen.length, elsewhere.seen]).toEqual([1, []]);
  }
});

test.each(endpoints)("a %s that answers byte by byte, or endlessly, times out", async (member) => {
  const slow = await scripted((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  });
  const huge = await scripted((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  });
  for (const [{ origin }, code, timeoutMs] of [
    [slow, "timeout", 300],
    [huge, "unauthorized", 60_000],
  ] as const) {
    await expect(login(await naming(member, origin), timeoutMs)).rejects.toMatchObject({ code });
  }
});

test("answers of an authorization server do not affect the server's era", async () => {
  const huge = await scripted((_, response) => json(response, " ".repeat(2 << 20)));
  const fixture = await naming("token_endpoint", huge.origin);
  const options = { store: createMemoryStore(), openRedirectTarget: agreeingPerson };
  const { url, methods } = fixture.server;
  const authorization = createOAuth({ url, ...options });
  const era = "auto";
  const failed = connectOverHttp({ url }, { era }, { authorization });
  await expect(failed).rejects.toMatchObject({ code: "unauthorized" });
  expect(methods.filter((method) => method === "initialize")).toEqual([]);
  expect(fixture.clients.size).toBe(1);
});

test.each(endpoints)("a %s whose answer ignores the abort is abandoned", async (member) => {
  const elsewhere = "http://127.0.0.1:1/stuck";
  const fixture = await naming(member, elsewhere);
  // As Node's fetch behaves when decompression fails.
  const stuck = async () => new Response(new ReadableStream());
  const fetchOrNot: typeof fetch = (url, init) => (url === elsewhere ? stuck() : fetch(url, init));
  await expect(login(fixture, 300, fetchOrNot)).rejects.toThrow("did not answer within 300 ms");
});

test.each(["authorization_endpoint", ...endpoints])(
  "a public authorization server that names a private %s is refused before anything is sent there",
  async (member) => {
    const origin = "https://as.example.com";
    const requested: string[] = [];
    const authorization = createOAuth({
      url: "https://mcp.example.com/mcp",
      store: createMemoryStore(),
      openRedirectTarget: agreeingPerson,
      async fetch(url) {
        requested.push(url);
        if (!url.startsWith(origin)) {
          const resource = "https://mcp.example.com/mcp";
          return Response.json({ resource, authorization_servers: [origin] });
        }
        return Response.json({
          ...{ issuer: origin, code_challenge_methods_supported: ["S256"] },
          ...Object.fromEntries(endpoints.map((each) => [each, `${origin}/${each}`])),
          authorization_endpoint: `${origin}/authorize`,
          [member]: "https://169.254.169.254/latest",
        });
      },
    });
    const request = { method: "POST", url: new URL("https://mcp.example.com/mcp") };
    const refused = new Response(null, { status: 401 });
    const sent = authorization.send(request, async () => refused);
    await expect(sent).rejects.toThrow(`${member} "https://169.254.169.254/latest" is on a`);
    expect(requested.filter((url) => url.includes("169.254"))).toEqual([]);
  },
);

test("parameters of an authorization endpoint do not replace ours", async () => {
  const fixture = await new AuthorizationFixture().listen();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  const theirs = "redirect_uri=https%3A%2F%2Fevil.test&client_id=evil&state=evil";
  const endpoint = `${fixture.issuer.origin}/authorize?${theirs}&kept=1`;
  fixture.knobs.metadata = { authorization_endpoint: endpoint };
  await login(fixture);
  const [visit] = fixture.visits;
  expect(visit?.getAll("redirect_uri")).toEqual(["http://127.0.0.1:1/callback"]);
  expect([...(visit ?? [])].flat()).not.toContain("evil");
  expect(visit?.get("kept")).toBe("1");
});

test("a server that challenges endlessly, with whatever status, is abandoned", async () => {
  const fixture = await new AuthorizationFixture().listen();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  const { answer } = fixture.server;
  const challenge = `Bearer error="insufficient_scope", scope="more"`;
  fixture.server.answer = (seen, response) =>
    seen.headers.authorization === undefined || seen.path !== "/mcp"
      ? answer(seen, response)
      : response.writeHead(403, { "www-authenticate": challenge }).end();
  await expect(login(fixture)).rejects.toMatchObject({ code: "unauthorized" });
  expect(fixture.visits.length).toBeLessThanOrEqual(3);
});
