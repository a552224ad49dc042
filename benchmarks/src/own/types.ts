import { join } from "node:path";
import ts from "typescript-5.9";
import { rootOf } from "../checkout.ts";
import type { Contestant, Figures, Settings } from "../row.ts";

const TOOLS = 200;

const input = (zod: string) => `${zod}.object({
  path: ${zod}.string(), line: ${zod}.number().int(), preview: ${zod}.boolean().optional(),
  kind: ${zod}.enum(["a", "b"]), tags: ${zod}.array(${zod}.string()),
})`;
const output = (zod: string) => `${zod}.object({ found: ${zod}.boolean(), text: ${zod}.string() })`;
const value = "{ found: preview === true, text: path + line }";
const result = `({ content: [], structuredContent: ${value} })`;

/** A program with many tools, each with five arguments and an output. */
const programs: Partial<Record<Contestant, () => string>> = {
  idewire: () =>
    `import { McpServer } from "@idewire/core/server";
    import { z } from "zod";
    const server = new McpServer({ name: "s", version: "1" });
    ${each(
      (index) => `server.tool("tool${index}", {
        input: ${input("z")},
        output: ${output("z")},
      }, ({ path, line, preview }) => (${value}));`,
    )}`,
  "sdk-v1": () => ofSdk("@modelcontextprotocol/sdk/server/mcp.js"),
  "sdk-v2": () => ofSdk("@modelcontextprotocol/server"),
};

function ofSdk(module: string): string {
  const shape = (schema: string) =>
    module.includes("sdk") ? schema.replace(/^z\.object\(([\s\S]*)\)$/, "$1") : schema;
  return `import { McpServer } from "${module}";
    import { z } from "zod";
    const server = new McpServer({ name: "s", version: "1" });
    ${each(
      (index) => `server.registerTool("tool${index}", {
        inputSchema: ${shape(input("z"))},
        outputSchema: ${shape(output("z"))},
      }, ({ path, line, preview }) => ${result});`,
    )}`;
}

function each(write: (index: number) => string): string {
  return Array.from({ length: TOOLS }, (_, index) => write(index)).join("\n");
}

/** The number of type instantiations by the compiler, in thousands, for the program of each contestant. */
export async function instantiationsOf(settings: Settings): Promise<Figures> {
  const figures: Partial<Record<Contestant, readonly number[]>> = {};
  for (const name of settings.contestants) {
    const write = programs[name === "before" ? "idewire" : name];
    if (write !== undefined) figures[name] = [count(write(), rootOf(name, settings)) / 1000];
  }
  return figures;
}

/** @throws Error when the program does not compile */
function count(text: string, checkout: string): number {
  const file = join(checkout, "benchmarks", "src", "many-tools.ts");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.getSourceFile = (name, ...more) =>
    name === file
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
      : getSourceFile(name, ...more);
  const program = ts.createProgram([file], options, host);
  const [mistake] = program.getSemanticDiagnostics();
  if (mistake !== undefined) {
    throw new Error(ts.flattenDiagnosticMessageText(mistake.messageText, "\n"));
  }
  // Not declared, although `tsc --extendedDiagnostics` prints it.
  return (program as unknown as { getInstantiationCount(): number }).getInstantiationCount();
}
