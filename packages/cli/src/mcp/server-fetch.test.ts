import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type Resolve, serverFetch } from "./server-fetch.ts";

/** A server on this machine, with a count of accepted connections. */
async function listen() {
  const seen = { connections: 0 };
  const server = createServer((_, response) => response.end("hello"));
  server.on("connection", () => {
    seen.connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

/** Answers each query with the name's next addresses, and from then on with the last ones. */
function resolver(names: Readonly<Record<string, readonly (readonly string[])[]>>): Resolve {
  const left = new Map(Object.entries(names).map(([name, answers]) => [name, [...answers]]));
  return async (name) => {
    const answers = left.get(name) ?? [];
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
}

const failure = (sent: Promise<Response>) => sent.then(String, String);
/** An address reserved for documentation, where nothing answers. */
const PUBLIC = "192.0.2.1";

const privateAddresses = [
  ...["127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.31.0.1", "192.168.1.1"],
  ...["169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.0.1", "198.18.0.1", "224.0.0.1"],
  ...["255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd12::1"],
  ...["ff02::1", "::ffff:10.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::10.0.0.1"],
  ...["64:ff9b::7f00:1", "64:ff9b:1::808:808", "2002:7f00:1::", "2001::1", "100::1"],
];

test.each(privateAddresses)(
  "a host that a public server names is not connected to at %s, whatever its name",
  async (address) => {
    const { port, seen } = await listen();
    const send = serverFetch(new URL("https://mcp.example.com/mcp"), {
      fetch,
      resolve: resolver({ "auth.example.com": [[address]] }),
    });
    expect(await failure(send(`http://auth.example.com:${port}/`))).toBe(
      `IdewireError: auth.example.com has the address ${address} on a private network, but mcp.example.com is not on one`,
    );
    expect(seen.connections).toBe(0);
  },
);

test.each(["127.0.0.1", "[::ffff:127.0.0.1]", "2130706433"])(
  "a host that a public server names is not connected to at the literal address %s",
  async (host) => {
    const { port, seen } = await listen();
    const send = serverFetch(new URL("https://mcp.example.com/mcp"), { fetch });
    expect(await failure(send(`http://${host}:${port}/`))).toContain("on a private network");
    expect(seen.connections).toBe(0);
  },
);

test.each(["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])(
  "a public address such as %s is connected to",
  async (address) => {
    const send = serverFetch(new URL("https://mcp.example.com/mcp"), {
      fetch,
      resolve: resolver({ "auth.example.com": [[address]] }),
    });
    const signal = AbortSignal.timeout(200);
    const error = await failure(send("http://auth.example.com:9/", { signal }));
    expect(error).not.toContain("private network");
  },
);

test("only the public addresses of a name with private ones too are connected to", async () => {
  const { port, seen } = await listen();
  const send = serverFetch(new URL("https://mcp.example.com/mcp"), {
    fetch,
    resolve: resolver({ "auth.example.com": [["127.0.0.1", PUBLIC, "::1"]] }),
  });
  const signal = AbortSignal.timeout(500);
  expect(await failure(send(`http://auth.example.com:${port}/`, { signal }))).not.toContain(
    "hello",
  );
  expect(seen.connections).toBe(0);
});

test.each(["localhost", "127.0.0.1", "[::1]", "10.0.0.1", "mcp.corp"])(
  "a server at %s may name others of a private network",
  async (host) => {
    const { port } = await listen();
    const send = serverFetch(new URL(`http://${host}/mcp`), { fetch });
    expect(await (await send(`http://127.0.0.1:${port}/`)).text()).toBe("hello");
  },
);

test("the server that the person has named is reached at any address", async () => {
  const { port } = await listen();
  const url = `http://mcp.example.com:${port}/mcp`;
  const resolve = resolver({ "mcp.example.com": [["127.0.0.1"]] });
  const send = serverFetch(new URL(url), { fetch, resolve });
  expect(await (await send(url)).text()).toBe("hello");
});

test("a name that moves from a public address to a private one is no longer reached", async () => {
  const { port, seen } = await listen();
  const url = `http://mcp.example.com:${port}/mcp`;
  for (const names of [
    { "mcp.example.com": [[PUBLIC], ["127.0.0.1"]] },
    { "mcp.example.com": [["127.0.0.1", PUBLIC], ["127.0.0.1"]] },
  ]) {
    const send = serverFetch(new URL(url), { fetch, resolve: resolver(names) });
    await failure(send(url, { signal: AbortSignal.timeout(300) }));
    expect(await failure(send(url))).toContain(
      "mcp.example.com now has the address 127.0.0.1 on a private network, after a public one",
    );
  }
  expect(seen.connections).toBe(0);
});

test("the name is resolved once for each connection, to the address that is used", async () => {
  const { port, seen } = await listen();
  const asked: string[] = [];
  const send = serverFetch(new URL(`http://mcp.example.com:${port}/mcp`), {
    fetch,
    resolve: async (name) => {
      asked.push(name);
      return [{ address: "127.0.0.1", family: 4 }];
    },
  });
  await (await send(`http://mcp.example.com:${port}/a`)).text();
  await (await send(`http://mcp.example.com:${port}/b`)).text();
  expect(asked).toHaveLength(seen.connections);
});

test("a name that cannot be resolved is reported as such", async () => {
  const send = serverFetch(new URL("https://mcp.example.com/mcp"), {
    fetch,
    resolve: async (name) => {
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
    },
  });
  await expect(send("https://auth.example.com/")).rejects.toMatchObject({
    cause: { message: "getaddrinfo ENOTFOUND auth.example.com" },
  });
});
