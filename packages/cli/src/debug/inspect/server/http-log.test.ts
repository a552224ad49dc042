import { expect, test } from "vitest";
import type { McpContext } from "../../../mcp/open-client.ts";
import { InspectLog } from "../inspect-log.ts";
import { HttpLog } from "./http-log.ts";

test("no secret is logged, however many a server makes, and the first of them are told apart", async () => {
  const log = new InspectLog();
  let count = 0;
  const fetch = () => {
    count += 1;
    return Promise.resolve(
      new Response(null, { headers: { "mcp-session-id": `session-no-${count}` } }),
    );
  };
  const http = new HttpLog({ log, connection: () => "c1", onchange: () => {} });
  const context = http.over({ fetch } as unknown as McpContext);
  for (let at = 0; at < 230; at += 1)
    await context.fetch("https://example.com/mcp?token=query-secret");
  const text = JSON.stringify(log.log.events);
  expect(text).not.toMatch(/session-no-|query-secret/);
  expect(text).toContain('["mcp-session-id","redacted-token-2"]');
  expect(
    log.log.events.filter((event) => event.ev === "http" && event.part === "request"),
  ).toHaveLength(230);
});
