import { fileURLToPath } from "node:url";
import { elicitation, McpClient, Roots, sampling } from "@idewire/core/client";
import type { Transport } from "@idewire/core/rpc";
import { createHttpTransport } from "@idewire/http";
import { spawnStdioTransport } from "@idewire/node-server/stdio";
import { expect, onTestFinished, test, vi } from "vitest";
import { LineProgram } from "../src/line-program.ts";
import { silentPort } from "../src/silent-port.ts";

const program = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);

async function serve(transport: string, path: string): Promise<() => Transport> {
  const port = await silentPort();
  const server = new LineProgram(process.execPath, [program, transport], {
    env: { PORT: String(port) },
    cwd: fileURLToPath(new URL(".", import.meta.url)),
  });
  await expect.poll(() => server.errors).toContain(`port ${port}`);
  return () => createHttpTransport(`http://localhost:${port}${path}`);
}

const ways = [
  ["stdio", async () => () => spawnStdioTransport(process.execPath, [program], quiet)],
  ["Streamable HTTP", () => serve("streamableHttp", "/mcp")],
  ["HTTP with SSE", () => serve("sse", "/sse")],
] as const;
const quiet = { stderr: "ignore" } as const;

test.each(ways)("server-everything over %s works with us in full", async (_, open) => {
  const client = await McpClient.connect(await open(), {
    name: "ours",
    version: "1",
    features: [
      elicitation({ form: () => ({ action: "accept", content: { name: "Ann" } }) }),
      sampling(() => ({
        role: "assistant",
        content: { type: "text", text: "forty-two" },
        model: "ours",
      })),
      new Roots(() => [{ uri: "file:///ours", name: "ours" }]),
    ],
  });
  onTestFinished(() => client.close());
  expect(client.revision).toBe("2025-11-25");
  const call = async (name: string, args = {}, options = {}) =>
    JSON.stringify(await client.callTool(name, args, options));
  expect(await call("echo", { message: "ä 🦊" })).toContain("ä 🦊");
  expect(await call("get-sum", { a: 1, b: 2 })).toContain("3");
  expect(await call("get-tiny-image")).toContain("image/png");
  expect(await call("get-structured-content", { location: "Chicago" })).toContain(
    '"structuredContent":{',
  );
  const onProgress = vi.fn();
  const long = { duration: 0.1, steps: 2 };
  expect(await call("trigger-long-running-operation", long, { onProgress })).toContain("completed");
  expect(onProgress).toHaveBeenCalledTimes(2);
  // These tools appear once the server has the client's capabilities.
  await expect
    .poll(async () => (await client.listTools()).map(({ name }) => name))
    .toEqual(expect.arrayContaining(["trigger-elicitation-request", "get-roots-list"]));
  expect(await call("trigger-elicitation-request")).toContain("Ann");
  expect(await call("trigger-sampling-request", { prompt: "?" })).toContain("forty-two");
  expect(await call("get-roots-list")).toContain("file:///ours");
  const prompts = (await client.listPrompts()).map(({ name }) => name);
  expect(prompts).toContain("completable-prompt");
  const args = { city: "Berlin" };
  expect(JSON.stringify(await client.getPrompt("args-prompt", args))).toContain("Berlin");
  const found = await client.complete({
    reference: { type: "ref/prompt", name: "completable-prompt" },
    argument: "department",
    value: "S",
  });
  expect(found.values).toEqual(["Sales", "Support"]);
  const uri = "demo://resource/dynamic/text/1";
  expect(await client.readResource(uri)).toMatchObject([{ uri }]);
  const stop = await client.subscribeResource(uri, () => {});
  stop();
  await client.setLogLevel("debug");
  await expect(client.callTool("none")).resolves.toMatchObject({ isError: true });
});
