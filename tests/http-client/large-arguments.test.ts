import { expect, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { json, result, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

test.each(["legacy", "auto"] as const)(
  "a call of the era %j may have as many arguments, and as deep ones, as memory holds",
  async (era) => {
    const done = { content: [{ type: "text", text: "done" }] };
    await using server = await new ScriptedHttpServer(
      withSessions(({ message: { id, method } }, response) => {
        const capabilities = { tools: {} };
        if (method === "server/discover") {
          json(response, result(id, { supportedVersions: ["2026-07-28"], capabilities }));
        } else if (method === "tools/call") json(response, result(id, done));
        else return false;
      }),
    ).listen();
    const client = await connectOverHttp(server, { era });
    const deep: unknown = JSON.parse("[".repeat(2_000) + "]".repeat(2_000));
    const wide = Array.from({ length: 60_000 }, () => 0.5);
    for (const value of [wide, [deep, "x".repeat(20_000)]]) {
      expect(await client.callTool("sum", { value })).toEqual(done);
      expect(server.seen.at(-1)?.message.params?.["arguments"]).toEqual({ value });
    }
    client.close();
  },
);
