import { McpServer } from "@idewire/core/server";
import { releaseStream } from "@idewire/http";
import * as v from "valibot";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  calling,
  carriedByThree,
  carriers,
  type EndpointOptions,
  eventsOf,
  getting,
  nextMessage,
  type OpenEndpoint,
  openSession,
  posting,
  request,
  type SeenEvent,
} from "../src/http-client.ts";

/** A server with tools that end when the test decides. */
function createServer() {
  const waiting = new Map<string, () => void>();
  const runs: string[] = [];
  const server = new McpServer({ name: "s", version: "1" });
  const input = v.object({ key: v.string() });
  server.tool("wait", { input }, async ({ key }, call) => {
    runs.push(key);
    await new Promise<void>((resolve) => waiting.set(key, resolve));
    call.progress({ progress: 1, message: key });
    return key;
  });
  server.tool("release", { input }, async ({ key }, call) => {
    runs.push(String(releaseStream(call, 250)));
    await new Promise<void>((resolve) => waiting.set(key, resolve));
    return key;
  });
  server.tool("ask", {}, async (_, call) =>
    JSON.stringify(await call.ask("Who?", v.object({ name: v.string() }))),
  );
  server.tool("sample", {}, async (_, call) => {
    const messages = [{ role: "user", content: { type: "text", text: "?" } }] as const;
    try {
      await call.sample({ messages, maxTokens: 5 });
      return "answered";
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  });
  server.tool("who", {}, (_, { context }) => String(context));
  return { server, runs, waiting, finish: (key: string) => waiting.get(key)?.() };
}

/** Opens an endpoint of a server with the tools. */
async function openBy(
  carry: (options: EndpointOptions) => Promise<OpenEndpoint>,
  options: Partial<EndpointOptions> = {},
) {
  const made = createServer();
  const all = { context: "one for all", ...options, server: made.server } as EndpointOptions;
  const endpoint = await carry(all);
  onTestFinished(() => endpoint.close());
  return { ...made, ...endpoint };
}

describe.each(Object.entries({ ...carriers, "three instances": carriedByThree }))(
  "over the %s",
  (_, carry) => {
    const open = (options?: Partial<EndpointOptions>) => openBy(carry, options);

    test("two concurrent calls each receive their own progress and answer alone", async () => {
      const { send, finish, runs } = await open();
      const session = await openSession(send);
      const general = eventsOf(await send(getting(session)));
      const call = (key: string) =>
        send(posting(calling(key, "wait", { key }, { progressToken: key }), session));
      const [a, b] = [call("a"), call("b")];
      await expect.poll(() => runs.length).toBe(2);
      finish("b");
      finish("a");
      for (const [key, response] of [["a", await a] as const, ["b", await b] as const]) {
        const events = eventsOf(response);
        expect(await nextMessage(events)).toMatchObject({ params: { progressToken: key } });
        expect(await nextMessage(events)).toMatchObject({ id: key });
        expect(await nextMessage(events)).toBeUndefined();
      }
      await general.return(undefined);
    });

    test("a question goes to the stream of its call, and its answer comes by a POST", async () => {
      const { send } = await open();
      const session = await openSession(send, { capabilities: { elicitation: {} } });
      const events = eventsOf(await send(posting(calling(1, "ask"), session)));
      const question = (await nextMessage(events)) as { readonly id: number };
      expect(question).toMatchObject({ method: "elicitation/create" });
      const result = { action: "accept", content: { name: "Ann" } };
      const answer = await send(posting({ jsonrpc: "2.0", id: question.id, result }, session));
      expect(answer.status).toBe(202);
      const text = JSON.stringify(result);
      expect(await nextMessage(events)).toMatchObject({ result: { content: [{ text }] } });
    });

    test("a question to a client that accepts JSON alone rejects at once", async () => {
      const { send } = await open();
      const session = await openSession(send, { capabilities: { sampling: {} } });
      const json = { ...session, accept: "application/json" };
      const answer = await send(posting(calling(1, "sample"), json));
      expect(await answer.json()).toMatchObject({ result: { content: [{ text: "unreachable" }] } });
    });

    test("a client that accepts events alone is answered by one", async () => {
      const { send } = await open();
      const session = await openSession(send);
      const events = await send(
        posting(calling(1, "who"), { ...session, accept: "text/event-stream" }),
      );
      expect(await nextMessage(eventsOf(events))).toMatchObject({ id: 1 });
    });

    test("a call that was released is answered when its client returns", async () => {
      const { send, finish, runs, waiting } = await open();
      const session = await openSession(send);
      const first: SeenEvent[] = [];
      const released = await send(posting(calling(1, "release", { key: "r" }), session));
      for await (const event of eventsOf(released)) first.push(event);
      expect(runs).toEqual(["true"]);
      expect(first).toMatchObject([{ id: expect.any(String) }, { retry: "250" }]);
      await expect.poll(() => waiting.size).toBe(1);
      const back = { ...session, "last-event-id": first[0]?.id ?? "" };
      const events = eventsOf(await send(getting(back)));
      finish("r");
      expect(await nextMessage(events)).toMatchObject({ id: 1, result: {} });
      expect(await nextMessage(events)).toBeUndefined();
      // The client may request again what it may have missed.
      const again = eventsOf(await send(getting(back)));
      expect(await nextMessage(again)).toMatchObject({ id: 1, result: {} });
    });

    test.each(["2025-03-26", "2025-06-18"])("in %s no call is released", async (revision) => {
      const { send, finish, runs, waiting } = await open();
      const session = await openSession(send, { revision });
      const answer = send(posting(calling(1, "release", { key: "r" }), session));
      await expect.poll(() => waiting.size).toBe(1);
      finish("r");
      expect(await (await answer).json()).toMatchObject({ id: 1 });
      expect(runs).toEqual(["false"]);
    });

    test("a long call gets a stream, and survives a disconnect", async () => {
      const { send, finish, runs } = await open();
      const session = await openSession(send);
      const cut = new AbortController();
      const events = eventsOf(
        await send(posting(calling(1, "wait", { key: "w" }), session, cut.signal)),
      );
      const { value } = await events.next();
      cut.abort();
      await events.next().catch(() => {});
      const returned = await send(getting({ ...session, "last-event-id": value?.id ?? "" }));
      finish("w");
      expect(await nextMessage(eventsOf(returned))).toMatchObject({ id: 1, result: {} });
      expect(runs).toEqual(["w"]);
    });

    test.each(["", "nonsense", "aaaaaaaa-0-0", "x-1-99999999999999"])(
      "the Last-Event-ID %j is refused with a message",
      async (id) => {
        const { send } = await open();
        const session = await openSession(send);
        await (await send(getting(session))).body?.cancel();
        const answer = await send(getting({ ...session, "last-event-id": id }));
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({
          error: { message: expect.stringContaining("Last-Event-ID") },
        });
      },
    );

    test("events of one session are not replayed to another, and dropped ones are reported as missing", async () => {
      const { send, server } = await open();
      const [mine, theirs] = [await openSession(send), await openSession(send)];
      const cut = new AbortController();
      const events = eventsOf(await send(getting(mine, cut.signal)));
      const id = (await events.next()).value?.id ?? "";
      expect((await send(getting({ ...theirs, "last-event-id": id }))).status).toBe(400);
      cut.abort();
      await events.next().catch(() => {});
      for (let n = 0; n < 8_000; n += 1) server.emit(`notifications/x${"y".repeat(100)}`);
      const rest = eventsOf(await send(getting({ ...mine, "last-event-id": id })));
      expect((await rest.next()).value?.data).toEqual({ missing: expect.any(Number) });
      expect((await rest.next()).value?.data).toMatchObject({
        method: expect.stringContaining("notifications/x"),
      });
      await rest.return(undefined);
    });

    test("a session is of one principal, and unknown to all others", async () => {
      const { send } = await open({
        context: undefined,
        authorize: async (head) => {
          const name = head.header("x-name");
          if (name === undefined) return { status: 401, message: "Say who you are" };
          return { context: `context of ${name}`, principal: name };
        },
      });
      const [ann, bob] = [{ "x-name": "Ann" }, { "x-name": "Bob" }];
      const session = await openSession(send, { headers: ann });
      const answer = await send(posting(calling(1, "who"), session));
      expect(await answer.json()).toMatchObject({
        result: { content: [{ text: "context of Ann" }] },
      });
      const foreign = await send(posting(calling(1, "who"), { ...session, ...bob }));
      expect(foreign.status).toBe(404);
      expect(await foreign.json()).toMatchObject({ id: 1, error: { code: -32_600 } });
      expect((await send(getting({ ...session, ...bob }))).status).toBe(404);
      const nobody = await send(posting(calling(1, "who"), { "mcp-session-id": "x" }));
      expect(nobody.status).toBe(401);
      expect(await nobody.json()).toEqual({
        jsonrpc: "2.0",
        error: { code: -32_600, message: "Say who you are" },
      });
    });

    test("a bug in authorize is a 500 without details", async () => {
      const errors: unknown[] = [];
      const fault = new Error("the secret of the house");
      const { send } = await open({
        context: undefined,
        authorize: () => {
          throw fault;
        },
        onerror: (error) => void errors.push(error),
      });
      const answer = await send(posting(request(1, "ping")));
      expect(answer.status).toBe(500);
      expect(await answer.text()).not.toContain("secret");
      expect(errors).toEqual([fault]);
    });

    test("a revision other than the session's is refused, a missing one is not", async () => {
      const { send } = await open();
      const session = await openSession(send);
      const other = { ...session, "mcp-protocol-version": "2025-06-18" };
      const refused = await send(posting(request(1, "ping"), other));
      expect(refused.status).toBe(400);
      expect(await refused.json()).toEqual({
        ...{ jsonrpc: "2.0", id: 1 },
        error: {
          code: -32_600,
          message: 'MCP-Protocol-Version: expected 2025-11-25, got "2025-06-18"',
        },
      });
      const { "mcp-session-id": id = "" } = session;
      expect((await send(posting(request(1, "ping"), { "mcp-session-id": id }))).status).toBe(200);
    });

    test("the endpoint's own origin is admitted, another only by name", async () => {
      const { send, url } = await open();
      const ping = async (to: typeof send, origin: string) =>
        (await to(posting(request(1, "initialize", { protocolVersion: "x" }), { origin }))).status;
      expect(await ping(send, new URL(url).origin)).toBe(200);
      expect(await ping(send, "http://evil.example")).toBe(403);
      const named = await open({ allowedOrigins: ["https://app.example"] });
      expect(await ping(named.send, "https://app.example")).toBe(200);
      expect(await ping(named.send, new URL(named.url).origin)).toBe(403);
    });

    test("without sessions each request stands alone", async () => {
      const { send, server } = await open({ legacy: "stateless" });
      const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} };
      const opened = await send(posting(request(1, "initialize", hello)));
      expect(opened.headers.get("mcp-session-id")).toBeNull();
      expect(await opened.json()).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
      const answer = await send(posting(calling(2, "who")));
      expect(await answer.json()).toMatchObject({ result: { content: [{ text: "one for all" }] } });
      for (const method of ["GET", "DELETE"]) {
        const refused = await send({ method, headers: { accept: "text/event-stream" } });
        expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
      }
      const unasked = await send(posting(calling(3, "sample")));
      expect(await unasked.json()).toMatchObject({ result: { content: [{ text: "protocol" }] } });
      await expect.poll(() => server.connections.size).toBe(0);
    });

    test("a session without a request expires, one with a stream remains", async () => {
      const { send, server } = await open({ limits: { sessionIdleMs: 1_000, keepAliveMs: 20 } });
      const kept = await openSession(send);
      const stream = await send(getting(kept));
      await openSession(send);
      await expect.poll(() => server.connections.size).toBe(1);
      const events = eventsOf(stream);
      // Because of comments, intermediaries do not consider the stream dead.
      expect([(await events.next()).value, (await events.next()).value]).toContainEqual({});
      expect((await send(posting(request(1, "ping"), kept))).status).toBe(200);
      await events.return(undefined);
    });

    test("an id twice in flight is an error for the second, without effect on the first", async () => {
      const { send, finish, runs } = await open();
      const session = await openSession(send);
      const first = send(posting(calling(7, "wait", { key: "f" }), session));
      await expect.poll(() => runs.length).toBe(1);
      const second = await send(posting(calling(7, "who"), session));
      expect(await second.json()).toMatchObject({ id: 7, error: { code: -32_600 } });
      finish("f");
      expect(await (await first).json()).toMatchObject({ id: 7, result: {} });
    });

    test.each(["maxSessions", "maxBodyBytes", "keepAliveMs"])(
      "a %s of 0 is refused",
      async (name) => {
        await expect(open({ limits: { [name]: 0 } })).rejects.toMatchObject({
          code: "invalid-argument",
          message: `limits.${name}: expected more than 0, got 0`,
        });
      },
    );
  },
);

describe.each(Object.entries(carriers))("over the %s alone", (_, carry) => {
  const open = (options?: Partial<EndpointOptions>) => openBy(carry, options);

  test("requests beyond the limit are refused, and those within it unaffected", async () => {
    const { send, finish, runs } = await open({ limits: { maxOpenRequests: 1 } });
    const session = await openSession(send);
    const first = send(posting(calling(1, "wait", { key: "f" }), session));
    await expect.poll(() => runs.length).toBe(1);
    const second = await send(posting(calling(2, "who"), session));
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"]);
    finish("f");
    expect((await first).status).toBe(200);
    await (await first).text();
    await expect
      .poll(async () => (await send(posting(calling(3, "who"), session))).status)
      .toBe(200);
  });
});
