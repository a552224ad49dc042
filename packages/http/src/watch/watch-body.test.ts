import { expect, test } from "vitest";
import { watchBody } from "./watch-body.ts";

test("events that arrive at once are recorded in slices", async () => {
  const event = 'data: {"a":1}\n\n';
  let recorded = 0;
  const { body } = new Response(event.repeat(5_000), {
    headers: { "content-type": "text/event-stream" },
  });
  const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
  const onevent = () => {
    recorded += 1;
  };
  const sink = { onevent, onend: () => {}, isMessages: true };
  const reader = watchBody(response, sink).body?.getReader();
  let before = 0;
  let text = "";
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    text += new TextDecoder().decode(value);
    expect(recorded - before).toBeLessThanOrEqual(4_096 / event.length + 1);
    before = recorded;
  }
  expect(recorded).toBe(5_000);
  expect(text).toBe(event.repeat(5_000));
});
