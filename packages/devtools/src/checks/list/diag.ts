import { describeValue, isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { Check } from "../check.ts";
import type { CheckContext } from "../context.ts";
import { firstSelections, paramsOf } from "../first-seconds.ts";
import { findRangeFault } from "../range.ts";
import { measured } from "../sources.ts";
import { CheckSkipped, demand } from "../verdict.ts";
import { isNative } from "./lock.ts";
import { demandContent } from "./tool.ts";

const SEVERITIES = ["error", "warning", "info", "information", "hint"];

/** Checks of the diagnostics, which the client requests before and after each edit. */
export const diagChecks: readonly Check[] = [
  {
    id: "IDE-DIAG-001",
    level: "must",
    rule: "getDiagnostics for the workspace returns one text: a JSON array of {uri, diagnostics}.",
    source: measured("Diagnostics"),
    async run(context) {
      const files = await getDiagnostics(context, {});
      return `${files.length} files`;
    },
  },
  {
    id: "IDE-DIAG-002",
    level: "must",
    rule: "Every diagnostic has a message and a range of 0-based integers.",
    source: measured("Diagnostics"),
    note: "If one has no range, Claude Code drops them all.",
    async run(context) {
      for (const { item } of await eachDiagnostic(context)) {
        const { message, range } = item;
        demand(typeof message === "string", `a message is ${describeValue(message)}`);
        const fault = findRangeFault(range);
        demand(fault === undefined, `the range of ${describeValue(message)}: ${fault}`);
      }
    },
  },
  {
    id: "IDE-DIAG-003",
    level: "should",
    rule: "Every severity is error, warning, info or hint, in any letter case.",
    source: measured("Diagnostics"),
    note: "Claude Code shows any other, such as JetBrains' WEAK_WARNING, with a plain bullet.",
    async run(context) {
      for (const { item } of await eachDiagnostic(context)) {
        const { severity } = item;
        const isKnown = SEVERITIES.includes(String(severity).toLowerCase());
        demand(isKnown, `a severity is ${describeValue(severity)}`);
      }
    },
  },
  {
    id: "IDE-DIAG-004",
    level: "must",
    rule: "Every uri is file:// followed by the raw path, not percent-encoded.",
    source: measured("Diagnostics"),
    note: "Claude Code does not decode: an answer with %20 or %C3%A9 matches no file that it knows.",
    async run(context) {
      for (const { uri } of await eachDiagnostic(context)) demandRaw(String(uri));
    },
  },
  {
    id: "IDE-DIAG-005",
    level: "must",
    rule: "Asked about one file by file:// and its raw path, getDiagnostics returns that uri.",
    source: measured("Diagnostics"),
    async run(context) {
      const uri = `file://${await activeFile(context)}`;
      const files = await getDiagnostics(context, { uri });
      const strange = files.find((file) => file["uri"] !== uri)?.["uri"];
      demand(strange === undefined, `asked for ${uri} it answers for ${describeValue(strange)}`);
    },
  },
  {
    id: "IDE-DIAG-006",
    level: "must",
    rule: "getDiagnostics answers for one file within 500 ms.",
    source: measured("Diagnostics"),
    note: "After three slower answers Claude Code stops asking for the rest of the session.",
    async run(context) {
      const uri = `file://${await activeFile(context)}`;
      const took = await time(context, { uri });
      demand(took <= 500, `it took ${Math.round(took)} ms`);
      return `${Math.round(took)} ms`;
    },
  },
  {
    id: "IDE-DIAG-007",
    level: "must",
    rule: "getDiagnostics answers for the workspace within 2 s.",
    source: measured("Diagnostics"),
    async run(context) {
      const took = await time(context, {});
      demand(took <= 2_000, `it took ${Math.round(took)} ms`);
      return `${Math.round(took)} ms`;
    },
  },
];

/** The files of an answer, whose shape was checked. */
async function getDiagnostics(context: CheckContext, args: Params): Promise<readonly Params[]> {
  const { connection } = await context.ready();
  const { result } = await connection.callTool("getDiagnostics", args);
  const content = demandContent(result);
  demand(result["isError"] !== true, "it has isError");
  const count = `${content.length} items of content`;
  demand(content.length === 1 && content[0]?.["type"] === "text", `it has ${count}, not one text`);
  const files = parseList(String(content[0]["text"]));
  for (const { uri, diagnostics } of files) {
    demand(typeof uri === "string", `a uri is ${describeValue(uri)}`);
    const isList = Array.isArray(diagnostics) && diagnostics.every(isObject);
    demand(isList, `the diagnostics of a file are ${describeValue(diagnostics)}`);
  }
  return files;
}

function parseList(text: string): readonly Params[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  demand(Array.isArray(value) && value.every(isObject), "its text is not a JSON array of objects");
  return value;
}

async function eachDiagnostic(context: CheckContext) {
  const files = await getDiagnostics(context, {});
  const all = files.flatMap(({ uri, diagnostics }) =>
    (diagnostics as readonly Params[]).map((item) => ({ uri, item })),
  );
  if (all.length > 0) return all;
  throw new CheckSkipped("the editor shows no diagnostics: open a file that has some");
}

function demandRaw(uri: string): void {
  demand(uri.startsWith("file://"), `a uri is ${describeValue(uri)}`);
  demand(!/%[0-9A-Fa-f]{2}/.test(uri), `${describeValue(uri)} is percent-encoded`);
}

/** The native path of the open file, from the notifications of the server. */
async function activeFile(context: CheckContext): Promise<string> {
  for (const received of await firstSelections(context)) {
    const path = paramsOf(received)?.["filePath"];
    if (typeof path === "string" && isNative(path, context)) return path;
  }
  throw new CheckSkipped("no file is open in the editor");
}

async function time(context: CheckContext, args: Params): Promise<number> {
  const { connection } = await context.ready();
  const { log } = context.run;
  const began = log.nowMs;
  const { t } = await connection.callTool("getDiagnostics", args);
  return t - began;
}
