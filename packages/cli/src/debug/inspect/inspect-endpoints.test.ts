import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentContext } from "../../../../../tests/src/agent-context.ts";
import { RawIde } from "../../../../../tests/src/hostile/raw-ide.ts";
import {
  beginInspect,
  eventsOf,
  openAgent,
  tokenHeader,
} from "../../../../../tests/src/inspect-context.ts";
import { until } from "../../../../../tests/src/reference-clients/transcript.ts";
import { wireFrame } from "../../../../../tests/src/wire-frame.ts";

test("no token appears in the page's log, the recording or the output, even if an end sends it", async () => {
  const context = new AgentContext();
  const ide = await RawIde.open(context);
  const { run, port, token } = await beginInspect(context, "--record", "trace.jsonl");
  const socket = openAgent({ port, token });
  await once(socket, "open");
  const { socket: connection } = await ide.connection();
  const type = (opcode: number, text: string) =>
    connection.write(wireFrame({ opcode, payload: Buffer.from(text) }));
  type(1, JSON.stringify({ jsonrpc: "2.0", method: "leak", params: { it: ide.token } }));
  type(1, `plain ${ide.token} and ${encodeURIComponent(ide.token)}`);
  type(2, ide.token);
  type(9, ide.token);
  socket.send(JSON.stringify({ jsonrpc: "2.0", method: "mine", params: { token } }));
  const reason = Buffer.from(`xx${ide.token}`);
  reason.writeUInt16BE(1000, 0);
  connection.write(wireFrame({ opcode: 8, payload: reason }));
  await run.event("close", { code: 1000 });
  run.signal("SIGTERM");
  await run.exited;
  const bytes = readFileSync(join(context.folder, "trace.jsonl"), "utf8");
  const spelt = [ide.token, token].flatMap((one) => [
    one,
    JSON.stringify(one).slice(1, -1),
    encodeURIComponent(one),
    Buffer.from(one).toString("base64").replace(/=+$/, "").slice(0, -2),
    Buffer.from(one).toString("hex"),
  ]);
  for (const secret of spelt) {
    for (const text of [bytes, run.output, run.errors]) expect(text).not.toContain(secret);
  }
  expect(bytes).toContain("redacted-token");
});

test("clients without the token, with another host or from a web page are refused before the editor receives anything", async () => {
  const context = new AgentContext();
  const ide = await RawIde.open(context);
  const { run, port, token } = await beginInspect(context);
  const refused = (headers: object) =>
    new Promise<number | undefined>((resolve) => {
      const socket = openAgent({ port, token }, { headers });
      socket.on("unexpected-response", (_, { statusCode }) => resolve(statusCode));
    });
  expect(await refused({})).toBe(401);
  expect(await refused(tokenHeader(`${token}x`))).toBe(401);
  expect(await refused(tokenHeader(ide.token))).toBe(401);
  expect(await refused({ ...tokenHeader(token), Origin: "http://evil.example" })).toBe(403);
  expect(await refused({ ...tokenHeader(token), Host: "evil.example" })).toBe(403);
  const plain = await fetch(`http://127.0.0.1:${port}/`);
  expect(plain.status).toBe(426);
  expect(ide.connections).toEqual([]);
  const refusals = () => eventsOf(run, "control").filter(({ op }) => op === "refused");
  await until("all refusals are reported", () => refusals().length >= 5);
  expect(refusals()).toHaveLength(5);
});
