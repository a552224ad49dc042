/** The outcome of a test case. */
export type JunitOutcome =
  | { readonly kind: "passed" }
  | { readonly kind: "skipped"; readonly message?: string }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly type?: string;
      readonly body: string;
    };

export interface JunitCase {
  /** The group of the case, written as its class name. */
  readonly group: string;
  readonly name: string;
  readonly ms: number;
  readonly outcome: JunitOutcome;
}

export interface JunitSuite {
  readonly name: string;
  readonly ms: number;
  readonly cases: readonly JunitCase[];
}

/** A suite as JUnit XML for continuous integration; texts are escaped. */
export function formatJunit({ name, ms, cases }: JunitSuite): string {
  const count = (kind: JunitOutcome["kind"]) =>
    cases.filter(({ outcome }) => outcome.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${count("failed")}" skipped="${count("skipped")}"`;
  const time = `time="${seconds(ms)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} ${time}>`,
    `  <testsuite name="${escapeXml(name)}" ${counts} errors="0" ${time}>`,
    ...cases.map(formatCase),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function formatCase({ group, name, ms, outcome }: JunitCase): string {
  const about = `classname="${escapeXml(group)}" name="${escapeXml(name)}"`;
  const head = `    <testcase ${about} time="${seconds(ms)}"`;
  if (outcome.kind === "passed") return `${head}/>`;
  const message = outcome.message === undefined ? "" : ` message="${escapeXml(outcome.message)}"`;
  if (outcome.kind === "skipped") return `${head}><skipped${message}/></testcase>`;
  const type = outcome.type === undefined ? "" : ` type="${escapeXml(outcome.type)}"`;
  return `${head}><failure${message}${type}>${escapeXml(outcome.body)}</failure></testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Characters that XML 1.0 does not allow, not even escaped. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, "\ufffd")
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
