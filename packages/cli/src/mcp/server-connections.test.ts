import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { type ServerFetchOptions, serverFetch } from "./server-fetch.ts";

const pem = (name: string) =>
  readFileSync(new URL(`../../../../tests/src/certificates/${name}.pem`, import.meta.url), "utf8");
const ca = pem("ca");
const client = { cert: pem("client"), key: pem("client.key") };

async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers with the name in the client's certificate. */
function listenSecurely(requestCert = false): Promise<number> {
  const keys = { cert: pem("server"), key: pem("server.key"), ca };
  return portOf(
    createTlsServer({ ...keys, requestCert, rejectUnauthorized: false }, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(`hello ${String(subject?.CN ?? "stranger")}`);
    }),
  );
}

/** A proxy by CONNECT that reaches every name on this machine. */
async function listenAsProxy(password?: string) {
  const seen: string[] = [];
  const server = createHttpServer();
  server.on("connect", (request, socket) => {
    const wanted = `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
    if (password !== undefined && request.headers["proxy-authorization"] !== wanted) {
      socket.end("HTTP/1.1 407 No\r\n\r\n");
      return;
    }
    seen.push(request.url ?? "");
    const far = connect(Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      far.pipe(socket).pipe(far);
    });
    for (const end of [far, socket]) end.on("error", () => far.destroy());
  });
  return { seen, address: `127.0.0.1:${await portOf(server)}` };
}

const open = (url: string, options: Partial<ServerFetchOptions>) =>
  serverFetch(new URL(url), { fetch, ...options });
const read = (answer: Promise<Response>) => answer.then((response) => response.text());
const causeOf = (answer: Promise<Response>) =>
  answer.then(
    () => "",
    ({ message, cause }: Error) => `${message}: ${(cause as Error | undefined)?.message}`,
  );

test("only authorities of Node and of --cacert are trusted", async () => {
  const url = `https://localhost:${await listenSecurely()}/`;
  expect(await causeOf(open(url, {})(url))).toMatch(/certificate/);
  expect(await causeOf(open(url, { tls: client })(url))).toMatch(/certificate/);
  expect(await read(open(url, { tls: { ca } })(url))).toBe("hello stranger");
});

test("the client certificate is sent to the server alone", async () => {
  const [own, other] = [await listenSecurely(true), await listenSecurely(true)];
  const url = `https://localhost:${own}/`;
  const send = open(url, { tls: { ca, ...client } });
  expect(await read(send(url))).toBe("hello client");
  expect(await read(send(`https://localhost:${other}/`))).toBe("hello stranger");
});

test("a proxy is used for all but this machine and the hosts of NO_PROXY", async () => {
  const proxy = await listenAsProxy("a password");
  const port = await listenSecurely(true);
  const url = `https://mcp.example.com:${port}/`;
  const env = {
    HTTPS_PROXY: `http://me:a%20password@${proxy.address}`,
    NO_PROXY: "direct.example.com",
  };
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  const send = open(url, { env, tls: { ca, ...client }, resolve });
  expect(await read(send(url))).toBe("hello client");
  expect(await read(send(`https://auth.example.com:${port}/`))).toBe("hello stranger");
  expect(proxy.seen).toEqual([`mcp.example.com:${port}`, `auth.example.com:${port}`]);
  // Hosts that bypass the proxy are checked as usual.
  expect(await causeOf(send(`https://direct.example.com:${port}/`))).toContain("private network");
  const local = `https://localhost:${port}/`;
  expect(await read(open(local, { env, tls: { ca } })(local))).toBe("hello stranger");
  expect(proxy.seen).toHaveLength(2);
});

test("a failure of a proxy is an error without its password", async () => {
  const proxy = await listenAsProxy("another");
  const url = "https://mcp.example.com/";
  const env = { https_proxy: `http://me:secret@${proxy.address}` };
  const failure = await causeOf(open(url, { env })(url));
  expect(failure).toContain("407");
  expect(failure).not.toContain("secret");
  expect(() => open(url, { env: { HTTPS_PROXY: "http://me:secret@:80:" } })).toThrow(
    "HTTPS_PROXY is not the address of a proxy",
  );
});

test("NO_PROXY of a star turns proxies off", async () => {
  const port = await listenSecurely();
  const env = { HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "*" };
  const url = `https://mcp.example.com:${port}/`;
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  expect(await read(open(url, { env, tls: { ca }, resolve })(url))).toBe("hello stranger");
});
