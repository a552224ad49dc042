import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { calling, eventsOf, nextMessage, openSession, posting } from "../src/http-client.ts";
import { startRedis } from "../src/redis-server.ts";

const script = new URL("./.extracted-instance.mjs", import.meta.url);

async function startInstance(redis: string): Promise<string> {
  const env = {
    ...process.env,
    ...{ REDIS_URL: `unix://${redis}`, STATE_KEY: "ab".repeat(32), PORT: "0" },
  };
  const child = spawn(process.execPath, [script.pathname], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  });
  const [url] = await once(createInterface({ input: child.stdout }), "line");
  return url as string;
}

test("three instances of the README's server answer as one", async () => {
  const page = new URL("../../packages/node-server/README.md", import.meta.url);
  const [, code] =
    /^```js\n\/\/ instance\.mjs\n(.*?)^```$/ms.exec(await readFile(page, "utf8")) ?? [];
  await writeFile(script, code ?? "");
  onTestFinished(() => rm(script));
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const urls = await Promise.all([1, 2, 3].map(() => startInstance(redis.path)));
  const [one, two, three] = urls.map((url) => (init: RequestInit) => fetch(url, init));
  if (one === undefined || two === undefined || three === undefined) throw new Error("too few");

  const session = await openSession(one, { capabilities: { elicitation: {} } });
  const events = eventsOf(await two(posting(calling(1, "greet"), session)));
  const question = await nextMessage(events);
  expect(question).toMatchObject({ method: "elicitation/create" });
  const { id } = question as { readonly id: number };
  const result = { action: "accept", content: { name: "Ann" } };
  const taken = await three(posting({ jsonrpc: "2.0", id, result }, session));
  expect(taken.status).toBe(202);
  expect(await nextMessage(events)).toMatchObject({
    result: { content: [{ text: "Hello, Ann!" }] },
  });
});
