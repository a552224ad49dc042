import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../src/remove-folder.ts";
import { type RunningServer, startEverything } from "./src/start-everything.ts";
import { findSuiteNode } from "./src/suite.ts";

// The command of the official MCP inspector, in a separate process, as an independent judge.

const node = findSuiteNode();
const execute = promisify(execFile);
const manifest = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/inspector/package.json",
);
const { bin } = createRequire(import.meta.url)(manifest) as {
  readonly bin: Readonly<Record<string, string>>;
};
const program = join(manifest, "..", Object.values(bin)[0] ?? "");

let server: RunningServer;
let home: string;
beforeAll(async () => {
  server = await startEverything();
  home = mkdtempSync(join(tmpdir(), "idewire-inspector-"));
});
afterAll(async () => {
  await server.close();
  await removeFolder(home);
});

/** The inspector's output. */
async function inspect(era: string, method: string, ...more: readonly string[]) {
  const requestFlags = ["--protocol-era", era, "--method", method, ...more];
  const args = [program, "--cli", server.url, "--quiet", "--format", "json", ...requestFlags];
  const env = { ...process.env, HOME: home };
  const { stdout } = await execute(node ?? "", args, { env });
  const lines = stdout.trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

// Concurrent, as each process mostly waits.
describe.runIf(node !== undefined).concurrent.each(["legacy", "auto", "modern"])(
  "%s era",
  (era) => {
    test("it lists tools, with schemas that others can use", async () => {
      const [answer] = await inspect(era, "tools/list", "--strict");
      expect(answer?.["result"]).toMatchObject({
        tools: expect.arrayContaining([expect.objectContaining({ name: "test_simple_text" })]),
      });
    });

    test("it calls a tool that reports progress and logs", async () => {
      for (const tool of ["test_tool_with_progress", "test_tool_with_logging"]) {
        const [answer] = await inspect(era, "tools/call", "--tool-name", tool);
        expect(answer?.["result"]).toMatchObject({ content: [{ type: "text" }] });
      }
    });

    test("it reads resources, templates and prompts", async () => {
      const [text] = await inspect(era, "resources/read", "--uri", "test://static-text");
      const contents = [{ text: "This is the content of the static text resource." }];
      expect(text?.["result"]).toMatchObject({ contents });
      const [templates] = await inspect(era, "resources/templates/list");
      const uriTemplate = "test://template/{id}/data";
      expect(templates?.["result"]).toMatchObject({ resourceTemplates: [{ uriTemplate }] });
      const prompt = ["--prompt-name", "test_prompt_with_arguments"];
      const given = ["--prompt-args", "arg1=one", "arg2=two"];
      const [messages] = await inspect(era, "prompts/get", ...prompt, ...given);
      expect(JSON.stringify(messages?.["result"])).toMatch(/one.*two/);
    });
  },
);

test.runIf(node !== undefined)("it verifies skills by digest, size and frontmatter", async () => {
  const [report, ...more] = await inspect("modern", "skills/list", "--verify");
  expect(more).toEqual([]);
  expect(report).toMatchObject({
    ...{ name: "pdf-processing", conformance: [], frontmatter: [] },
    files: [{ status: "verified" }, { status: "verified" }],
  });
  const folder = ["--uri", "skill://pdf-processing"];
  const [listed] = await inspect("modern", "resources/directory/read", ...folder);
  expect(listed?.["result"]).toMatchObject({
    resources: [{ name: "pdf-processing" }, { mimeType: "inode/directory" }],
  });
});
