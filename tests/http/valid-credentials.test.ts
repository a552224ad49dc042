import { becomeTask, McpServer, memoryStore, type ServerCall, tasks } from "@idewire/core/server";
import { type RequestHead, releaseStream } from "@idewire/http";
import type { Admission } from "@idewire/http/internal";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  calling,
  carriedByThree,
  carriers,
  eventsOf,
  getting,
  modernRequest,
  nextMessage,
  openSession,
  posting,
  postingModern,
  request,
} from "../src/http-client.ts";

type NamedMethod = Parameters<NonNullable<Admission<unknown>["refuse"]>>[0];

/** The claims of a token; all are ann's. */
interface Token {
  readonly scopes: readonly string[];
  readonly expiresAtMs?: number;
  isRevoked?: boolean;
}

interface Context {
  readonly token: string;
  readonly scopes: readonly string[];
}

const secret = "x:secret";
const secretTemplate = "x:secrets/{id}";
/** The scope that a message requires. */
const neededFor = ({ method, name }: NamedMethod) =>
  (method === "resources/read" && (name === secret || name === secretTemplate)) ||
  (method === "prompts/get" && name === "secret") ||
  name === "danger"
    ? "secrets"
    : "";

type Carrier = (typeof carriers)[string];

async function open(carry: Carrier) {
  const tokens = new Map<string, Token>([
    ["all", { scopes: ["secrets"] }],
    ["few", { scopes: [] }],
  ]);
  const authorize = (head: RequestHead): Admission<Context> => {
    const name = head.header("x-token") ?? "";
    const token = tokens.get(name);
    if (token === undefined) throw new Error(`There is no token ${name}`);
    const { scopes, expiresAtMs } = token;
    const refusal = { status: 403, message: "More scopes are needed" } as const;
    return {
      ...{ context: { token: name, scopes }, principal: "ann", scopes },
      refuse: (message) => (["", ...scopes].includes(neededFor(message)) ? undefined : refusal),
      ...(expiresAtMs !== undefined && { expiresAtMs }),
      isValid: async () => tokens.get(name)?.isRevoked !== true,
    };
  };
  const server = new McpServer<unknown>({
    ...{ name: "s", version: "1", store: memoryStore() },
    features: [tasks()],
  });
  const waiting: (() => void)[] = [];
  server.tool("who", {}, (_, call) => JSON.stringify(call.context));
  server.tool("wait", {}, async (_, call) => {
    call.log("info", "begun");
    await new Promise<void>((resolve) => waiting.push(resolve));
    return JSON.stringify(call.context);
  });
  const release = async (_: unknown, call: ServerCall<unknown>) => {
    await becomeTask(call);
    releaseStream(call, 10);
    return "the result";
  };
  server.tool("danger", {}, release);
  server.tool("scoped", { scopes: ["secrets"] }, release);
  const id = { complete: () => ["completed"] };
  for (const name of ["secret", "public"]) server.prompt(name, { arguments: { id } }, () => "");
  for (const uri of [secretTemplate, "x:all/{id}"]) {
    server.resource(uri, { name: uri, complete: { id: id.complete } }, () => "");
  }
  for (const uri of [secret, "x:public"]) server.resource(uri, { name: uri }, () => "");
  const limits = { keepAliveMs: 100 };
  const endpoint = await carry({ server, authorize, limits });
  onTestFinished(async () => {
    for (const release of waiting) release();
    await endpoint.close();
  });
  /** A token that expires soon. */
  const brief = (ms = 400) => {
    tokens.set("brief", { scopes: ["secrets"], expiresAtMs: Date.now() + ms });
    return { "x-token": "brief" };
  };
  return { ...endpoint, server, tokens, waiting, brief };
}

const as = (name: string) => ({ "x-token": name });

/** Whether a stream ends within the time. */
async function ends(events: AsyncGenerator<unknown>, ms = 5_000) {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms));
  const end = async () => {
    for await (const _ of events);
    return true;
  };
  return Promise.race([end(), late]);
}

describe.each(Object.entries({ ...carriers, "three instances": carriedByThree }))(
  "over the %s",
  (_, carry) => {
    test("in a session each call has the rights of its own token, not those of initialize", async () => {
      const { send } = await open(carry);
      const session = await openSession(send, { headers: as("all") });
      for (const name of ["few", "all", "few"]) {
        const answer = await send(posting(calling(1, "who"), { ...session, ...as(name) }));
        expect(await answer.text()).toContain(`\\"token\\":\\"${name}\\"`);
      }
      const refused = await send(posting(calling(2, "danger"), { ...session, ...as("few") }));
      expect(refused.status).toBe(403);
    });

    test("arguments are completed only for clients that may get the prompt, or read the template", async () => {
      const { send } = await open(carry);
      const session = await openSession(send, { headers: as("all") });
      const targets = [
        ["ref/prompt", "name", "secret", "public"],
        ["ref/resource", "uri", secretTemplate, "x:all/{id}"],
      ] as const;
      for (const [type, key, kept, open] of targets) {
        for (const [token, target, status] of [
          ["few", kept, 403],
          ["all", kept, 200],
          ["few", open, 200],
        ] as const) {
          const wanted = { ref: { type, [key]: target }, argument: { name: "id", value: "" } };
          const legacy = request(1, "completion/complete", wanted);
          const modern = modernRequest(1, "completion/complete", wanted);
          for (const init of [
            posting(legacy, { ...session, ...as(token) }),
            postingModern(modern, as(token)),
          ]) {
            const answer = await send(init);
            expect([target, token, answer.status]).toEqual([target, token, status]);
            expect((await answer.text()).includes("completed")).toBe(status === 200);
          }
        }
      }
    });

    test("a stream of a session ends when its token expires, and goes on with another", async () => {
      const { send, brief, server } = await open(carry);
      const session = await openSession(send, { headers: as("few") });
      const events = eventsOf(await send(getting({ ...session, ...brief() })));
      expect((await events.next()).done).toBe(false);
      expect(await ends(events)).toBe(true);
      const again = eventsOf(await send(getting({ ...session, ...as("few") })));
      await again.next();
      server.tool("extra", {}, () => "");
      expect(await nextMessage(again)).toMatchObject({
        method: "notifications/tools/list_changed",
      });
      await again.return(undefined);
    });

    test("a stream ends when its token is revoked", async () => {
      const { send, tokens } = await open(carry);
      const session = await openSession(send, { headers: as("few") });
      tokens.set("lost", { scopes: [] });
      const events = eventsOf(await send(getting({ ...session, ...as("lost") })));
      await events.next();
      tokens.set("lost", { scopes: [], isRevoked: true });
      expect(await ends(events)).toBe(true);
    });

    test("the stream of a call ends with its token, and another token gets the answer", async () => {
      const { send, brief, waiting } = await open(carry);
      const session = await openSession(send, { headers: as("few") });
      const events = eventsOf(await send(posting(calling(1, "wait"), { ...session, ...brief() })));
      const first = await events.next();
      expect(await ends(events)).toBe(true);
      for (const release of waiting) release();
      const from = { "last-event-id": String(first.value?.id) };
      const rest = eventsOf(await send(getting({ ...session, ...as("few"), ...from })));
      const seen: unknown[] = [];
      for await (const { data } of rest) seen.push(data);
      expect(seen.at(-1)).toMatchObject({ id: 1, result: {} });
    });

    test.each(["danger", "scoped"])(
      "a client that may not call the tool %s does not get the answer to another token's call",
      async (tool) => {
        const { send } = await open(carry);
        const session = await openSession(send, { headers: as("all") });
        const events = eventsOf(await send(posting(calling(1, tool), session)));
        const { value } = await events.next();
        expect(await ends(events)).toBe(true);
        const from = { ...session, "last-event-id": String(value?.id) };
        expect((await send(getting({ ...from, ...as("few") }))).status).toBe(403);
        const rest = eventsOf(await send(getting(from)));
        expect(await nextMessage(rest)).toMatchObject({ id: 1 });
      },
    );

    test.each(["danger", "scoped"])(
      "a client that may not call the tool %s does not get the task of another token's call",
      async (tool) => {
        const { send } = await open(carry);
        const able = { extensions: { "io.modelcontextprotocol/tasks": {} } };
        const ask = (method: string, params: object, token: string) => {
          const named = "taskId" in params ? { "mcp-name": String(params.taskId) } : {};
          const message = modernRequest(1, method, { ...params }, undefined, able);
          return send(postingModern(message, { ...as(token), ...named }));
        };
        const begun = await ask("tools/call", { name: tool, arguments: {} }, "all");
        const { taskId } = ((await begun.json()) as { result: { taskId: string } }).result;
        for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
          const refused = await ask(method, { taskId, inputResponses: {} }, "few");
          expect([refused.status, await refused.text()]).toEqual([
            403,
            expect.not.stringContaining("the result"),
          ]);
        }
        const filter = { notifications: { taskIds: [taskId] } };
        const events = eventsOf(await ask("subscriptions/listen", filter, "few"));
        expect(await nextMessage(events)).toMatchObject({
          params: { notifications: { taskIds: [] } },
        });
        await events.return(undefined);
        await expect
          .poll(async () => (await ask("tasks/get", { taskId }, "all")).text())
          .toContain("the result");
      },
    );

    test("changes of a resource are reported only to clients that may read it", async () => {
      const { send, server } = await open(carry);
      const session = await openSession(send, { headers: as("all") });
      const subscribe = (id: number, uri: string, name: string) =>
        send(
          posting(request(id, "resources/subscribe", { uri }), { ...session, ...as(name) }),
        ).then(({ status }) => status);
      expect(await subscribe(1, secret, "few")).toBe(403);
      expect(await subscribe(2, secret, "all")).toBe(200);
      expect(await subscribe(3, "x:public", "few")).toBe(200);
      const events = eventsOf(await send(getting({ ...session, ...as("few") })));
      const first = await events.next();
      server.resourceUpdated(secret);
      server.resourceUpdated("x:public");
      expect(await nextMessage(events)).toMatchObject({ params: { uri: "x:public" } });
      await events.return(undefined);
      // The same for a stored resource, whose readers are notified.
      const from = { ...session, "last-event-id": String(first.value?.id) };
      const few = eventsOf(await send(getting({ ...from, ...as("few") })));
      expect(await nextMessage(few)).toMatchObject({ params: { uri: "x:public" } });
      await few.return(undefined);
      const all = eventsOf(await send(getting(from)));
      expect(await nextMessage(all)).toMatchObject({ params: { uri: secret } });
      await all.return(undefined);
    });

    test("a stream of subscriptions/listen is authorized by its token, and ends with it", async () => {
      const { send, server, brief } = await open(carry);
      const listen = (uris: readonly string[], headers: Readonly<Record<string, string>>) => {
        const notifications = { resourceSubscriptions: uris };
        const message = modernRequest(1, "subscriptions/listen", { notifications });
        return send(postingModern(message, headers));
      };
      expect((await listen([secret], as("few"))).status).toBe(403);
      const events = eventsOf(await listen(["x:public", secret], brief(1_000)));
      await events.next();
      server.resourceUpdated(secret);
      expect(await nextMessage(events)).toMatchObject({ params: { uri: secret } });
      expect(await ends(events)).toBe(true);
      expect(server.isSubscribed(secret)).toBe(false);
    });

    test("of the resources of a subscriptions/listen, those that may be read are acknowledged and reported", async () => {
      const { send, server } = await open(carry);
      const listen = async (notifications: object) => {
        const message = modernRequest(1, "subscriptions/listen", { notifications });
        return eventsOf(await send(postingModern(message, as("few"))));
      };
      const some = await listen({ resourceSubscriptions: ["x:public", secret] });
      expect(await nextMessage(some)).toMatchObject({
        params: { notifications: { resourceSubscriptions: ["x:public"] } },
      });
      server.resourceUpdated(secret);
      server.resourceUpdated("x:public");
      expect(await nextMessage(some)).toMatchObject({ params: { uri: "x:public" } });
      await some.return(undefined);
      const lists = await listen({ resourcesListChanged: true, resourceSubscriptions: [secret] });
      const acknowledged = (await nextMessage(lists)) as { params: { notifications: object } };
      expect(acknowledged.params.notifications).toEqual({ resourcesListChanged: true });
      await lists.return(undefined);
    });
  },
);
