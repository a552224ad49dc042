import { expect, test } from "vitest";
import { maskConditionals } from "./mask-conditionals.ts";

const masked = (source: string) => maskConditionals(source).replace(/^ +$/gm, "");

test.each([
  [
    "opens a brace that another one closes",
    "void f() {\n#ifdef A\n  if (a) {\n#endif\n  g();\n#ifdef A\n  }\n#endif\n}",
    "void f() {\n\n  if (a) {\n\n  g();\n\n  }\n\n}",
  ],
  [
    "has other braces in each branch",
    "void f() {\n#ifdef A\n  if (a) {\n#elif B\n  if (b) {\n#else\n  for (;;) {\n#endif\n  }\n}",
    "void f() {\n\n  if (a) {\n\n\n\n\n\n  }\n}",
  ],
  [
    "closes one block and opens another",
    "void f() {\n  if (a) {\n# if A\n  } else {\n# endif\n  }\n}",
    "void f() {\n  if (a) {\n\n  } else {\n\n  }\n}",
  ],
  [
    "is around one that does",
    "void f() {\n#if A\n#if B \\\n  && C\n  if (b) {\n#endif\n#endif\n  }\n}",
    "void f() {\n\n\n\n  if (b) {\n\n\n  }\n}",
  ],
])("the directives of a conditional that %s are blanked", (_, source, blank) => {
  expect(masked(source)).toBe(blank);
  expect(maskConditionals(source)).toHaveLength(source.length);
});

test.each([
  "void f() {\n#ifdef A\n  if (a) { g(); }\n#else\n  {}\n#endif\n}",
  '#ifdef __cplusplus\nextern "C" {\n#endif\nvoid f() {\n#if A\n  g();\n#endif\n}\n#ifdef __cplusplus\n}\n#endif',
  "void f() {\n#if A\n  g('{', \"{\"); // {\n#endif\n}",
  "void f() {\n#endif\n#else\n}\n#if A\n{",
])("the directives of %j are kept", (source) => {
  expect(maskConditionals(source)).toBe(source);
});
