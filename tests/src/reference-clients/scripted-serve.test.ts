import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { ScriptedServe } from "./scripted-serve.ts";

/** A server of five lines that prints `listening`, and answers commands with `done` or `error`. */
const program = `
let seq = 0;
const say = (event) => console.log(JSON.stringify({ seq: seq++, ...event }));
console.log("not an event");
say({ event: "listening", port: 1, args: process.argv.slice(1) });
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const action = JSON.parse(line);
  if (action.do === "stop") process.exit(3);
  say({ event: action.do === "bad" ? "error" : "done", do: action.do });
});
`;

function start(): ScriptedServe {
  const serve = new ScriptedServe({
    folder: tmpdir(),
    env: {},
    flags: ["--name", "x"],
    command: [process.execPath, "-e", program],
  });
  onTestFinished(() => serve.close());
  return serve;
}

test("the driver waits for events, runs commands and detects the exit", async () => {
  const serve = start();
  const { args } = await serve.event("listening", { port: 1 });
  expect(args).toEqual(["serve", tmpdir(), "--script", "--name", "x"]);
  await serve.do({ do: "clearSelection" });
  await expect(serve.do({ do: "bad" })).rejects.toThrow('"error"');
  expect(serve.strayLines).toEqual(["not an event"]);
  serve.type({ do: "stop" });
  expect(await serve.exited).toEqual({ code: 3, signal: null });
  await expect(serve.event("never")).rejects.toThrow("serve ended");
});

test("the driver leaves no process behind", async () => {
  const serve = start();
  await serve.event("listening");
  await serve.close();
  expect(() => process.kill(serve.pid, 0)).toThrow();
});
