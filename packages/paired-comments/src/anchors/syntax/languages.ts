import { defineLanguage, type Language, type LanguageTraits } from "./language.ts";

const script: Omit<LanguageTraits, "id" | "extensions"> = {
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

const all: readonly Language[] = [
  defineLanguage({ ...script, id: "javascript", extensions: ["js", "jsx", "mjs", "cjs"] }),
  defineLanguage({ ...script, id: "typescript", extensions: ["ts", "mts", "cts"] }),
  defineLanguage({ ...script, id: "typescriptreact", grammar: "tsx", extensions: ["tsx"] }),
  defineLanguage({
    id: "python",
    extensions: ["py", "pyi", "pyw", "gyp", "gypi"],
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
  }),
  defineLanguage({
    id: "go",
    extensions: ["go"],
    units: ["expression_case", "default_case", "type_case", "communication_case", "keyed_element"],
    blocks: ["block", "source_file", "interface_type"],
    wrappers: ["type_declaration", "const_declaration", "var_declaration"],
  }),
  defineLanguage({
    id: "rust",
    extensions: ["rs"],
    units: ["match_arm", "else_clause", "enum_variant", "macro_invocation"],
    blocks: ["block", "declaration_list", "field_initializer_list"],
    wrappers: ["expression_statement"],
    nameFields: { impl_item: "type", let_declaration: "pattern" },
  }),
  defineLanguage({
    id: "java",
    extensions: ["java"],
    units: ["catch_clause", "finally_clause", "switch_block_statement_group", "enum_constant"],
    blocks: ["block", "class_body"],
    wrappers: ["field_declaration", "local_variable_declaration", "expression_statement"],
  }),
  defineLanguage({
    id: "c",
    extensions: ["c", "h"],
    units: ["else_clause", "enumerator", "preproc_def", "preproc_function_def", "preproc_include"],
    blocks: ["compound_statement", "translation_unit"],
    nameFields: { function_definition: "declarator", declaration: "declarator" },
  }),
  defineLanguage({
    id: "cpp",
    extensions: ["cc", "cpp", "cxx", "hpp", "hh", "hxx"],
    units: ["else_clause", "catch_clause", "enumerator", "preproc_def", "preproc_include"],
    blocks: ["compound_statement", "translation_unit", "declaration_list"],
    wrappers: ["template_declaration"],
    nameFields: { function_definition: "declarator", declaration: "declarator" },
  }),
  defineLanguage({
    id: "csharp",
    grammar: "c_sharp",
    extensions: ["cs"],
    units: ["catch_clause", "finally_clause", "switch_section", "enum_member_declaration"],
    blocks: ["block"],
    wrappers: ["field_declaration", "local_declaration_statement"],
  }),
  defineLanguage({
    id: "ruby",
    extensions: ["rb", "rake", "gemspec"],
    units: ["method", "singleton_method", "class", "module", "elsif", "else", "when", "rescue"],
    blocks: ["program", "body_statement", "then", "do", "block_body", "begin"],
    nameFields: { assignment: "left" },
  }),
  defineLanguage({
    id: "php",
    extensions: ["php"],
    units: ["else_clause", "else_if_clause", "catch_clause", "finally_clause", "property_element"],
    blocks: ["compound_statement", "declaration_list"],
    wrappers: ["property_declaration"],
  }),
  defineLanguage({
    id: "shellscript",
    grammar: "bash",
    extensions: ["sh", "bash", "zsh", "bats"],
    units: ["command", "variable_assignment", "elif_clause", "else_clause", "pipeline", "list"],
    wrappers: ["redirected_statement"],
  }),
  defineLanguage({
    id: "css",
    extensions: ["css"],
    units: ["rule_set", "declaration", "at_rule", "keyframe_block"],
  }),
  defineLanguage({
    id: "json",
    extensions: ["json", "jsonc", "code-workspace", "webmanifest"],
    units: ["pair"],
    blocks: ["array"],
    nameFields: { pair: "key" },
  }),
  defineLanguage({
    id: "yaml",
    extensions: ["yaml", "yml"],
    units: ["block_mapping_pair", "block_sequence_item", "flow_pair"],
    nameFields: { block_mapping_pair: "key", flow_pair: "key" },
  }),
  defineLanguage({
    id: "markdown",
    extensions: ["md", "markdown", "mdx"],
    units: [
      "section",
      "paragraph",
      "list_item",
      "fenced_code_block",
      "block_quote",
      "html_block",
      "pipe_table_row",
    ],
    leaves: ["inline", "code_fence_content", "html_block", "pipe_table_cell"],
  }),
];

const byExtension: ReadonlyMap<string, Language> = new Map(
  all.flatMap((language) => language.extensions.map((extension) => [extension, language])),
);

/** The language of a file by its name; undefined where text anchors are all there is. */
export function languageOf(path: string): Language | undefined {
  return byExtension.get(/\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}

/** The grammars that there are, as the middle part of `tree-sitter-<name>.wasm`. */
export const grammarNames: readonly string[] = [...new Set(all.map(({ grammar }) => grammar))];
