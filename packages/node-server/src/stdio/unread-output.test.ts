import { expect, test } from "vitest";
import { spawnMcp } from "./spawn-mcp.ts";

/** The error of `tools/list` at a server that writes this in place of the answer. */
async function failure(written: string): Promise<string> {
  const code = `
  const hello = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (text) => {
    const { id, method } = JSON.parse(text);
    if (method === "initialize") console.log(JSON.stringify({ jsonrpc: "2.0", id, result: hello }));
    if (method === "tools/list") process.stdout.write(${JSON.stringify(written)});
  });`;
  const program = { command: process.execPath, args: ["-e", code] };
  const client = await spawnMcp(program, { name: "test", version: "1", era: "legacy" });
  try {
    const list = client.listTools({ timeoutMs: 1_500 });
    return await list.then(
      () => "",
      (error: Error) => error.message,
    );
  } finally {
    await client.close();
  }
}

const LATE = "tools/list: no answer in 1500 ms";
const SECRET = `ghp_${"A1b2C3d4".repeat(5).slice(0, 36)}`;

// Concurrent, as each waits for a time-out.
test.concurrent.each([
  ["nothing", "", LATE],
  ["text that is no JSON", "panic at 7\n", `${LATE}; received and not understood: "panic at 7"`],
  [
    "an answer that is not finished",
    '{"jsonrpc":"2.0","id"',
    '"{\\"jsonrpc\\":\\"2.0\\",\\"id\\""',
  ],
  ["an answer to no request", '{"jsonrpc":"2.0","id":"x7","result":{}}\n', '\\"x7\\"'],
  ["several lines", "one\ntwo\n", '"one\\ntwo"'],
])(
  "the error of a request without an answer quotes what the server has written: %s",
  async (_, written, words) => {
    expect(await failure(written)).toContain(words);
  },
);

test.concurrent("the quotation is short, ends with the newest text, and has no secrets", async () => {
  const message = await failure(`${"x".repeat(9_000)}\ntoken ${SECRET} is bad\n`);
  expect(message).toContain("is bad");
  expect(message).not.toContain(SECRET.slice(0, 12));
  const quoted = JSON.parse(message.slice(message.indexOf('"'))) as string;
  expect(quoted.length).toBeLessThanOrEqual(200);
});
