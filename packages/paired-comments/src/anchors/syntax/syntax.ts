/** How the syntax tree of a language is cut into units: declarations, statements, entries. */
export interface Syntax {
  /** Is a node of this type always a unit? */
  readonly isUnit: (type: string) => boolean;
  /** Types whose composite named children are units, whatever their types. */
  readonly blocks: ReadonlySet<string>;
  /** Unit types that form one unit with their first declaration: `export`, `const`, decorators. */
  readonly wrappers: ReadonlySet<string>;
  /** The field with a unit's name, by node type; `name` by default. */
  readonly nameFields: ReadonlyMap<string, string>;
  /** Types that are read as one token, mostly strings. */
  readonly leaves: ReadonlySet<string>;
  /** Types beside the head of a unit, which do not identify it: annotations, clauses after a signature, `else`. */
  readonly besideHead: ReadonlySet<string>;
  /** Does a string at the beginning of a block describe it? */
  readonly hasDocstrings: boolean;
  /** Functions whose calls import the named modules. */
  readonly importers: ReadonlySet<string>;
  /** The quote of strings in which a backslash is not an escape. */
  readonly rawQuote: string | undefined;
}

/** The traits of a language, from which its syntax is derived. */
export interface SyntaxTraits {
  /** Unit types beside the common ones. */
  readonly units?: readonly string[];
  /** Types that match the pattern of unit types but are not units. */
  readonly notUnits?: readonly string[];
  readonly blocks?: readonly string[];
  readonly wrappers?: readonly string[];
  readonly nameFields?: Readonly<Record<string, string>>;
  readonly leaves?: readonly string[];
  readonly hasDocstrings?: boolean;
  readonly importers?: readonly string[];
  readonly rawQuote?: string;
}

/** The naming convention that nearly all grammars share. */
const unitType: RegExp =
  /_(?:statement|declaration|definition|item|arm|spec|signature|constructor|case|directive|alias)$/;

const commonNotUnits: readonly string[] = [
  "empty_statement",
  "empty_declaration",
  "attribute_declaration",
  "compound_statement",
  "declaration_list",
  "parameter_declaration",
  "variadic_parameter_declaration",
  "optional_parameter_declaration",
  "type_parameter_declaration",
  "with_item",
  "body_statement",
];

const commonLeaves: readonly string[] = [
  "string",
  "string_literal",
  "interpreted_string_literal",
  "raw_string_literal",
  "char_literal",
  "character_literal",
  "verbatim_string_literal",
  "encapsed_string",
  "regex",
  "heredoc_body",
  "raw_string",
  "string_value",
  "double_quote_scalar",
  "single_quote_scalar",
  "plain_scalar",
  "block_scalar",
];

const besideHead: ReadonlySet<string> = new Set([
  ...["annotation", "marker_annotation", "attribute_list", "decorator", "throws"],
  ...["constructor_initializer", "else", "attribute_declaration"],
]);

/** Adds the traits that nearly all languages share. */
export function defineSyntax(traits: SyntaxTraits): Syntax {
  const units = new Set(traits.units);
  const notUnits = new Set([...commonNotUnits, ...(traits.notUnits ?? [])]);
  return {
    isUnit: (type) =>
      type === "ERROR" || units.has(type) || (unitType.test(type) && !notUnits.has(type)),
    blocks: new Set(traits.blocks),
    wrappers: new Set(traits.wrappers),
    nameFields: new Map(Object.entries(traits.nameFields ?? {})),
    leaves: new Set([...commonLeaves, ...(traits.leaves ?? [])]),
    besideHead,
    hasDocstrings: traits.hasDocstrings ?? false,
    importers: new Set(traits.importers),
    rawQuote: traits.rawQuote,
  };
}
