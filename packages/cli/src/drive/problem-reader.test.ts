import { expect, test } from "vitest";
import { readProblems } from "./problem-reader.ts";

const CWD = "/home/ann/app";

/** `file:line message` of each problem in an output that arrives in chunks of three bytes, as from a pipe. */
async function places(output: string | Buffer): Promise<readonly string[]> {
  const bytes = Buffer.from(output as string);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  }
  const files = await readProblems(chunks(), { cwd: CWD, allowEmpty: true });
  return files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(
      ({ range, message }) => `${path.replace(`${CWD}/`, "")}:${range.start.line + 1} ${message}`,
    ),
  );
}

const ERROR = "main.c:3:5: error: no such name";

test.each([
  [
    "of one level",
    `make: Entering directory '${CWD}/lib'\ncc -c main.c\n${ERROR}\nmake: Leaving directory '${CWD}/lib'\n`,
    ["lib/main.c:3 no such name"],
  ],
  [
    "of two levels",
    `make[1]: Entering directory '${CWD}/a'\nmake[2]: Entering directory '${CWD}/a/b'\n${ERROR}\nmake[2]: Leaving directory '${CWD}/a/b'\nother.c:1: error: x\nmake[1]: Leaving directory '${CWD}/a'\nlast.c:1: error: y\n`,
    ["a/b/main.c:3 no such name", "a/other.c:1 x", "last.c:1 y"],
  ],
  [
    "side by side",
    `make[1]: Entering directory '${CWD}/a'\nmake[1]: Entering directory '${CWD}/b'\nmake[1]: Leaving directory '${CWD}/a'\n${ERROR}\n`,
    ["b/main.c:3 no such name"],
  ],
  [
    "of GNU make 3, with a backtick",
    `gmake[1]: Entering directory \`${CWD}/lib'\n${ERROR}\n`,
    ["lib/main.c:3 no such name"],
  ],
  [
    "of ninja, relative",
    `ninja: Entering directory \`out'\n../${ERROR}\n`,
    ["main.c:3 no such name"],
  ],
])(
  "a file is relative to the directory that the build has entered: %s",
  async (_, output, found) => {
    expect(await places(output)).toEqual(found);
  },
);

/** The messages of GNU make 4.3 in each of its languages. */
test.each([
  ["bg", ": влизане в директория „%s“", ": излизане от директория „%s“"],
  ["cs", ": Vstupuje se do adresáře „%s“", ": Opouští se adresář „%s“"],
  ["da", ': Går til katalog "%s"', ': Forlader katalog "%s"'],
  ["de", ": Verzeichnis „%s“ wird betreten", ": Verzeichnis „%s“ wird verlassen"],
  ["es", ": se entra en el directorio '%s'", ": se sale del directorio '%s'"],
  ["fi", ": Siirrytään hakemistoon ”%s”", ": Poistutaan hakemistosta ”%s”"],
  ["fr", " : on entre dans le répertoire « %s »", " : on quitte le répertoire « %s »"],
  ["ga", ": Ag dul isteach i gcomhadlann '%s'", ": Ag dul amach as comhadlann '%s'"],
  ["hr", ": Ulazi se u direktorij „%s“", ": Izlazi se iz direktorija „%s“"],
  ["id", ": Memasuki direktori '%s'", ": Meninggalkan direktori '%s'"],
  ["it", ": ingresso nella directory «%s»", ": uscita dalla directory «%s»"],
  ["ja", ": ディレクトリ '%s' に入ります", ": ディレクトリ '%s' から出ます"],
  ["ko", ": 디렉터리 '%s' 들어감", ": 디렉터리 '%s' 나감"],
  ["nl", ": Map '%s' wordt binnengegaan", ": Map '%s' wordt verlaten"],
  ["pl", ": Wejście do katalogu '%s'", ": Opuszczenie katalogu '%s'"],
  ["pt", ': a entrar na pasta "%s"', ': a sair da pasta "%s"'],
  ["pt_BR", ": Entrando no diretório '%s'", ": Saindo do diretório '%s'"],
  ["ru", ": вход в каталог «%s»", ": выход из каталога «%s»"],
  ["sr", ": Улазим у директоријум „%s“", ": Напуштам директоријум „%s“"],
  ["sv", ": Går till katalogen ”%s”", ": Lämnar katalogen ”%s”"],
  ["uk", ": входимо до каталогу «%s»", ': Залишаю каталог "%s"'],
  ["vi", ": Vào thư mục “%s”", ": Rời khỏi thư mục “%s”"],
  ["zh_CN", ": 进入目录“%s”", ": 离开目录“%s”"],
  ["zh_TW", ": 進入目錄「%s」", ": 離開目錄「%s」"],
] as const)("make names its directories in any language: %s", async (_, enters, leaves) => {
  const enter = (level: number, name: string) => `make[${level}]${enters.replace("%s", name)}\n`;
  const leave = (level: number, name: string) => `make[${level}]${leaves.replace("%s", name)}\n`;
  const [outer, inner] = [`${CWD}/a`, `${CWD}/it's/b`];
  const output = [
    ...[enter(1, outer), enter(2, inner), `${ERROR}\n`, leave(2, inner)],
    ...["x.c:1: error: x\n", leave(1, outer), "y.c:1: error: y\n"],
  ].join("");
  const found = ["it's/b/main.c:3 no such name", "a/x.c:1 x", "y.c:1 y"];
  expect(await places(output)).toEqual(found);
});

test.each([
  `make: *** ${CWD}/a: No such file or directory.  Stop.\n${ERROR}\n`,
  `make[1]: '${CWD}/a' is up to date.\n${ERROR}\n`,
  `make: *** [Makefile:3: ${CWD}/a/main.o] Error 1\n${ERROR}\n`,
])("other messages of make enter no directory: %j", async (output) => {
  expect(await places(output)).toEqual(["main.c:3 no such name"]);
});

test.each([
  ["GitHub Actions", "2026-11-29T10:00:00.1234567Z "],
  ["ts", "[2026-11-29 10:00:00] "],
  ["a time of day", "10:00:00 "],
  ["docker build", "#12 3.456 "],
  ["docker compose", "web-1  | "],
  ["foreman", "10:00:00 web.1   | "],
  ["turbo", "@scope/web:build: "],
  ["concurrently, an index", "[0] "],
  ["concurrently, a name", "[web] "],
  ["GitHub Actions, of docker", "2026-11-29T10:00:00.1234567Z #9 0.5 "],
])("a prefix of each line is not part of a file name: %s", async (_, prefix) => {
  const traceback = '  File "a.py", line 4\n    x = (\n        ^\nSyntaxError: unclosed\n';
  const rust = "error[E0382]: moved\n  --> src/main.rs:5:10\n";
  const stylish = "/a/b.js\n  3:5  error  Unused  no-unused\n";
  const cases = [
    [`cc main.c\n${ERROR}\n`, ["main.c:3 no such name"]],
    [traceback, ["a.py:4 SyntaxError: unclosed"]],
    [rust, ["src/main.rs:5 moved"]],
    [stylish, ["/a/b.js:3 Unused"]],
    ["src/a.ts(3,5): error TS2322: no\n", ["src/a.ts:3 no"]],
  ] as const;
  for (const [output, found] of cases) {
    expect(await places(output.replaceAll(/^(?=.)/gm, prefix))).toEqual(found);
  }
});

test("a prefix that is a directory is the base of its line", async () => {
  const output =
    "packages/a build: src/x.ts(3,5): error TS1: no\n./b lint: y.ts(1,1): error TS1: no\n";
  expect(await places(output)).toEqual(["packages/a/src/x.ts:3 no", "b/y.ts:1 no"]);
});

test("text that only resembles a prefix stays", async () => {
  const output = `[ERROR] ${CWD}/src/A.java:[3,5] no\n`;
  expect(await places(output)).toEqual(["src/A.java:3 no"]);
  expect(await places("a.c:3:5: error: b:c: d\n")).toEqual(["a.c:3 b:c: d"]);
  expect(await places("lib/a.c:3:5: fatal error: x.h: No such file\n")).toEqual([
    "lib/a.c:3 x.h: No such file",
  ]);
});

test.each([
  [
    "PHP",
    `PHP Parse error:  syntax error, unexpected '}' in ${CWD}/a.php on line 3\nPHP Warning:  Undefined variable $x in ${CWD}/b.php on line 4\nPHP Fatal error:  Uncaught Error: no in ${CWD}/c.php:5\nStack trace:\n#0 {main}\n  thrown in ${CWD}/c.php on line 5\n`,
    [
      "a.php:3 syntax error, unexpected '}'",
      "b.php:4 Undefined variable $x",
      "c.php:5 Uncaught Error: no",
    ],
  ],
  [
    "PHPUnit",
    `There was 1 failure:\n\n1) Tests\\FooTest::testBar\nFailed asserting that false is true.\n\n${CWD}/tests/FooTest.php:12\n\nFAILURES!\n`,
    ["tests/FooTest.php:12 Failed asserting that false is true."],
  ],
  [
    "PHPStan",
    " ------ ----------------- \n  Line   src/Foo.php     \n ------ ----------------- \n  12     Undefined variable: $x  \n         🪪  variable.undefined  \n  14     Unreachable.  \n ------ ----------------- \n",
    ["src/Foo.php:12 Undefined variable: $x", "src/Foo.php:14 Unreachable."],
  ],
  [
    "CMake",
    "CMake Error at lib/CMakeLists.txt:5 (add_executable):\n  Cannot find source file:\n\n    main.cpp\n\n\nCMake Warning (dev) at CMakeLists.txt:2 (project):\n  No version.\nThis warning is for project developers.\n\nCMake Error in CMakeLists.txt:9:\n  Parse error.\n",
    [
      "lib/CMakeLists.txt:5 Cannot find source file:",
      "CMakeLists.txt:2 No version.",
      "CMakeLists.txt:9 Parse error.",
    ],
  ],
  [
    "Ruby",
    "a.rb:3:in `f': undefined local variable (NameError)\n\tfrom a.rb:6:in `<main>'\nb.rb:4:in 'Object#g': no (RuntimeError)\n",
    ["a.rb:3 undefined local variable (NameError)", "b.rb:4 no (RuntimeError)"],
  ],
  [
    "commands of GitHub's workflows",
    "::group::x\n::error file=a.js,line=3,col=5,title=T, x::One: b\n::warning line=7,file=src/b.js::Two\n::error::no file\n",
    ["a.js:3 One: b", "src/b.js:7 Two"],
  ],
  [
    "minitest",
    "  1) Failure:\nTestX#test_a [test/a.rb:3]:\nExpected: 1\n  Actual: 2\n",
    ["test/a.rb:3 Expected: 1"],
  ],
  [
    "Test::More",
    "not ok 1 - a\n#   Failed test 'a'\n#   at t/a.t line 2.\n#          got: '1'\n# Looks like you failed 1 test of 1.\n",
    ["t/a.t:2 Failed test 'a'"],
  ],
  [
    "node --test, as TAP",
    `not ok 1 - a\n  ---\n  duration_ms: 2.2\n  location: '${CWD}/a.test.mjs:2:1'\n  failureType: 'testCodeFailure'\n  error: '1 == 2'\n  code: 'ERR'\n  ...\n  location: '${CWD}/a.test.mjs:4:1'\n  error: |-\n    Two lines:\n    x\n`,
    ["a.test.mjs:2 1 == 2", "a.test.mjs:4 Two lines:"],
  ],
  [
    "node --test, as its own report",
    "✖ failing tests:\n\ntest at a.test.mjs:2:1\n✖ a (8ms)\n  AssertionError [ERR]: 1 == 2\n      at x\n\ntest at a.test.mjs:3:1\n✖ b (1ms)\n  Error: x\n      at y\n",
    ["a.test.mjs:2 AssertionError [ERR]: 1 == 2", "a.test.mjs:3 Error: x"],
  ],
  [
    "node, an error of any name",
    `${CWD}/a.js:2\nreject(new MyErr());\n       ^\n\nMyErr: c\n    at f (${CWD}/a.js:2:3)\n`,
    ["a.js:2 MyErr: c"],
  ],
  ["RSpec", "Failed examples:\n\nrspec ./spec/a_spec.rb:3 # A is a\n", ["spec/a_spec.rb:3 A is a"]],
  [
    "Perl",
    'syntax error at a.pl line 3, near "x"\nCan\'t locate X.pm in @INC at lib/B.pm line 4.\n',
    ["a.pl:3 syntax error", "lib/B.pm:4 Can't locate X.pm in @INC"],
  ],
  [
    "Node",
    `node:internal/x:1\n\n${CWD}/a.js:3\n  x(\n  ^\n\nReferenceError: x is not defined\n    at Object.<anonymous> (${CWD}/a.js:3:3)\n\nNode.js v20.0.0\n`,
    ["a.js:3 ReferenceError: x is not defined"],
  ],
])("the output of a tool is read: %s", async (_, output, found) => {
  expect(await places(output)).toEqual(found);
});

test.each([
  [
    "the last frame",
    'Traceback (most recent call last):\n  File "run.py", line 9, in <module>\n    main()\n  File "pkg/a.py", line 3, in main\n    f()\n    ^\nNameError: name \'f\' is not defined\n',
    ["pkg/a.py:3 NameError: name 'f' is not defined"],
  ],
  [
    "the last frame of the folder, where a library failed",
    `Traceback (most recent call last):\n  File "${CWD}/a.py", line 2, in <module>\n    import json, x\n  File "/usr/lib/python3/json/decoder.py", line 355, in raw_decode\n    raise JSONDecodeError\njson.decoder.JSONDecodeError: Expecting value\n`,
    ["a.py:2 json.decoder.JSONDecodeError: Expecting value"],
  ],
  [
    "an error of syntax, which has no traceback",
    "  File \"a.py\", line 4\n    x = (\n        ^\nSyntaxError: '(' was never closed\n",
    ["a.py:4 SyntaxError: '(' was never closed"],
  ],
  [
    "each of a chain",
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "b.py", line 2, in g\nRuntimeError\n',
    ["a.py:1 KeyError: 1", "b.py:2 RuntimeError"],
  ],
])("the place of a Python traceback is recognised: %s", async (_, output, found) => {
  expect(await places(output)).toEqual(found);
});

test.each([
  [
    `[ERROR] ${CWD}/src/A.java:[3,5] cannot find symbol\n[ERROR]   symbol: class B\n`,
    "cannot find symbol",
  ],
  [`[ERROR] ${CWD}/src/A.java:[3] cannot find symbol\n[INFO] 1 error\n`, "cannot find symbol"],
  [`[ERROR] file://${CWD}/src/A.java:[3,5] error: no\n[ERROR] COMPILATION ERROR :\n`, "no"],
  [`[WARNING] ${CWD}/src/A.java: (3, 5) unused\n`, "unused"],
])("a place of Maven's is known: %j", async (output, message) => {
  expect(await places(output)).toEqual([`src/A.java:3 ${message}`]);
});

test.each([
  `[1/2] Building\r[2/2] Building\r${ERROR}\n`,
  `10%\r\x1b[K20%\r\x1b[K\r${ERROR}\r\n`,
  `${ERROR}\rdone\r`,
])("a carriage return ends a line of output: %j", async (output) => {
  expect(await places(output)).toEqual(["main.c:3 no such name"]);
});

const TSC = "a.ts(3,5): error TS2322: nö.\r\n";

test.each([
  ["UTF-16, little end first", Buffer.from(`\uFEFF${TSC}`, "utf16le")],
  ["UTF-16, big end first", Buffer.from(`\uFEFF${TSC}`, "utf16le").swap16()],
  ["UTF-16 without a mark", Buffer.from(TSC, "utf16le")],
  ["UTF-8 with a mark", Buffer.from(`\uFEFF${TSC}`)],
])("output is read as it is encoded: %s", async (_, output) => {
  expect(await places(output)).toEqual(["a.ts:3 nö."]);
});

test("the severity of a problem follows from its keyword", async () => {
  const severities = async (text: string) => {
    const chunks = (async function* () {
      yield text;
    })();
    const files = await readProblems(chunks, { cwd: CWD, allowEmpty: true });
    return files.flatMap(({ diagnostics }) => diagnostics.map(({ severity }) => severity));
  };
  const php = ["Warning", "Notice", "Deprecated", "User Warning", "Fatal error"];
  expect(
    await severities(
      php.map((word, at) => `PHP ${word}:  x in /a/b.php on line ${at + 1}\n`).join(""),
    ),
  ).toEqual(["warning", "information", "warning", "warning", "error"]);
  expect(await severities("CMake Deprecation Warning at a.txt:5 (message):\n  old\n")).toEqual([
    "warning",
  ]);
  expect(await severities("::notice file=a.js,line=1::Note\n")).toEqual(["information"]);
});

test("a command of GitHub's workflows has its column, wherever it is among the members", async () => {
  async function* input() {
    yield "::error col=5,file=C:\\a.js,line=3::x\n";
  }
  const [file] = await readProblems(input(), { cwd: CWD, allowEmpty: true });
  expect(file?.diagnostics[0]?.range.start).toEqual({ line: 2, character: 4 });
});
