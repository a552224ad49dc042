import { describe, expect, test } from "vitest";
import type { TraceEvent } from "../format/trace-event.ts";
import { formatTrace, type Trace } from "../format/trace-file.ts";
import { createRedactor, redactInSteps, redactTrace } from "./redact.ts";

const token =
  "Zk3_mXq9-T7bL0wRz5YcVh2NdJfGs8UeAoKpQi1MtBxEv4WyHlDnCgFr6SuIjOPaZ3kT9bX7qL2mV5cRwYhN8d";
const frame = (raw: string, at = 0): TraceEvent => ({
  ...{ n: at + 1, t: 0, ev: "frame", ch: "c1", dir: "ide>agent", raw },
});
const trace = (...raws: readonly string[]): Trace => ({
  header: { ide: "ann's editor" },
  events: raws.map(frame),
});
const redacted = (...raws: readonly string[]): string =>
  redactTrace(trace(...raws))
    .trace.events.map((event) => (event.ev === "frame" ? event.raw : ""))
    .join("\n");

test("tokens, homes and names are replaced, the same value by the same stand-in", () => {
  const { trace: clean, redactions } = redactTrace(
    trace(
      `{"authToken":"${token}","filePath":"/home/ann/notes/a.md"}`,
      `{"text":"{\\"authToken\\":\\"${token}\\"}","filePath":"C:\\\\Users\\\\ann\\\\b.md"}`,
      '{"text":"Dear ann, annual report"}',
    ),
  );
  const text = formatTrace(clean);
  expect(text).not.toContain(token);
  expect(text).not.toMatch(/\bann\b/);
  expect(text).toContain("annual report");
  expect(text.match(/redacted-token-1/g)).toHaveLength(2);
  expect(new Set(redactions.map(({ what }) => what))).toEqual(new Set(["home", "name", "token"]));
  expect(JSON.stringify(redactions)).not.toContain(token);
  expect(clean.header.redacted).toEqual(["token", "home", "name"]);
});

test("the texts of files are replaced on request, and the frames stay JSON", () => {
  const raw = '{"params":{"new_file_contents":"secret \\"plan\\"\\nline","tab_name":"x"}}';
  const [event] = redactTrace(trace(raw), { texts: true }).trace.events;
  expect(event?.ev === "frame" && JSON.parse(event.raw)).toEqual({
    params: { new_file_contents: "(18 characters)", tab_name: "x" },
  });
});

describe("a home directory is removed in any spelling", () => {
  test.each([
    ["/Users/Jane Doe/a.md", "Jane Doe"],
    ['{"cwd":"/Users/Jane Doe"}', "Jane Doe"],
    ["C:\\Users\\Jane Doe\\a.md", "Jane Doe"],
    [JSON.stringify({ path: "C:\\Users\\Jane Doe\\a.md" }), "Jane Doe"],
    [JSON.stringify(JSON.stringify({ path: "C:\\Users\\Jane Doe\\a" })), "Jane Doe"],
    ["c:\\users\\jane\\a.md", "jane"],
    ["c:/users/jane/a.md and JANE", "jane"],
    ['{"path":"\\/home\\/jane\\/a.md"}', "jane"],
    ["file:///home/j%C3%A4ne/a.md and jäne", "jäne"],
    ["%2Fhome%2Fjane%2Fa and %252Fhome%252Fjane", "jane"],
    ["file:///c%3A/Users/jane/a", "jane"],
    ["\\\\wsl$\\Ubuntu\\home\\jane\\a", "jane"],
    ["\\\\wsl.localhost\\Ubuntu\\home\\jane\\a", "jane"],
    ["/mnt/c/Users/jane/a", "jane"],
    ["/c/Users/jane/a", "jane"],
    ["/var/home/jane/a /export/home/jane", "jane"],
    ["vscode-remote://wsl+Ubuntu/home/jane/a", "jane"],
    ["PATH=/usr/bin:/home/jane/bin -I/home/jane/include", "jane"],
    ["~/.claude/projects/-home-jane-project/x.jsonl", "jane"],
    ["projects\\C--Users-jane-project\\x", "jane"],
    ["/home/jane.doe/a -home-jane-doe-a JANE.DOE's", "jane.doe"],
    ['{"\\u002fhome\\u002f\\u006aane\\u002fa":1,"b":"\\u004a\\u0061ne"}', "jane"],
    [`"${"\\u002fhome/jane".replaceAll("\\", "\\".repeat(16))}"`, "jane"],
  ])("%s", (raw, name) => {
    const text = redacted(raw).toLowerCase();
    for (const part of name.toLowerCase().split(/[ .]/)) expect(text).not.toContain(part);
    expect(text).not.toMatch(/j%c3%a4|u0061ne|jane-doe/);
    expect(text).toMatch(/(?<![a-z])me\b|2fme/);
  });
});

const jwt = "eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln";
describe("a secret is removed in any form", () => {
  test.each([
    [`x ${jwt} y`, jwt],
    ["Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
    ["curl -H 'Authorization: Basic dXNlcjpwYXNz' x", "dXNlcjpwYXNz"],
    ["sent Basic dXNlcjpwYXNz to it", "dXNlcjpwYXNz"],
    ["Bearer abc.def+ghi/jkl==", "abc.def+ghi/jkl"],
    ["Cookie: a=b1; sid=c2", "sid=c2"],
    ["Set-Cookie: sid=c2; Path=/", "sid=c2"],
    ["password: hunter2", "hunter2"],
    ["API_KEY=abc&def", "def"],
    ["export GITHUB_TOKEN=x-y-z;1", "x-y-z;1"],
    ["password = 'a b c'", "a b c"],
    ['{"password":"a\\"b c9\\\\d"}', "c9"],
    ['{"password":12345}', "12345"],
    ['{"clientSecret":["q1w2","e3r4"]}', "e3r4"],
    ['{"headers":[{"name":"Authorization","value":"q1w2e3"}]}', "q1w2e3"],
    ['["x-api-key","q1w2e3"]', "q1w2e3"],
    ['{"env":"A=1\\nDB_PASSWORD=q1 w2\\nB=2"}', "w2"],
    ["login --password q1w2e3 --verbose", "q1w2e3"],
    ["<password>q1w2e3</password>", "q1w2e3"],
    ["https://host/?a=1&access_token=q1w2e3&b=2", "q1w2e3"],
    ["postgres://user:p/a55@host/db", "p/a55"],
    ["AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"],
    ["ghp_16C7e42F292c6912E7", "16C7e42F292c6912E7"],
    ["sk-ant-api03-a1b2", "a1b2"],
    ["xoxb-123-abc", "123-abc"],
    [`x ${"aB3+/cD4".repeat(6)}== y`, "aB3+/cD4"],
    [`-----BEGIN PRIVATE KEY-----\nMIIB\nq1w2\n-----END PRIVATE KEY-----`, "q1w2"],
    [JSON.stringify({ key: "-----BEGIN RSA PRIVATE KEY-----\nMIIB\nq1w2\n-----END" }), "q1w2"],
    ['{"a":"{\\u0022\\u0070assword\\u0022:\\u0022q1w2\\u0022}"}', "q1w2"],
    ["{\\u0022password\\u0022: \\u0022q1w2e3\\u0022", "q1w2e3"],
  ])("%s", (raw, secret) => {
    expect(redacted(raw)).not.toContain(secret);
  });
});

test("anything but secrets stays verbatim", () => {
  const texts = [
    "The token is missing. Password: must be at least 8 characters. Basic understanding of bearer authentication.",
    "src/home/page.tsx https://example.com/home/index.html /api/users/list <a href='/Home/About'>",
    "const token = getToken(); interface A { token: string; password?: string } if (secret === null) {}",
    '{"progressToken":"p-1","max_tokens":4096,"usage":{"input_tokens":12},"token":null}',
    "commit 1a2b3c4 in /usr/lib/node_modules/typescript/lib/typescript.js line 12",
    "this-is-a-rather-long-name-of-a-file-as-tests-have-it.test.ts MAX_NUMBER_OF_EVENTS_THAT_ARE_KEPT_BEFORE_DROP",
    `| ${"-".repeat(60)} |\n// ${"=".repeat(80)}\n${"_".repeat(60)}`,
    "packages/nodeServer/src/folderHost/languageServer/knownServers/index",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"openDiff","arguments":{"old_file_path":"/vault/a b.md","tab_name":"✻ [Claude Code] a.md (1a2b3c) ⧉"}}}',
    '{ "text" : "a\\u00e4\\/b\\\\n \\"q\\"", "n":1e3 , "n":2}',
    "import { password } from './password.ts'; password.trim(); x[token](1); Basic 1 Bearer",
    "/Users/Shared/x C:\\Users\\Public\\y /home/$USER ~/a /home/<name>/",
    "X-Claude-Code-Ide-Authorization: (a token)",
  ];
  for (const text of texts) expect(redacted(text)).toBe(text);
});

test("every member of an event is redacted, unknown ones too", () => {
  const secret = "Bearer q1w2e3r4t5";
  const events = [
    { ev: "open", ch: secret, protocol: secret },
    { ev: "close", ch: "c", code: 1, reason: secret },
    { ev: "control", ch: "c", dir: "agent>ide", op: "upgrade", text: `Cookie: ${secret}` },
    { ev: "lock", what: "created", file: `/home/jane/${secret}` },
    { ev: "action", who: "person", text: secret },
    { ev: "transcript", text: secret },
    { ev: "fault", text: secret },
    { ev: "editor", change: { kind: "selected", path: `/home/jane/${secret}` } },
    { ev: "frame", ch: "c", dir: "agent>ide", raw: btoa(secret), form: "binary", fault: secret },
    {
      ev: "new",
      some: [{ [secret]: { deep: `a ${secret}`, agent: "jane" } }],
      apiKey: "q1w2e3r4t5",
    },
  ].map((event, at) => ({ n: at + 1, t: at, ...event }) as unknown as TraceEvent);
  const { trace: clean } = redactTrace({ header: { ide: secret, agent: "Jane" }, events });
  const text = formatTrace(clean);
  expect(text.toLowerCase()).not.toMatch(/q1w2|jane/);
  expect(text).not.toContain(btoa(secret));
  expect(clean.events.map(({ n, t, ev }) => ({ n, t, ev }))).toEqual(
    events.map(({ n, t, ev }) => ({ n, t, ev })),
  );
});

describe("a token in a file name or a key is replaced, and its frames stay paired", () => {
  test.each([token, "ghp_q1w2e3r4t5y6", jwt, "4f0a".repeat(10), "sk-ant-api03-q1w2e3"])(
    "%s",
    (secret) => {
      const path = `/vault/my notes-${secret}.md`;
      const request = {
        jsonrpc: "2.0",
        id: "a-1",
        method: "tools/call",
        params: { path, [path]: 1 },
      };
      const result = {
        jsonrpc: "2.0",
        id: "a-1",
        result: { text: JSON.stringify({ [path]: path }) },
      };
      const events = [
        frame(JSON.stringify(request)),
        frame(JSON.stringify(result), 1),
        { n: 3, t: 2, ev: "editor", change: { kind: "opened", path } },
        { n: 4, t: 3, ev: "lock", what: "created", file: path },
      ] as const;
      const { trace: clean } = redactTrace({ header: {}, events: events as readonly TraceEvent[] });
      const text = formatTrace(clean);
      expect(text).not.toContain(secret.slice(-8));
      expect(text.match(/redacted-token-1\b/g)?.length).toBeGreaterThanOrEqual(6);
      expect(text).not.toContain("redacted-token-2");
      const raws = clean.events.flatMap((event) => (event.ev === "frame" ? [event.raw] : []));
      expect(raws.map((raw) => JSON.parse(raw).id)).toEqual(["a-1", "a-1"]);
    },
  );
});

test("unredacted parts stay verbatim: spaces, equal members, long numbers", () => {
  const raw = '{ "id" : 9007199254740993, "a":1e3,"a":-0, "token":"q1w2e3r4" , "b":"\\u00e4" }';
  expect(redacted(raw)).toBe(raw.replace("q1w2e3r4", "redacted-token-1"));
});

test("redacting again changes nothing", () => {
  const once = redactTrace(
    trace(
      `{"authToken":"${token}","path":"/Users/Jane Doe/x"} -home-jane-x postgres://u:p1w@h`,
      '{"content":"long"}',
    ),
    { texts: true },
  ).trace;
  expect(redactTrace(once, { texts: true }).trace).toEqual(once);
});

test("a hidden secret is replaced in any spelling, and nothing else is", () => {
  const redactor = createRedactor({ only: [] });
  redactor.hide('my/short"one');
  const raw = '{"a":"my\\/short\\"one","b":"my%2fshort%22one","password":"hunter2"}';
  expect(redactor.redact(frame(raw))).toMatchObject({
    raw: '{"a":"redacted-token-1","b":"redacted-token-1","password":"hunter2"}',
  });
});

test("a long event is redacted in slices", () => {
  const raw = `${"word ".repeat(1_000_000)} /home/jane/`;
  const steps = redactInSteps(trace(raw));
  let count = 0;
  while (steps.next().done !== true) count += 1;
  expect(count).toBeGreaterThan(100);
});

const tokens = {
  ours: token,
  GitHub: "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
  AWS: "AKIAIOSFODNN7ABCDEFG",
  hexadecimal: "4f0ab91c7d3e2f5a6b8c9d0e1f2a3b4c",
  "24 bytes": "q7Yx2LmR9tKe4WsZ8vBn3GhJ6pDc1FaU",
};

test.each(Object.entries(tokens))("a token (%s) does not survive in a file name", (_, secret) => {
  const names = ["T", "T.txt", ".T.swp", "note-T.md", "note_T.md", "T/x.md", "日T.md"];
  for (const name of names.map((each) => each.replace("T", secret))) {
    for (const path of [
      `/notes/${name}`,
      `C:\\work\\${name}`,
      `file:///w/${encodeURIComponent(name)}`,
    ]) {
      const raws = [{ params: { filePath: path } }, { [path]: 1 }, { text: `Opened ${path} now` }];
      const nested = { text: JSON.stringify({ tab_name: `✻ ${path} (a1b2c3) ⧉` }) };
      const clean = redacted(...[...raws, nested].map((raw) => JSON.stringify(raw)));
      expect(clean).not.toContain(secret);
    }
  }
});

test("names without a token stay as they are", () => {
  const names = [
    "risk-assessment-2024-final-version.md",
    "handleUserAuthenticationCallbackV2.ts",
    "20240131_quarterly_results_final_v2.xlsx",
    "work/task-12345-fix-login-on-mobile.md",
  ];
  const raw = JSON.stringify({ paths: names });
  expect(redacted(raw)).toBe(raw);
});
