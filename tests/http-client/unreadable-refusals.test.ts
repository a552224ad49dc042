import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { json, result, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

/** Answers with a body above the limit, one that cannot be decompressed, or one that breaks off. */
function refuse(response: ServerResponse, status: number, how: string): void {
  if (how === "huge") {
    response.writeHead(status).end("x".repeat(20 << 20));
    return;
  }
  if (how === "garbled") {
    response.writeHead(status, { "content-encoding": "gzip" }).end("no gzip");
    return;
  }
  response.writeHead(status, { "content-length": "100" });
  response.write("abc", () => response.destroy());
}

const ways = ["huge", "garbled", "cut"];

test.each([401, 403, 429, 503].flatMap((status) => ways.map((how) => [status, how] as const)))(
  "HTTP %i with a %s body causes no fallback to the legacy era",
  async (status, how) => {
    await using server = await new ScriptedHttpServer(
      withSessions(({ message }, response) =>
        message.method === "server/discover" ? refuse(response, status, how) : false,
      ),
    ).listen();
    const era = "auto";
    await expect(connectOverHttp(server, { era })).rejects.toThrow(`HTTP ${status}`);
    expect(server.methods).toEqual(["server/discover"]);
  },
);

test.each(ways)("a status means the same with a %s body", async (how) => {
  const statuses = [401, 500, 503, 404];
  const answer = { content: [] };
  await using server = await new ScriptedHttpServer(
    withSessions(({ message }, response) => {
      if (message.method !== "tools/call") return false;
      const status = statuses.shift();
      if (status === undefined) json(response, result(message.id, answer));
      else refuse(response, status, how);
    }),
  ).listen();
  const client = await connectOverHttp(server);
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "unauthorized" });
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "lost" });
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "unreachable" });
  // The session has ended: the call is made in a new one.
  expect(await client.callTool("a")).toEqual(answer);
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
  client.close();
});
