import { readdirSync, readFileSync } from "node:fs";
import { manualClock } from "@idewire/core/testing";
import {
  completeFilter,
  createSimulatedWire,
  type Fault,
  FaultInjector,
  filterKeys,
} from "@idewire/devtools/internal";
import { EventLog, parseFilter } from "@idewire/devtools/trace";
import { expect } from "vitest";
import { verifies } from "../src/verifies.ts";

const page = new URL("../../packages/web-playground/", import.meta.url);

function sourcesOf(folder: string): readonly (readonly [string, string])[] {
  const root = new URL(folder, page);
  return (readdirSync(root, { recursive: true }) as string[])
    .filter((name) => /(?<!\.test)\.(?:tsx?|css)$/.test(name))
    .map((name) => [name, readFileSync(new URL(name, root), "utf8")]);
}

const faults: readonly Fault[] = [
  { kind: "delay", ms: 300 },
  { kind: "drop" },
  { kind: "duplicate" },
  { kind: "reorder", behind: 1 },
  { kind: "truncate", keep: 20 },
  { kind: "malformed" },
  { kind: "wrong-id" },
  { kind: "missing-id" },
  { kind: "missing-jsonrpc" },
  { kind: "wrong-type" },
  { kind: "oversize", units: 500 },
  { kind: "silence", ms: 500 },
  { kind: "close", code: 1011 },
];

/** The requests that arrive of three, and when. */
function travel(fault: Fault | undefined): string {
  const clock = manualClock();
  const log = new EventLog({ now: () => clock.nowMs });
  const rules = fault === undefined ? [] : [{ match: "method:tools/call", nth: 2, fault }];
  const wire = createSimulatedWire({
    ch: "c",
    log,
    clock,
    assess: new FaultInjector({ seed: 7, rules }),
  });
  const got: string[] = [];
  wire.ide.onframe = (raw) => got.push(`${clock.nowMs} ${raw}`);
  wire.ide.onclose = ({ code }) => got.push(`closed ${code}`);
  for (const id of [1, 2, 3]) {
    const params = { name: "openDiff" };
    wire.agent.send(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
  }
  clock.advance(60_000);
  return got.join("\n");
}

verifies("playground:4:kinds", "each of the thirteen faults changes what arrives", () => {
  const unharmed = travel(undefined);
  const harmed = faults.map(travel);
  expect(harmed).not.toContain(unharmed);
  expect(new Set(harmed).size).toBe(faults.length);
});

verifies("playground:2:filter-language", "the filter of the plan's example is accepted", () => {
  const filter = parseFilter("dir:out method:tools/call status:error duration:>500ms");
  expect(filter.ok).toBe(true);
});

verifies("playground:2:completion", "every key is completed, and values that occurred", () => {
  const keys = completeFilter("", 0, []).map(({ text }) => text);
  expect(keys).toEqual([...filterKeys.map(({ name }) => `${name}:`), "NOT", "("]);
  const seen = {
    n: 1,
    number: 1,
    t: 0,
    ch: "c",
    dir: "agent>ide",
    kind: "request",
    units: 9,
  } as const;
  const frames = [{ ...seen, method: "tools/call", tool: "openDiff" }];
  const complete = (text: string): readonly string[] =>
    completeFilter(text, text.length, frames).map((one) => one.text);
  expect(complete("dir:")).toEqual(["out", "in", "ide", "agent"]);
  expect(complete("dir:out method:to")).toEqual(["tools/call"]);
  expect(complete("tool:")).toEqual(["openDiff"]);
  expect(complete("status:err")).toEqual(["error"]);
});

verifies(
  "playground:1:scenarios",
  "every tour of a newcomer, an author and a speaker exists",
  () => {
    const required = [
      "handshake",
      "selection",
      "mention",
      "diff-accepted",
      "diff-rejected",
      "diff-edited",
      "diff-closed",
      "diff-in-terminal",
      "diagnostics",
      "reconnect",
      "stale-lock",
      "wrong-token",
      "two-ides",
      "windows-paths",
      "huge-selection",
      "cancellation",
      "errors",
      "version-mismatch",
      "hostile-page",
    ];
    const there = readdirSync(new URL("tours/", page)).map((name) => name.replace(".jsonl", ""));
    expect(there).toEqual(expect.arrayContaining(required));
  },
);

verifies(
  "playground:built:views-only",
  "the page has no protocol of its own: frames are made and read by core and devtools",
  () => {
    const withProtocol = sourcesOf("src/").filter(([, text]) =>
      /["']jsonrpc["']|jsonrpc:/.test(text),
    );
    expect(withProtocol.map(([name]) => name)).toEqual([]);
  },
);

verifies(
  "playground:built:no-fonts",
  "no font, sheet or picture is fetched: the sources name none",
  () => {
    for (const [name, text] of [...sourcesOf("src/"), ...sourcesOf("styles/")]) {
      const found = text.match(
        /@import|@font-face|\burl\((?!["']?data:)|https?:\/\/(?!www\.w3\.org)/,
      );
      expect(found?.[0], name).toBe(undefined);
    }
  },
);
