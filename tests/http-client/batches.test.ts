import { elicitation, McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { expect, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import {
  event,
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

const revision = "2025-03-26";
const done = { content: [{ type: "text", text: "done" }] };
const info = { name: "me", version: "1" };
const form = { message: "Who?", requestedSchema: { type: "object", properties: {} } };
const questions = ["q1", "q2"].map((id) => ({
  jsonrpc: "2.0",
  id,
  method: "elicitation/create",
  params: form,
}));

const batching = (answer: ScriptedAnswer) =>
  new ScriptedHttpServer(withSessions(answer, revision)).listen();

test.each(["JSON", "an event"])("a batch in %s answers its call", async (how) => {
  await using server = await batching(({ message: { id, method } }, response) => {
    if (method !== "tools/call") return false;
    const logged = { jsonrpc: "2.0", method: "notifications/message", params: { data: "hello" } };
    const batch = [logged, result(id, done)];
    if (how === "JSON") json(response, batch);
    else events(response).end(event(batch));
  });
  const received: string[] = [];
  const client = await connectOverHttp(server, {
    onnotification: (method) => received.push(method),
  });
  expect(await client.callTool("a")).toEqual(done);
  expect(received).toEqual(["notifications/message"]);
  client.close();
});

test.each([
  [400, "lost"],
  [401, "lost"],
  [404, "closed"],
])(
  "a call whose questions came in a batch, and whose answers are refused with HTTP %i, is %s at once",
  async (status, code) => {
    await using server = await batching((seen, response) => {
      if (seen.body.startsWith("[")) response.writeHead(status).end("no");
      else if (seen.message.method !== "tools/call") return false;
      // The stream has no end of its own: only our answers could end it.
      else events(response).write(event(questions));
    });
    const features = [elicitation({ form: async () => ({ action: "decline" }) })];
    const transport = createHttpTransport(server.url, { listen: false });
    const client = await McpClient.connect(transport, { ...info, features, era: "legacy" });
    await expect(client.callTool("asks", {}, { timeoutMs: Infinity })).rejects.toMatchObject({
      code,
    });
    const answers = server.seen.filter(({ body }) => body.startsWith("["));
    expect(answers).toHaveLength(1);
    client.close();
  },
);

test("the answers to a batch of questions are resent once if they have not arrived", async () => {
  let refusals = 0;
  let finish = () => {};
  await using server = await batching((seen, response) => {
    const { id, method } = seen.message;
    if (seen.body.startsWith("[")) {
      refusals += 1;
      response.writeHead(refusals === 1 ? 503 : 202).end();
      if (refusals === 2) finish();
    } else if (method !== "tools/call") return false;
    else {
      const stream = events(response);
      stream.write(event(questions));
      finish = () => void stream.end(event(result(id, done)));
    }
  });
  const features = [elicitation({ form: async () => ({ action: "decline" }) })];
  const transport = createHttpTransport(server.url, { listen: false });
  const client = await McpClient.connect(transport, { ...info, features, era: "legacy" });
  expect(await client.callTool("asks")).toEqual(done);
  expect(refusals).toBe(2);
  client.close();
});

test("a call whose stream carried only a batch of pings is not lost when their answers are refused", async () => {
  let finish = () => {};
  await using server = await batching((seen, response) => {
    const { id, method } = seen.message;
    if (seen.body.startsWith("[")) {
      response.writeHead(400).end();
      finish();
    } else if (method !== "tools/call") return false;
    else {
      const stream = events(response);
      stream.write(event(questions.map(({ jsonrpc, id }) => ({ jsonrpc, id, method: "ping" }))));
      finish = () => void stream.end(event(result(id, done)));
    }
  });
  const client = await connectOverHttp(server);
  expect(await client.callTool("patient")).toEqual(done);
  client.close();
});

test.each(["JSON", "an event"])(
  "an error in a batch in %s that repeats the token is reported without it",
  async (how) => {
    const token = "secret-0123456789";
    await using server = await batching(({ message: { id, method } }, response) => {
      if (method !== "tools/call") return false;
      const error = { code: -32_000, message: `bad ${token}`, data: { token } };
      const batch = [{ jsonrpc: "2.0", id, error }];
      if (how === "JSON") json(response, batch);
      else events(response).end(event(batch));
    });
    const headers = { authorization: `Bearer ${token}` };
    const client = await connectOverHttp(server, {}, { headers });
    await expect(client.callTool("a")).rejects.toMatchObject({
      message: "bad …",
      data: { token: "…" },
    });
    client.close();
  },
);
