import { HttpLog } from "@idewire/http/internal";
import { expect, test } from "vitest";
import { InspectLog } from "../inspect-log.ts";

test("no secret is logged, however many a server issues, and the first ones are distinguished", async () => {
  const log = new InspectLog();
  let count = 0;
  const fetch = () => {
    count += 1;
    return Promise.resolve(
      new Response(null, { headers: { "mcp-session-id": `session-no-${count}` } }),
    );
  };
  const http = new HttpLog({ log, connection: () => "c1", onchange: () => {} });
  const send = http.over(fetch);
  for (let at = 0; at < 230; at += 1) await send("https://example.com/mcp?token=query-secret");
  const text = JSON.stringify(log.log.events);
  expect(text).not.toMatch(/session-no-|query-secret/);
  expect(text).toContain('["mcp-session-id","redacted-token-2"]');
  expect(
    log.log.events.filter((event) => event.ev === "http" && event.part === "request"),
  ).toHaveLength(230);
});
