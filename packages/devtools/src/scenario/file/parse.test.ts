import { expect, test } from "vitest";
import { scenarioLimits } from "./limits.ts";
import { createScenario, parseScenario } from "./parse.ts";

const header = '{"idewire":"scenario/1","name":"x"}';

function issueOf(line: string): string {
  const result = parseScenario(`${header}\n\n${line}\n`);
  if (result.ok) return "none";
  expect(result.issues.map((issue) => issue.line)).toEqual([3]);
  return result.issues[0]?.issue ?? "";
}

test("an issue names its line, the value seen and the value expected", () => {
  const cases: Readonly<Record<string, string>> = {
    "{": "expected JSON, got {",
    "[]": "expected an object, got []",
    "{}": 'expected either "do", "agent" or "expect", got {}',
    '{"do":"open","expect":"call"}':
      'expected either "do", "agent" or "expect", got {"do":"open","expect":"call"}',
    '{"do":"toString"}':
      'do: expected one of open, close, save, revert, keepUnsaved, clearSelection, mention, setDiagnostics, edit, select, answerDiff, write, diagnostics, diff, answerTool, notify, drop, restart, wait, comment, faults, send, closeEditor, log, got "toString"',
    '{"do":"clearSelection","x":1}': "x: unknown member; known members are do, note",
    '{"do":"open"}': "path: expected string, got nothing",
    '{"do":"open","path":"/etc/passwd"}':
      'path: expected a path inside the workspace, such as src/main.ts, got "/etc/passwd"',
    '{"do":"wait","ms":-1}': "ms: expected a number from 0 to 86400000, got -1",
    '{"do":"diff","answer":"maybe"}':
      'answer: expected ("accept" | "accept-edited" | "reject" | "close" | "wait"), got "maybe"',
    '{"do":"diff","answer":"accept-edited"}':
      "accept-edited: expected either text or suffix, got 0",
    '{"do":"diff","answer":"accept","comments":"x"}': "accept: expected no comments",
    '{"do":"answerTool","tool":"t"}': "answerTool: expected error, failure or afterMs, got none",
    '{"do":"mention","path":"a","lines":{"start":3,"end":2}}':
      "lines.end: expected 3 (start) or more, got 2",
    '{"do":"mention","path":"a","lines":{"end":2}}': "lines.start: expected number, got nothing",
    '{"do":"edit","path":"a","text":{"find":"x"}}':
      'text: expected a text or { find, replace }, got {"find":"x"}',
    '{"do":"select","path":"a","range":{"from":"x"}}':
      'range: expected { start, end } or { from, to }, the texts at its ends, got {"from":"x"}',
    '{"do":"answerDiff","answer":{"kind":"cancelled"}}':
      'answer.kind: expected ("accepted" | "rejected" | "closed"), got "cancelled"',
    '{"do":"log","event":{"ev":"lock","what":"created"}}':
      "event.file: expected a value, got nothing",
    '{"do":"faults","plan":{"seed":1,"rules":[{"match":"(","fault":{"kind":"drop"}}]}}':
      'plan: "match" in item 1 in "rules": unclosed "("',
    '{"agent":"propose","path":"a"}': "text: expected a text or { find, replace }, got nothing",
    '{"agent":"fly"}':
      'agent: expected one of connect, disconnect, propose, terminal, call, request, got "fly"',
    '{"expect":"call","tool":"t","arguments":{"a":{"$lik":"x"}}}':
      'arguments: expected one of $any, $like, $path, $uri, $absent, $exactly, $json, $has, $oneOf for $lik, got {"a":{"$lik":"x"}}',
    '{"expect":"call","tool":"t","at":{"x":1}}':
      'at.x: expected a JSON pointer, such as /edits/0/path, got "x"',
    '{"expect":"call","tool":"t","times":0}':
      "times: expected a whole number from 1 to 10000, got 0",
    '{"expect":"file","path":"a"}': "file: expected one of text, like and exists, got 0",
    '{"do":"drop","do":"drop"}': 'the name "do" is used twice in one object',
    '{"do":"notify","method":"m","params":{"__proto__":1}}': 'the name "__proto__" is not allowed',
    [header]: "a second header: a scenario has one, in its first line",
  };
  const seen = Object.fromEntries(Object.keys(cases).map((line) => [line, issueOf(line)]));
  expect(seen).toEqual(cases);
});

test("a range in a selection or a diagnostic does not end before its start", () => {
  const range = '{"start":{"line":2,"character":1},"end":{"line":2,"character":0}}';
  expect(issueOf(`{"do":"select","path":"a","range":${range}}`)).toBe(
    "range.end: expected 2:1 or later, got 2:0",
  );
  const item = `{"message":"m","severity":"error","range":${range}}`;
  expect(issueOf(`{"do":"diagnostics","path":"a","diagnostics":[${item}]}`)).toBe(
    "diagnostics.0.range.end: expected 2:1 or later, got 2:0",
  );
});

test("a header comes first, and is checked like the rest", () => {
  const first = (text: string) => {
    const result = parseScenario(text);
    return result.ok ? undefined : result.issues[0];
  };
  expect(first("\n\n")?.issue).toContain("expected a header first");
  expect(first('\n{"expect":"ready"}')).toMatchObject({ line: 2 });
  expect(first('{"idewire":"scenario/2","name":"x"}')?.issue).toBe(
    'idewire: expected "scenario/1", got "scenario/2"',
  );
  expect(first('{"idewire":"scenario/1","name":"x","files":{"../a":""}}')?.issue).toContain(
    "expected a path inside the workspace",
  );
});

test("the length, depth, number and total size of lines are limited, and so is the number of issues", () => {
  const deep = `{"expect":"call","tool":"t","arguments":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(issueOf(deep)).toBe("expected at most 64 levels, got more");
  expect(issueOf(`{"note":"${"x".repeat(scenarioLimits.lineLength)}"}`)).toMatch(
    /^expected at most 1048576 characters, got \d+$/,
  );
  const many = parseScenario(`${header}\n${'{"do":"drop"}\n'.repeat(scenarioLimits.steps + 5)}`);
  expect(many).toEqual({
    ok: false,
    issues: [{ line: scenarioLimits.steps + 2, issue: "expected at most 10000 steps, got more" }],
  });
  const huge = parseScenario(`${header}${" ".repeat(scenarioLimits.textLength)}`);
  expect(huge).toMatchObject({ ok: false, issues: [{ line: 1 }] });
  const wrong = parseScenario(`${header}\n${"{}\n".repeat(1_000)}`);
  expect(wrong.ok ? 0 : wrong.issues.length).toBe(20);
});

test("steps given as values are checked in the same way, and lines keep their numbers", () => {
  const right = createScenario({}, [{ do: "drop" }, { expect: "ready" }]);
  expect(right).toMatchObject({ ok: true, value: { steps: [{ line: 2 }, { line: 3 }] } });
  const wrong = createScenario({}, [{ do: "wait", ms: Number.NaN }]);
  expect(wrong).toEqual({
    ok: false,
    issues: [{ line: 2, issue: "ms: expected number, got null" }],
  });
  const spaced = parseScenario(`\ufeff${header}\r\n\r\n{"expect":"ready"}\r\n`);
  expect(spaced).toMatchObject({ ok: true, value: { steps: [{ line: 3 }] } });
});
