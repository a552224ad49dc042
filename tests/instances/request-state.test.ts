import { expect, onTestFinished, test } from "vitest";
import { modernRequest, postingModern } from "../src/http-client.ts";
import { startRedis } from "../src/redis-server.ts";
import { type Instance, openInstance, Runs } from "./open-instances.ts";

interface Answer {
  readonly result?: { readonly resultType: string; readonly requestState?: string };
  readonly error?: { readonly code: number };
}

async function call({ send }: Instance, key: string, more: object = {}): Promise<Answer> {
  const params = { name: "ask", arguments: { key }, ...more };
  const message = modernRequest(1, "tools/call", params, undefined, { elicitation: {} });
  const response = await send(postingModern(message, { accept: "application/json" }));
  return (await response.json()) as Answer;
}

test("a question of one instance is answered at another, with its state and the same request", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const runs = new Runs();
  const one = await openInstance(redis.path, runs);
  const two = await openInstance(redis.path, runs);
  const answer = await call(one, "k");
  const { requestState = "" } = answer.result ?? {};
  expect(answer.result).toMatchObject({ resultType: "input_required" });
  const accepted = { action: "accept", content: { name: "Ann" } };
  const inputResponses = { "question-1": accepted };

  const middle = requestState.length >> 1;
  const other = requestState[middle] === "A" ? "B" : "A";
  const tampered = requestState.slice(0, middle) + other + requestState.slice(middle + 1);
  for (const [key, state] of [
    ["k", tampered],
    ["k", requestState.slice(0, -4)],
    ["other", requestState],
  ] as const) {
    const refused = await call(two, key, { requestState: state, inputResponses });
    expect(refused.error?.code).toBe(-32_602);
  }
  expect(runs.begun).toEqual(["k"]);

  for (const wrong of [{}, { "question-1": { action: "shrug" } }, { "question-9": accepted }]) {
    const again = await call(two, "k", { requestState, inputResponses: wrong });
    expect(again.result?.resultType).toBe("input_required");
  }
  const more = { ...inputResponses, "question-9": accepted };
  const answered = await call(two, "k", { requestState, inputResponses: more });
  expect(answered.result?.resultType).toBe("complete");
});
