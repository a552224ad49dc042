import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { open as openServers } from "./protected-server.ts";
import { browsingPerson } from "./real-authorization-server.ts";

// Client id metadata documents: a person publishes one over https, and oidc-provider reads it.

const certificate = (name: string) =>
  readFileSync(new URL(`../src/certificates/${name}`, import.meta.url));

/** Reads over https, with the tests' certificate authority. */
function readDocument(url: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    get(url, { ca: certificate("ca.pem") }, async (response) => {
      let body = "";
      for await (const part of response) body += String(part);
      const headers = { "content-type": response.headers["content-type"] ?? "" };
      resolve(new Response(body, { status: response.statusCode ?? 500, headers }));
    }).on("error", reject);
  });
}

/** Publishes a document, some of whose members can be replaced. */
async function publish(more: object = {}) {
  let reads = 0;
  const server = createServer(
    { key: certificate("server.key.pem"), cert: certificate("server.pem") },
    (_, response) => {
      reads++;
      response.setHeader("content-type", "application/json").end(JSON.stringify(document));
    },
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`;
  // The example of docs/guide/mcp.md.
  const document = {
    client_id: url,
    client_name: "idewire",
    redirect_uris: ["http://127.0.0.1/callback"],
    application_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    ...more,
  };
  return { url, reads: () => reads };
}

async function open(supports = true) {
  const servers = await openServers(
    "opaque",
    {},
    {
      cacheMs: 0,
      ...(supports && { readDocument }),
    },
  );
  const fixture = openFixture();
  const start = (...args: readonly string[]) =>
    new CliRun(fixture, { args: ["mcp", ...args, servers.audience] });
  return { ...servers, start };
}

/** A person with a browser who agrees to everything. */
async function agree(login: CliRun): Promise<URL> {
  const pattern = /visit\s+(http\S+)\n/;
  await expect.poll(() => login.errors).toMatch(pattern);
  const address = pattern.exec(login.errors)?.[1] ?? "";
  const { visit } = await browsingPerson(new URL(address).searchParams.get("redirect_uri") ?? "");
  await fetch(await visit(address));
  return new URL(address);
}

test("the client of a metadata document logs in without a registration, and later actions refresh it", async () => {
  const { start, audience, authorizer } = await open();
  const { url, reads } = await publish();
  const login = start("login", "--client-metadata-url", url);
  expect((await agree(login)).searchParams.get("client_id")).toBe(url);
  expect([await login.exited, login.output]).toEqual([
    ...[0, `Logged in to ${new URL(audience).host}.\n`],
  ]);
  expect(reads()).toBe(1);
  await authorizer.expire();
  const called = start("call", "who");
  expect([await called.exited, called.output]).toEqual([0, "ann: read\n"]);
  expect(authorizer.counts).toMatchObject({ logins: 1, refreshes: 1 });
  const logout = start("logout");
  expect([await logout.exited, logout.errors]).toEqual([0, ""]);
});

test("a document with a port in its redirect URI is used with that port alone", async () => {
  const { start } = await open();
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  const { url } = await publish({
    // The issuer compares redirect URIs of this type exactly.
    application_type: "web",
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
  });
  const flags = ["--client-metadata-url", url, "--callback-port", String(port)];
  const taken = start("login", ...flags);
  expect(await taken.exited).toBe(1);
  expect(taken.errors).toContain(`Port ${port} of 127.0.0.1 is in use`);
  free.close();
  await once(free, "close");
  const login = start("login", ...flags);
  const redirect = (await agree(login)).searchParams.get("redirect_uri");
  expect(redirect).toBe(`http://127.0.0.1:${port}/callback`);
  expect(await login.exited).toBe(0);
});

test("a server without support for documents registers the client", async () => {
  const { start } = await open(false);
  const { url, reads } = await publish();
  const login = start("login", "--client-metadata-url", url);
  expect((await agree(login)).searchParams.get("client_id")).not.toBe(url);
  expect([await login.exited, reads()]).toEqual([0, 0]);
});

test.each([
  ["http://example.com/client.json"],
  ["https://example.com"],
  ["https://example.com/"],
  ["https://example.com/a/../client.json"],
  ["https://me@example.com/client.json"],
  ["https://example.com/client.json#a"],
  ["client.json"],
])("%s is no address of a document", async (url) => {
  const args = ["mcp", "login", "--client-metadata-url", url, "https://mcp.example.com"];
  const run = new CliRun(openFixture(), { args });
  expect(await run.exited).toBe(2);
  expect(run.errors).toContain("--client-metadata-url takes an https address with a path");
});

test("a command line names one client", async () => {
  const flags = ["--client-id", "a", "--client-metadata-url", "https://example.com/client.json"];
  const run = new CliRun(openFixture(), { args: ["mcp", "login", ...flags, "https://e.com/mcp"] });
  expect(await run.exited).toBe(2);
  expect(run.errors).toContain("--client-metadata-url and --client-id are two clients");
});
