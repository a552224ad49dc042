import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { toNodeHandler } from "@idewire/node-server";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  calling,
  carriers,
  type EndpointOptions,
  openSession,
  posting,
  request,
  toParameters,
} from "../src/http-client.ts";

type Options = EndpointOptions;

const all = {
  ...carriers,
  /** An application without error handling. */
  async "Node handler"(options: Options) {
    const handler = createMcpHandler(...toParameters(options));
    const answer = toNodeHandler(handler);
    const server = createServer((incoming, response) => void answer(incoming, response));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const close = async () => {
      handler.close();
      server.closeAllConnections();
      server.close();
    };
    return { url, send: (init: RequestInit) => fetch(url, init), close };
  },
};

const names = ["a\r\nset-cookie: x", "工具", "näme", '"x", realm="y\\', "\u0000", "\ud800"];
const lacking = (name = "") => ({
  ...{ status: 403 as const, message: "no" },
  headers: { "www-authenticate": `Bearer scope="${name}"` },
});

beforeEach(() => {
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  process.on("unhandledRejection", note).on("uncaughtException", note);
  onTestFinished(async () => {
    await sleep(10);
    process.off("unhandledRejection", note).off("uncaughtException", note);
    expect(failures).toEqual([]);
  });
});

describe.each(Object.entries(all))("over the %s", (_, carry) => {
  async function open(options: Partial<Options>) {
    const server = new McpServer<unknown>({ name: "s", version: "1" });
    const endpoint = await carry({ context: undefined, ...options, server } as Options);
    onTestFinished(() => endpoint.close());
    return endpoint;
  }

  test.each(names)("a refusal that names %j is answered", async (name) => {
    for (const authorize of [() => lacking(name), async () => lacking(name)]) {
      const { send } = await open({ authorize });
      const { status, headers } = await send(posting(request(1, "ping")));
      expect([status, headers.get("set-cookie")]).toEqual([403, null]);
      expect(headers.get("www-authenticate")).toMatch(/^Bearer scope="[!-~ ]+"$/);
    }
  });

  test("a message whose name is in its refusal is answered, and the session continues", async () => {
    const refuse = ({ name }: { readonly name: string | undefined }) =>
      name === undefined ? undefined : lacking(name);
    const { send } = await open({ authorize: () => ({ context: undefined, refuse }) });
    const session = await openSession(send);
    for (const name of names) {
      expect((await send(posting(calling(1, name), session))).status).toBe(403);
    }
    expect((await send(posting(request(2, "ping"), session))).status).toBe(200);
  });

  test("an error of the application ends one request, and nothing else", async () => {
    const wrong = { "no name": "x" };
    const late = () => ({ ...lacking(), headers: wrong });
    const onerror = () => {
      throw new Error("the log is full");
    };
    const bad = [
      async () => ({ ...lacking(), headers: wrong }),
      async () => ({ ...lacking(), status: 1_000 as 403 }),
      () => ({ context: undefined, refuse: late }),
      () => Promise.reject(new Error("the key has expired")),
    ];
    for (const authorize of bad) {
      const { send } = await open({ authorize, onerror } as Partial<Options>);
      const status = await send(posting(request(1, "ping"))).then(
        (answer) => answer.status,
        () => "cut",
      );
      expect([500, "cut"]).toContain(status);
    }
  });
});

describe.each(Object.entries(all).filter(([name]) => name !== "handler"))(
  "a client of the %s that leaves while it is authorized",
  (_, carry) => {
    test.each([1, 3])("frees its places, with %i requests in a row", async (count) => {
      let authorizations = 0;
      const server = new McpServer<unknown>({ name: "s", version: "1" });
      const authorize = async () => {
        authorizations += 1;
        await sleep(30);
        return { context: undefined };
      };
      const limits = { maxOpenRequests: 1 };
      const { url, send, close } = await carry({ server, authorize, limits } as Options);
      onTestFinished(close);
      const { host, port } = new URL(url);
      const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
      for (const way of [`Content-Length: 100\r\n\r\n`, `Content-Length: 2\r\n\r\n{}`]) {
        const before = authorizations;
        const socket = connect(Number(port), "127.0.0.1");
        socket.write((head + way).repeat(way.endsWith("{}") ? count : 1));
        await expect.poll(() => authorizations).toBeGreaterThan(before);
        socket.destroy();
        await sleep(80);
      }
      expect((await send(posting(request(1, "ping")))).status).not.toBe(503);
    });
  },
);

test("a request of the fetch standard that is cancelled while it is authorized is settled, and frees its place", async () => {
  const server = new McpServer<unknown>({ name: "s", version: "1" });
  const authorize = () => sleep(30, { context: undefined });
  const handler = createMcpHandler(server, { authorize, limits: { maxOpenRequests: 1 } });
  onTestFinished(() => handler.close());
  const make = (signal?: AbortSignal) =>
    new Request("http://127.0.0.1:3000/mcp", posting(request(1, "ping"), {}, signal));
  const cut = new AbortController();
  const answers = [make(cut.signal), make(cut.signal)].map(handler.fetch);
  cut.abort();
  for (const answer of await Promise.all(answers)) expect(answer.ok).toBe(false);
  await sleep(60);
  expect((await handler.fetch(make())).status).not.toBe(503);
});
