// The rules and constants that a source of `src/anchors` declares, and its text without each.

/** `() => matchMoved(…),` in the list of steps. */
const step = /^ *\(\) => .*?(match\w+)\(.*\),\n/gm;
/** `const likeEnough = 0.42;`, but no limit of cost, such as `mostCompared`, and no confidence. */
const constant =
  /^(?:export )?const (?!most|longest|farthest|furthest|widest|compared|evenOdds)(\w+)(?:: number)? = ([\d.e_]+);$/gm;
/** `const opens: ReadonlySet<string> = new Set(["{", "["]);`, a list, a table, or a pattern; and an empty one. */
const facts = [
  [/^const (\w+)(?:: [^=\n]+)? = new Set\(\[[\s\S]*?\]\);$/gm, "new Set([])"],
  [/^const (\w+): readonly string\[\] = \[[\s\S]*?\];$/gm, "[]"],
  [/^const (\w+): Readonly<Record<[^=]+>> = \{[\s\S]*?\};$/gm, "{}"],
  [/^(?:export )?const (\w+): RegExp =\s+\/.+\/\w*;$/gm, "/(?!)/g"],
];
/** `function isWrapped(…): boolean {`, or a method. */
const condition =
  /^(?:export )?(?:function| +(?=#?\w+\())\s*#?(\w+)(?:<[^>]*>)?\([^;]*?\): boolean \{\n/gm;
/** Conditions that do not count as rules: the basis of all others, and limits of cost. */
const basics = new Set([
  ...["isFree", "isUnclaimed", "isDetached", "isEqual", "has", "enter", "tokenCounts"],
  ...["isData", "isLongText", "isOfLines", "isHigher", "isInside"],
]);
/** These would make a loop endless. */
const endless = new Set(["isDescription = true"]);
/** A function or method that may have no result. */
const optional =
  /^(?:export )?(?:function| +(?=#?\w+\())\s*#?(\w+)(?:<[^>]*>)?\([^;]*?\): (void|readonly [\w.]+\[\]|[\w. ]+ \| undefined) \{\n/gm;
/** `["go", defineSyntax({ blocks: […], … })]`. */
const syntax =
  /^(?: {2}\[\s*"(\w+)",\s*defineSyntax\(|const (script): SyntaxTraits = )(\{[\s\S]*?\})(?:\),?\s*\],|;)$/gm;
const scripts = /^(?:java|type)script/;
const trait = /\b(\w+): (?:\[[^\]]*\]|\{[^}]*\}|"[^"]*"|true|\w+),?/g;

/** Each rule and constant by its name, and the text without it; two with one name before ` = ` are one rule. */
export function rulesIn(text) {
  const found = [
    ...replaced(text, step, () => [["", ""]]),
    ...replaced(text, condition, ([start, name]) =>
      ["false", "true"]
        .filter((value) => !basics.has(name) && !endless.has(`${name} = ${value}`))
        .map((value) => [` = ${value}`, `${start}return ${value};\n`]),
    ),
    ...replaced(text, optional, ([start, , type]) => [
      ["", `${start}${type.endsWith("[]") ? "return [];" : "return;"}\n`],
    ]),
    ...facts.flatMap(([pattern, empty]) =>
      replaced(text, pattern, ([fact]) => [
        ["", fact.replace(/(?<==\s+)(?!>)[\s\S]*/, () => `${empty};`)],
      ]),
    ),
    ...replaced(text, constant, ([fact]) => [
      [" = 0", fact.replace(/= [\d.e_]+;/, "= 0;")],
      [" = infinite", fact.replace(/= [\d.e_]+;/, "= Number.POSITIVE_INFINITY;")],
    ]),
  ];
  return [...found, ...traitsIn(text)];
}

/**
 * For each match of a pattern, the text with that match replaced. Group 1 is its name; `without` returns pairs of
 * a suffix of the name and a replacement.
 */
function replaced(text, pattern, without) {
  return [...text.matchAll(pattern)].flatMap((match) =>
    without(match).map(([ending, instead]) => ({
      name: match[1] + ending,
      text: text.slice(0, match.index) + instead + text.slice(match.index + match[0].length),
    })),
  );
}

/** Each trait of each language. */
function traitsIn(text) {
  return [...text.matchAll(syntax)].flatMap(({ 0: whole, 1: id, 2: other, 3: traits, index }) =>
    [...traits.matchAll(trait)].map((match) => {
      const start = index + whole.indexOf(traits) + match.index;
      const rest = text.slice(start + match[0].length);
      const languages = id === undefined ? scripts : new RegExp(`^${id}$`);
      return { name: `${id ?? other} ${match[1]}`, text: text.slice(0, start) + rest, languages };
    }),
  );
}
