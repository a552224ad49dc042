import { expect, test } from "vitest";
import { maskMacros } from "./mask-macros.ts";

const masked = (source: string) => maskMacros(source).replace(/ +/g, " ").trim();

test.each([
  ["alone on a line", "LIB_BEGIN\nint a;", "\nint a;"],
  ["with arguments", "  WARNING(suppress : 1)\n  int a;", "\n int a;"],
  [
    "in front of a block",
    "void f() {\n  LIB_TRY {\n    g();\n  }\n}",
    "void f() {\n {\n g();\n }\n}",
  ],
  ["at the end of a block", "{\n  f();\n  LIB_CATCH(1)\n}", "{\n f();\n \n}"],
  ["in front of a type", "LIB_API void f(int a);", "void f(int a);"],
  ["behind a type", "int ZEXPORT f(int a);", "int f(int a);"],
  ["behind a pointer", "const char * ZEXPORT f();", "const char * f();"],
  ["in front of a reference", "LIB_API text& f();", "text& f();"],
  ["in front of a template", "LIB_API list<int> f();", "list<int> f();"],
  ["in front of a class", "class LIB_API a final : public b {};", "class a final : public b {};"],
  ["in front of a destructor", "{ LIB_API ~a(); }", "{ ~a(); }"],
  ["around parameters", "int f OF((int a, int b));", "int f (int a, int b) ;"],
  [
    "in front of a constructor",
    "{ LIB_API a(int b) noexcept : b(b) {} }",
    "{ a(int b) noexcept : b(b) {} }",
  ],
])("a macro %s is blanked", (_, source, blank) => {
  expect(masked(source)).toBe(blank.trim());
  expect(maskMacros(source)).toHaveLength(source.length);
});

test.each([
  "return MAX((a));",
  "int a = f MAX((a), (b));",
  "DWORD a = 1;",
  "static DWORD a;",
  "const DWORD *a;",
  "unsigned char DATA[2];",
  "struct DATA a;",
  "typedef struct DATA DATA;",
  "enum a {\n  ONE,\n  TWO\n};",
  "enum a {\n  ONE\n};",
  "f(ONE,\n  TWO\n);",
  "a =\n  ONE\n  + TWO;",
  "TEST(a, b)\n{\n}",
  "int f() { return SIZE * a; }",
  "#define A LIB_API int a",
  "// LIB_API void f",
  "/*\nLIB_BEGIN\n*/",
  'f("LIB_API void f");',
])("%j has no macro", (source) => {
  expect(maskMacros(source)).toBe(source);
});
