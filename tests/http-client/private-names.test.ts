import type { Fetch } from "@idewire/http/internal";
import { createMemoryStore, createOAuth } from "@idewire/http/oauth";
import { expect, test } from "vitest";
import { serverFetch } from "../../packages/cli/src/mcp/server-fetch.ts";
import { agreeingPerson } from "../src/authorization-fixture.ts";

/** The failure of a client whose server names an authorization server at a host, and the client's requests. */
async function named(
  host: string,
  server = "https://mcp.example.com",
  scheme = "https",
  reach: Fetch = async () => new Response(null, { status: 404 }),
) {
  const requested: string[] = [];
  const resource = `${server}/mcp`;
  const authorization = createOAuth({
    ...{ url: resource, store: createMemoryStore(), openRedirectTarget: agreeingPerson },
    async fetch(url, init) {
      requested.push(new URL(url).origin);
      const isServer = url.startsWith(`${server}/`);
      if (!isServer) return reach(url, init);
      return Response.json({ resource, authorization_servers: [`${scheme}://${host}/as`] });
    },
  });
  const refused = new Response(null, { status: 401 });
  const sent = authorization.send({ method: "POST", url: new URL(resource) }, async () => refused);
  const error = await sent.then(String, String);
  return { error, hasLeftServer: requested.some((origin) => origin !== server) };
}

const privateHosts = [
  ...["intranet", "auth.local", "auth.localdomain", "auth.internal", "auth.home.arpa", "auth.lan"],
  ...["auth.home", "auth.corp", "auth.mail", "auth.private", "auth.intranet"],
  ...["auth.intra", "auth.lxd", "c1.incus", "auth.localnet", "host.novalocal", "a.openstacklocal"],
  ...["auth.k8s", "auth.x", "auth.a-b", "auth.domain_1", "auth.priv", "AUTH.INTRA."],
  ...["auth.test", "auth.example", "auth.invalid", "1.0.0.10.in-addr.arpa", "ipv4only.arpa"],
  ...["localhost", "localhost.", "a.localhost", "LOCALHOST", "localhost..", "ｌｏｃａｌｈｏｓｔ"],
  ...["localhost.localdomain", "localhost6.localdomain6", "ip6-localhost", "localhost%2e"],
  ...["auth.internal.", "auth.internal..", "AUTH.Internal", "metadata.google.internal"],
  ...["api.default.svc", "vault.service.consul", "host.docker.internal", "intranet."],
  ...["127.1", "0x7f.0.0.1", "2130706433", "0", "[::1]", "[::ffff:10.0.0.1]", "169.254.169.254"],
];

test.each(privateHosts)("a public server cannot name the private host %s", async (host) => {
  const { error, hasLeftServer } = await named(host);
  expect(error).toContain("is on a private network, but mcp.example.com is not");
  expect(hasLeftServer).toBe(false);
  expect((await named(host, "https://mcp.corp")).hasLeftServer).toBe(true);
});

test.each([
  ...["intra.example.org", "auth.cloud", "auth.network", "auth.xn--p1ai", "auth.museum", "lxd.io"],
  ...["auth.example.com", "internal.example.com", "localhost.example.com", "arpa.org", "8.8.8.8"],
  ...[
    "test.dev",
    "mylocal.net",
    "[2606:4700::1111]",
    "home.arpa.example.com",
    "xn--80ak6aa92e.com",
  ],
])("a public server can name the public host %s", async (host) => {
  expect((await named(host)).hasLeftServer).toBe(true);
});

test("a hidden service is reached from its own network, and leads to no private one", async () => {
  expect((await named("def.onion", "https://abc.onion")).hasLeftServer).toBe(true);
  expect((await named("10.0.0.1", "https://abc.onion")).error).toContain("is on a private network");
  expect((await named("abc.onion")).error).toContain("is on the onion network");
});

test.each(["a.localhost", "127.0.0.2", "10.0.0.1"])(
  "http://%s is not called without TLS",
  async (host) => {
    const { error, hasLeftServer } = await named(host, "http://localhost:8080", "http");
    expect(error).toContain("is neither https nor on this machine");
    expect(hasLeftServer).toBe(false);
  },
);

test("in Node, a public name with a private address is refused as well", async () => {
  const server = new URL("https://mcp.example.com");
  const reach = serverFetch(server, {
    fetch,
    resolve: async () => [{ address: "169.254.169.254", family: 4 }],
  });
  const { error } = await named("auth.example.com", server.origin, "https", reach);
  expect(error).toContain(
    "auth.example.com has the address 169.254.169.254 on a private network, but mcp.example.com is not on one",
  );
});
