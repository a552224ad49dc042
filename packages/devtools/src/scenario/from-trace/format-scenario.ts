import { exactJson } from "../../trace/exact-json.ts";
import type { Trace } from "../../trace/format/trace-file.ts";
import { scenarioLimits } from "../file/limits.ts";
import type { ScenarioDialect, ScenarioHeader, ScenarioStep } from "../file/model.ts";
import type { Translation } from "./translation.ts";

const dialects: readonly string[] = ["claude-code", "claude-code-spec", "jetbrains", "neovim"];

/** The lines of a scenario, the header first; the last step refuses other calls. */
export function formatScenario(
  { steps: { steps }, files, omissions, listedTools }: Translation,
  { name, trace }: { readonly name: string; readonly trace: Trace },
): string {
  const { files: texts, partial } = files.end();
  for (const file of partial) omissions.add(`${file}: of its text only parts are known`);
  const { ide, created } = trace.header;
  const dialect = dialectOf(trace);
  const isNamed = ide !== undefined && ide !== "" && ide.length <= 200;
  const header: ScenarioHeader = {
    ...{ idewire: "scenario/1", name: name.slice(0, 200) || "A recorded session" },
    note: `Made from a trace${created === undefined ? "" : ` of ${created}`}`,
    ...(dialect !== "claude-code" && { dialect }),
    ...(isNamed && { editor: ide }),
    ...(Object.keys(texts).length > 0 && { files: texts }),
    ...(listedTools !== undefined && lacking(listedTools)),
  };
  const last: ScenarioStep = { expect: "no-call", note: "and nothing else" };
  const lines = [header, ...steps, last].map((line) => exactJson.stringify(line));
  return lines.map((line, at) => `${shorten(line, steps[at - 1], omissions)}\n`).join("");
}

/** Expects a call that exceeds the line limit without its arguments. */
function shorten(
  line: string,
  step: ScenarioStep | undefined,
  omissions: Translation["omissions"],
): string {
  if (line.length <= scenarioLimits.lineLength || step === undefined) return line;
  if (!("expect" in step) || step.expect !== "call") return line;
  const { arguments: _, ...rest } = step;
  omissions.add(`the arguments of ${step.tool}: they are longer than a line may be`);
  return exactJson.stringify(rest);
}

function lacking(tools: ReadonlySet<string>): Pick<ScenarioHeader, "without"> {
  const without = [
    ...(tools.has("openDiff") ? [] : (["openDiff"] as const)),
    ...(tools.has("getDiagnostics") ? [] : (["diagnostics"] as const)),
  ];
  return without.length === 0 ? {} : { without };
}

function dialectOf({ header, events }: Trace): ScenarioDialect {
  if (header.dialect !== undefined && dialects.includes(header.dialect)) {
    return header.dialect as ScenarioDialect;
  }
  const sent = events.flatMap((event) =>
    event.ev === "frame" && event.dir === "ide>agent" && event.form === undefined
      ? [event.raw]
      : [],
  );
  const has = (words: string) => sent.some((raw) => raw.includes(words));
  if (has('"notifications/ide_connected"') || has('"notifications/selection_changed"')) {
    return "jetbrains";
  }
  if (!has('"diagnostics_changed"')) return "claude-code";
  return has('"WEAK_WARNING"') || has('"severity":"ERROR"') ? "claude-code-spec" : "neovim";
}
