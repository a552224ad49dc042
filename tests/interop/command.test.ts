import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { type httpServers, listenTheirs } from "./http-servers.ts";
import { sdks } from "./sdks.ts";

const script = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));

async function run(...args: readonly string[]) {
  const started = new CliRun(openFixture(), { args: ["mcp", ...args] });
  return { code: await started.exited, output: started.output, errors: started.errors };
}

describe.each(["1.32", "2.4"])("a server of %s that the command starts", (version) => {
  const server = ["--", process.execPath, script, version];

  test("lists its tools, and runs one", async () => {
    const tools = await run("tools", ...server);
    expect([tools.code, tools.output]).toEqual([0, expect.stringContaining("add a:number\n")]);
    expect(await run("call", "add", '{"a":41}', ...server)).toMatchObject({
      code: 0,
      output: "42\n",
    });
  });

  test("gives a prompt and a resource", async () => {
    const prompt = await run("prompt", "greet", '{"name":"Ann"}', ...server);
    expect([prompt.code, prompt.output]).toEqual([0, "user:\nHello Ann\n"]);
    const note = await run("read", "note://1", ...server);
    expect([note.code, note.output]).toEqual([0, "a note\n"]);
  });

  test("refuses a wrong argument with a result, which is a failure of the tool", async () => {
    const wrong = await run("call", "add", '{"a":"x"}', ...server);
    expect([wrong.code, wrong.output]).toEqual([3, expect.stringContaining("number")]);
  });
});

const kinds: readonly (readonly [keyof typeof httpServers, number])[] = [
  ["sessionsV1", 0],
  ["sseV1", 0],
  ["sessionsV2", 1],
];

test.each(kinds)("a server over HTTP is used as well (%s)", async (kind, which) => {
  const server = await listenTheirs(kind, () => {
    const made = sdks[which]?.createServer({});
    if (made === undefined) throw new Error("no such SDK");
    made.registerTool("add", { inputSchema: z.object({ a: z.number() }) }, ({ a }) => ({
      content: [{ type: "text", text: String(a + 1) }],
    }));
    return made;
  });
  onTestFinished(() => server.close());
  const called = await run("call", "add", '{"a":41}', server.url);
  expect([called.code, called.output, called.errors]).toEqual([0, "42\n", ""]);
  const json = await run("tools", "--json", server.url);
  expect(JSON.parse(json.output)).toMatchObject({ name: "add" });
});
