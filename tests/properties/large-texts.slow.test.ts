import { countAddedHidden, isCostly, redactKnown } from "@idewire/core/internal";
import { createRedactor } from "@idewire/devtools/internal";
import { parseTrace } from "@idewire/devtools/trace";
import { contentLengthFraming } from "@idewire/node-server/internal";
import { describe, expect, test } from "vitest";
import { OutputLines } from "../../packages/cli/src/folder-host/command/output-lines.ts";
import { runWithin } from "../../packages/cli/src/folder-host/linter/time-limit.ts";
import { findJsonError } from "../../packages/core/src/text/find-json-error.ts";

const UNITS = 64 * 2 ** 20;
/** Enough for a busy machine; quadratic time would be days. */
const LIMIT_MS = 10 * 60_000;

/** The repeated parts: words, line endings, and openings without an end. */
const PARTS = ["a", "\n", '"', '\\"', "\\u0061", "/home/a b/", "token=", "[", "\u202e", "漢"];

/** The readers of foreign text of unlimited length: all others read files, frames and lines with limits. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "the search for hidden characters": (text) => countAddedHidden("", text),
  "the reader of traces": (text) => parseTrace(text),
  "the search for a fault in JSON": (text) => findJsonError(`["${text}`),
  "the estimated cost of JSON": (text) => isCostly(text),
  "the lines of a program": (text) => new OutputLines(() => {}).push(Buffer.from(text)),
  "the messages of a language server": (text) =>
    contentLengthFraming.read({ frame: () => {}, broken: () => {} }, 1_000).push(Buffer.from(text)),
  "the search for known secrets": redactKnown(["q1w2e3r4t5"]),
  "the redactor": (raw) =>
    createRedactor().redact({ n: 1, t: 0, ev: "frame", ch: "c1", dir: "agent>ide", raw }),
};

describe.each(Object.entries(readers))("%s", (_, read) => {
  test.each(PARTS)("reads 64 MB of %j in bounded time", { timeout: 2 * LIMIT_MS }, (part) => {
    const text = part.repeat(UNITS / part.length);
    expect(runWithin(LIMIT_MS, () => read(text))).toBe(true);
  });
});
