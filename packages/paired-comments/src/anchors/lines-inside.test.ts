import { describe, expect, test } from "vitest";
import { follow, lineOf } from "./testing/follow.ts";

/** A source, and a line inside one of its statements. */
type Case = readonly [path: string, source: string, line: string];

const lists: readonly Case[] = [
  ["specifiers.ts", 'import {\n  alpha,\n  beta,\n  gamma,\n} from "./greek";\n', "  beta,"],
  ["first.ts", 'import {\n  alpha,\n  beta,\n  gamma,\n} from "./greek";\n', "  alpha,"],
  ["last.ts", 'import {\n  alpha,\n  beta,\n  gamma,\n} from "./greek";\n', "  gamma,"],
  ["exports.ts", "export {\n  alpha,\n  beta,\n  gamma,\n};\n", "  beta,"],
  ["shorthand.js", "const o = {\n  create,\n  schema,\n  messages,\n};\n", "  schema,"],
  ["spread.js", "const o = {\n  ...base,\n  schema: 1,\n  messages: 2,\n};\n", "  ...base,"],
  [
    "parameters.js",
    "function area(\n  width,\n  height,\n  depth,\n) {\n  go();\n}\n",
    "  height,",
  ],
  [
    "typed.ts",
    "export function area(\n  width: number,\n  height: number,\n  depth: number,\n) {\n  go();\n}\n",
    "  height: number,",
  ],
  ["arguments.js", "draw(\n  context,\n  width,\n  height,\n);\n", "  width,"],
  ["calls.js", 'run(\n  await load("a"),\n  await load("b"),\n);\n', '  await load("a"),'],
  ["again.js", "run(\n  null,\n  first,\n  null,\n  second,\n);\n", "  null,"],
  ["union.ts", 'export type Kind =\n  | "map"\n  | "set"\n  | "date";\n', '  | "set"'],
  ["pattern.js", "const {\n  name,\n  location,\n  optional,\n} = node;\n", "  location,"],
  ["operands.js", "if (\n  ready &&\n  !busy &&\n  count > 3\n) {\n  go();\n}\n", "  !busy &&"],
  [
    "chain.js",
    "promise\n  .then(parse)\n  .catch(report)\n  .finally(close);\n",
    "  .catch(report)",
  ],
  ["interfaces.ts", "class A\n  implements\n    C,\n    D,\n    E {\n  x = 1;\n}\n", "    D,"],
  [
    "dialog.tsx",
    "export const D = ({\n  text,\n  onOpen,\n  onClose,\n}) => <b>{text}</b>;\n",
    "  onOpen,",
  ],
  ["imports.py", "from greek import (\n    alpha,\n    beta,\n    gamma,\n)\n", "    beta,"],
  [
    "parameters.py",
    "def area(\n    width,\n    height,\n    depth,\n):\n    go()\n",
    "    height,",
  ],
  ["keywords.py", "draw(\n    context,\n    width=3,\n    height=4,\n)\n", "    width=3,"],
  ["use.rs", "use std::{\n    fmt,\n    io,\n    path,\n};\n", "    io,"],
  ["rule.css", "h1,\nh2,\nh3 {\n  color: red;\n}\n", "h2,"],
  ["objects.js", "add(\n  { a: 1 },\n  { b: 2 },\n  { c: 3 },\n);\n", "  { b: 2 },"],
  ["rows.js", "add(\n  [a, 1],\n  [b, 1],\n  [c, 1],\n);\n", "  [b, 1],"],
  ["objects.py", "add(\n    {'a': 1},\n    {'b': 2},\n)\n", "    {'b': 2},"],
  [
    "paragraph.md",
    "Intro that stays here for everyone.\nSecond line of the text, about cats.\nThird line, about dogs.\n",
    "Second line of the text, about cats.",
  ],
  [
    "described.js",
    "/**\n * Adds.\n * @param a the first\n * @param b the second\n * @returns the sum\n */\nadd();\n",
    " * @param b the second",
  ],
];

describe("a comment on a line inside a statement", () => {
  test.each(lists)("is an orphan once the line is removed: %s", async (path, source, text) => {
    const after = `\n${source.replace(`${text}\n`, "")}`;
    const found = await follow(path, source, after, { line: lineOf(source, text) });
    expect(found.status).toBe("orphaned");
  });

  test.each(lists)(
    "follows the line that moves with its statement: %s",
    async (path, source, text) => {
      const line = lineOf(source, text);
      const found = await follow(path, source, `\n${source}`, { line });
      expect(found).toMatchObject({ line: line + 1, status: "moved" });
    },
  );

  test("has the neighbour of the removed line as its first candidate", async () => {
    const [path, source] = ["a.js", "draw(\n  context,\n  width,\n  height,\n);\n"];
    const found = await follow(path, source, source.replace("  width,\n", ""), { line: 3 });
    expect(found.candidates[0]).toMatchObject({ line: 3, text: "height," });
  });

  test.each([
    ["specifiers.ts", 'import {\n  alpha,\n  beta,\n  gamma,\n} from "./a";\n', "beta", "omicron"],
    [
      "parameter.tsx",
      "export const D = ({\n  text,\n  onClose,\n}) => null;\n",
      "text",
      "children",
    ],
    ["argument.js", "draw(\n  context,\n  width,\n  height,\n);\n", "width", "size"],
    ["last.js", "draw(\n  context,\n  width,\n  height,\n);\n", "height", "size"],
    [
      "chain.js",
      "one\n  .then(parse)\n  .catch(report)\n  .finally(close);\n",
      "catch(report)",
      "map(all)",
    ],
    ["tuple.py", "check(one,\n      ('', 'first'))\n", "('', 'first')", "('other', 'second')"],
    ["use.rs", "use std::{\n    fmt,\n    io,\n    path,\n};\n", "io", "net"],
    ["rule.css", "h1,\nh2,\nh3 {\n  color: red;\n}\n", "h2", "h4"],
  ])("is a guess once its line is replaced: %s", async (path, source, was, now) => {
    const line = lineOf(source, was);
    const found = await follow(path, source, `\n${source.replace(was, now)}`, { line });
    expect(found).toMatchObject({ line: line + 1, status: "ambiguous" });
  });

  test.each([
    ["argument.js", "draw(\n  context,\n  width + 1,\n  height,\n);\n", "width + 1", "2 * width"],
    [
      "chain.js",
      "app\n  .use(cors())\n  .use(json())\n  .listen(80);\n",
      "json()",
      "json(limit, 1)",
    ],
    [
      "operand.js",
      "if (\n  ready &&\n  !busy &&\n  count\n) {\n  go();\n}\n",
      "!busy",
      "busy === 0",
    ],
    ["object.js", "add(\n  { a: 1 },\n  { b: 2 },\n);\n", "{ b: 2 }", "{ b: two(), c: 3 }"],
    ["keyword.py", "draw(\n    context,\n    width=3,\n    height=4,\n)\n", "width=3", "width=5"],
    ["paragraph.md", "Intro for all.\nSecond line, about cats.\nThird one.\n", "Second", "Another"],
  ])("is edited once a part of the line changes: %s", async (path, source, was, now) => {
    const line = lineOf(source, was);
    const found = await follow(path, source, `\n${source.replace(was, now)}`, { line });
    expect(found).toMatchObject({ line: line + 1, status: "edited" });
  });

  test.each([
    [
      "chain.js",
      "app\n  .use(cors())\n  .use(json())\n  .listen(80);\n",
      ".use(json())",
      ".use(helmet())",
    ],
    [
      "first.js",
      "app\n  .use(cors())\n  .use(json())\n  .listen(80);\n",
      ".use(cors())",
      ".use(helmet())",
    ],
    [
      "calls.js",
      'run(\n  await load("a"),\n  await load("b"),\n);\n',
      'await load("b"),',
      'await load("x"),',
    ],
    ["objects.js", "add(\n  { a: 1 },\n  { b: 2 },\n);\n", "{ b: 2 },", "{ x: 9 },"],
    ["rows.js", "add(\n  [a, 1],\n  [b, 1],\n);\n", "[b, 1],", "[x, 1],"],
    ["objects.py", "add(\n    {'a': 1},\n    {'b': 2},\n)\n", "{'b': 2},", "{'x': 2},"],
    ["union.ts", "type A =\n  | { a: 1 }\n  | { b: 2 };\n", "| { b: 2 }", "| { c: 3 }"],
    [
      "operands.js",
      "if (\n  one(p)\n  && !two(p)\n) {\n  go();\n}\n",
      "&& !two(p)",
      "&& !three(p)",
    ],
    ["calls.py", "run(\n    load(1),\n    load(2),\n)\n", "load(2),", "load(7),"],
    [
      "chain.rs",
      "fn f() {\n    a\n        .map(one)\n        .map(two)\n        .sum()\n}\n",
      ".map(two)",
      ".map(six)",
    ],
  ])(
    "stays on the line when a similar one is inserted above: %s",
    async (path, source, text, added) => {
      const line = lineOf(source, text);
      const after = source.replace(text, `${added}\n${text}`);
      const found = await follow(path, source, after, { line });
      expect(found).toMatchObject({ line: line + 1 });
      expect(["moved", "edited"]).toContain(found.status);
    },
  );

  test("follows it through a formatter that splits it into more lines", async () => {
    const source = "add(\n  { a: 1 },\n  { b: 2 },\n);\n";
    const after = "add(\n  {\n    a: 1,\n  },\n  {\n    b: 2,\n  },\n);\n";
    expect(await follow("a.js", source, after, { line: 3 })).toMatchObject({ line: 5 });
  });

  test("follows it to another place in the statement", async () => {
    const source = 'import {\n  gamma,\n  alpha,\n  beta,\n} from "./greek";\n';
    const after = 'import {\n  alpha,\n  beta,\n  gamma,\n  omega,\n} from "./greek";\n';
    expect(await follow("a.ts", source, after, { line: 2 })).toMatchObject({ line: 4 });
  });

  test("does not move to a line of a body when its parameter is removed", async () => {
    const source =
      "export const Room = ({\n  text,\n  onDestroy,\n}: {\n  text: string;\n  onDestroy: () => void;\n}) => {\n  use(text, onDestroy);\n};\n";
    const after =
      "export const Room = (props: Props) => {\n  use(props.text, props.onDestroy);\n};\n";
    expect(await follow("a.tsx", source, after, { line: 3 })).toMatchObject({ status: "orphaned" });
  });

  test("on several lines is a guess on the rest once the first is removed", async () => {
    const source = "draw(\n  context,\n  width,\n  height,\n  depth,\n);\n";
    const range = { line: 3, endLine: 4 };
    const rest = await follow("a.js", source, source.replace("  width,\n", ""), range);
    expect(rest).toMatchObject({ line: 3, endLine: 3, status: "ambiguous" });
    const none = source.replace("  width,\n  height,\n", "");
    expect(await follow("a.js", source, none, range)).toMatchObject({ status: "orphaned" });
  });
});

test.each([
  [
    "a.ts",
    "function f(\n  a: string,\n  b: number,\n): Promise<void> {\n  run(a, b);\n}\n",
    ": Promise<void>",
  ],
  ["a.py", "def f(\n    a: str,\n    b: int,\n) -> None:\n    run(a, b)\n", " -> None"],
])("a deleted line of a signature is offered the signature: %s", async (path, before, type) => {
  const found = await follow(path, before, before.replace(type, ""), { line: 4 });
  expect(found).toMatchObject({ status: "orphaned", candidates: [{ line: 1, score: 0.9 }] });
});
