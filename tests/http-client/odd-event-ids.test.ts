import { expect, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { events, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

test.each([
  ["an id that HTTP cannot send", "id: 日本\nretry: 1\ndata: \n\n"],
  ["an id that an empty one resets", "id: a\nretry: 1\ndata: \n\nid:\ndata: \n\n"],
])("a stream with %s is lost at once when it ends, and is not resumed", async (_, sent) => {
  await using server = await new ScriptedHttpServer(
    withSessions(({ message }, response) => {
      if (message.method !== "tools/call") return false;
      events(response).end(sent);
    }),
  ).listen();
  const client = await connectOverHttp(server);
  const message = expect.stringContaining("cannot be resumed: its events have no ids");
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "lost", message });
  expect(server.methods).not.toContain("GET");
  client.close();
});
