import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { json, result, ScriptedHttpServer } from "../src/scripted-http-server.ts";
import { TERMINAL } from "../src/terminal-context.ts";

const server = { resultType: "complete", supportedVersions: ["2026-07-28"] };

/** A server of the modern era whose tools ask the person, and return the answer. */
async function asking(inputRequests: object): Promise<string> {
  const scripted = new ScriptedHttpServer(({ message: { id, method, params } }, response) => {
    if (method === "server/discover") {
      return json(response, result(id, { ...server, capabilities: { tools: {} } }));
    }
    const answers = params?.["inputResponses"];
    const text = JSON.stringify(answers);
    const said = { resultType: "complete", content: [{ type: "text", text }] };
    const question = { resultType: "input_required", inputRequests };
    return json(response, result(id, answers === undefined ? question : said));
  });
  onTestFinished(() => scripted[Symbol.asyncDispose]());
  return (await scripted.listen()).url;
}

function form(properties: object): object {
  const requestedSchema = { type: "object", properties };
  return { method: "elicitation/create", params: { message: "m", requestedSchema } };
}

const visit = { mode: "url", message: "m", url: "https://a.example/" };

test("a pattern, which forms lack, neither delays nor rejects an answer", async () => {
  const slow = { type: "string", pattern: "^(a+)+$" };
  const url = await asking({ q: form({ slow, none: { type: "string", pattern: "(" } }) });
  const command = new CliRun(openFixture(), {
    args: ["mcp", "call", "t", url],
    ...{ terminal: TERMINAL, env: { TERM: "xterm" } },
  });
  const typed = `${"a".repeat(20)}!`;
  for (const [prompt, answer] of [
    ["slow (optional)", typed],
    ["none (optional)", "x"],
    ["Send this", "y"],
  ] as const) {
    await expect.poll(() => command.errors).toContain(prompt);
    command.type(answer);
  }
  expect(await command.exited).toBe(0);
  const answer = { action: "accept", content: { slow: typed, none: "x" } };
  expect(command.output.replaceAll(/\n?\| |\n$/g, "")).toBe(JSON.stringify({ q: answer }));
});

test("of concurrent questions a hundred are shown, and the rest is declined with a reason", async () => {
  const kinds = [form({}), { method: "elicitation/create", params: visit }];
  const many = Array.from({ length: 500 }, (_, index) => [`q${index}`, kinds[index % 2]]);
  const url = await asking(Object.fromEntries(many));
  const command = new CliRun(openFixture(), { args: ["mcp", "call", "t", url] });
  expect(await command.exited).toBe(0);
  const answers = many.map(([key]) => [key, { action: "decline" }]);
  expect(JSON.parse(command.output)).toEqual(Object.fromEntries(answers));
  expect(command.errors.match(/ asks: m/g)).toHaveLength(100);
  const words = "The server asked more than 100 questions at once; the others are declined.\n";
  expect(command.errors.split(words)).toHaveLength(2);
});

test("the id of a task is shown, even if its server has not announced that it can be followed", async () => {
  const scripted = new ScriptedHttpServer(({ message: { id, method } }, response) => {
    const task = { resultType: "task", taskId: "T-1", status: "working", ttlMs: null };
    const said = method === "tools/call" ? task : { ...server, capabilities: { tools: {} } };
    return json(response, result(id, said));
  });
  onTestFinished(() => scripted[Symbol.asyncDispose]());
  const { url } = await scripted.listen();
  const command = new CliRun(openFixture(), { args: ["mcp", "call", "t", url] });
  expect(await command.exited).toBe(1);
  expect(command.errors).toContain("The call has become the task T-1");
});
