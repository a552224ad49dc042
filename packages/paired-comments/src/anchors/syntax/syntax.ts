/** How the syntax tree of one language is cut into units: declarations, statements, entries. */
export interface Syntax {
  /** Is a node of this type a unit, wherever it is? */
  readonly isUnit: (type: string) => boolean;
  /** Types whose composite named children are units, whatever these are. */
  readonly blocks: ReadonlySet<string>;
  /** Unit types that are one unit with the first declaration in them: `export`, `const`, decorators. */
  readonly wrappers: ReadonlySet<string>;
  /** The field that holds a unit's name, by node type; `name` for those not listed. */
  readonly nameFields: ReadonlyMap<string, string>;
  /** Types that are read as one token: strings above all. */
  readonly leaves: ReadonlySet<string>;
  /** Does a string that a block begins with describe it? */
  readonly hasDocstrings: boolean;
}

/** What a language states; the rest follows from it. */
export interface SyntaxTraits {
  /** Unit types beside the common ones. */
  readonly units?: readonly string[];
  /** Types that look like units and are none. */
  readonly notUnits?: readonly string[];
  readonly blocks?: readonly string[];
  readonly wrappers?: readonly string[];
  readonly nameFields?: Readonly<Record<string, string>>;
  readonly leaves?: readonly string[];
  readonly hasDocstrings?: boolean;
}

/** Nearly all grammars name their declarations and statements alike. */
const unitType: RegExp =
  /_(?:statement|declaration|definition|item|arm|spec|signature|constructor|case|directive|alias)$/;

const commonNotUnits: readonly string[] = [
  "empty_statement",
  "empty_declaration",
  "compound_statement",
  "declaration_list",
  "parameter_declaration",
  "variadic_parameter_declaration",
  "optional_parameter_declaration",
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

/** Completes what a language states by what nearly all languages share. */
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
    hasDocstrings: traits.hasDocstrings ?? false,
  };
}
