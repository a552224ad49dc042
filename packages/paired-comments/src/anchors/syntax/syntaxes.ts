import type { Language } from "./languages.ts";
import { defineSyntax, type Syntax, type SyntaxTraits } from "./syntax.ts";

const script: SyntaxTraits = {
  units: [
    "method_definition",
    "field_definition",
    "class_static_block",
    "switch_case",
    "switch_default",
    "else_clause",
    "catch_clause",
    "finally_clause",
    "pair",
    "variable_declarator",
    "assignment_expression",
    "enum_assignment",
    "internal_module",
    "jsx_element",
    "jsx_self_closing_element",
    "jsx_attribute",
    "jsx_expression",
  ],
  blocks: ["array", "enum_body"],
  wrappers: [
    "export_statement",
    "lexical_declaration",
    "variable_declaration",
    "ambient_declaration",
    "expression_statement",
  ],
  nameFields: { pair: "key", assignment_expression: "left", field_definition: "property" },
};

/** Parts of `#if` among statements of C. */
const conditional: readonly string[] = [
  ...["preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else"],
];

/** Where declarations of C have their names; types are units only outside of declarations. */
const namesOfC: Readonly<Record<string, string>> = {
  function_definition: "declarator",
  declaration: "declarator",
  field_declaration: "declarator",
  type_definition: "declarator",
  class_specifier: "name",
  struct_specifier: "name",
  union_specifier: "name",
  enum_specifier: "name",
};

const common: Syntax = defineSyntax({});

const byLanguage: ReadonlyMap<string, Syntax> = new Map([
  ["javascript", defineSyntax(script)],
  ["typescript", defineSyntax(script)],
  ["typescriptreact", defineSyntax(script)],
  [
    "python",
    defineSyntax({
      units: [
        "elif_clause",
        "else_clause",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "case_clause",
        "pair",
        "assignment",
      ],
      blocks: ["list"],
      wrappers: ["decorated_definition", "expression_statement"],
      nameFields: { pair: "key", assignment: "left", import_from_statement: "module_name" },
      hasDocstrings: true,
    }),
  ],
  [
    "go",
    defineSyntax({
      units: [
        "expression_case",
        "default_case",
        "type_case",
        "communication_case",
        "keyed_element",
      ],
      blocks: ["block", "source_file", "interface_type"],
      rawQuote: "`",
      wrappers: ["type_declaration", "const_declaration", "var_declaration", "import_declaration"],
      nameFields: { import_spec: "path" },
    }),
  ],
  [
    "rust",
    defineSyntax({
      units: ["match_arm", "else_clause", "enum_variant", "macro_invocation"],
      blocks: ["block", "declaration_list", "field_initializer_list"],
      wrappers: ["expression_statement"],
      nameFields: { impl_item: "type", let_declaration: "pattern" },
    }),
  ],
  [
    "java",
    defineSyntax({
      units: [
        "catch_clause",
        "finally_clause",
        "switch_block_statement_group",
        "enum_constant",
        "variable_declarator",
      ],
      blocks: ["block", "constructor_body", "class_body"],
      wrappers: ["field_declaration", "local_variable_declaration", "expression_statement"],
    }),
  ],
  [
    "c",
    defineSyntax({
      units: [
        "else_clause",
        "enumerator",
        "preproc_def",
        "preproc_function_def",
        "preproc_include",
      ],
      blocks: ["compound_statement", "translation_unit", ...conditional],
      nameFields: namesOfC,
    }),
  ],
  [
    "cpp",
    defineSyntax({
      units: [
        "else_clause",
        "catch_clause",
        "enumerator",
        "preproc_def",
        "preproc_function_def",
        "preproc_include",
      ],
      blocks: ["compound_statement", "translation_unit", "declaration_list", ...conditional],
      wrappers: ["template_declaration"],
      nameFields: namesOfC,
    }),
  ],
  [
    "csharp",
    defineSyntax({
      units: [
        "catch_clause",
        "finally_clause",
        "switch_section",
        "enum_member_declaration",
        "variable_declarator",
      ],
      blocks: ["block"],
      wrappers: ["field_declaration", "local_declaration_statement", "variable_declaration"],
    }),
  ],
  [
    "ruby",
    defineSyntax({
      units: [
        "method",
        "singleton_method",
        "class",
        "module",
        "elsif",
        "else",
        "when",
        "rescue",
        "ensure",
      ],
      blocks: ["program", "body_statement", "then", "do", "block_body", "begin", "else", "ensure"],
      nameFields: { assignment: "left" },
      importers: ["require", "require_relative", "load", "include", "extend", "prepend"],
      rawQuote: "'",
    }),
  ],
  [
    "php",
    defineSyntax({
      units: [
        "else_clause",
        "else_if_clause",
        "catch_clause",
        "finally_clause",
        "property_element",
      ],
      blocks: ["compound_statement", "declaration_list"],
      wrappers: ["property_declaration"],
      importers: ["require", "require_once", "include", "include_once"],
      rawQuote: "'",
    }),
  ],
  [
    "shellscript",
    defineSyntax({
      units: [
        "command",
        "variable_assignment",
        "declaration_command",
        "unset_command",
        "elif_clause",
        "else_clause",
        "pipeline",
        "list",
      ],
      wrappers: ["redirected_statement", "declaration_command"],
      nameFields: { command: "" },
      importers: ["source", "."],
      rawQuote: "'",
    }),
  ],
  ["css", defineSyntax({ units: ["rule_set", "declaration", "at_rule", "keyframe_block"] })],
  ["json", defineSyntax({ units: ["pair"], blocks: ["array"], nameFields: { pair: "key" } })],
  [
    "yaml",
    defineSyntax({
      units: ["block_mapping_pair", "block_sequence_item", "flow_pair"],
      nameFields: { block_mapping_pair: "key", flow_pair: "key" },
    }),
  ],
]);

/** The syntax of a language; the common one by default. */
export function syntaxOf({ id }: Language): Syntax {
  return byLanguage.get(id) ?? common;
}
