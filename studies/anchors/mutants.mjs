// The rules and constants of `src/anchors`, each switched off by a replacement in its source.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rulesIn } from "./rules-in-source.mjs";

const anchors = fileURLToPath(
  new URL("../../packages/paired-comments/src/anchors", import.meta.url),
);
const folders = ["markdown", "matching", "resolve", "store", "syntax", "units"];
/** Files without rules for places: candidates are not places, and the others serve texts without units. */
const notPlaces = new Set([
  ...["candidates.ts", "unit-index.ts", "resolve-by-quote.ts", "resolve-alone.ts"],
  ...["complexity.ts", "lines-on-demand.ts", "long-text.ts", "text-reader.ts"],
]);

/** Rules inside functions: a piece of source text, and its replacement without the rule. */
const rules = [
  [
    "matching/match-equal.ts",
    "names",
    /^ *matchUnique\(known.children, unit.children, nameKeyOf.*\n/m,
    "",
  ],
  ["matching/match-equal.ts", "heads", /^ *matchUnique\(.*headKeyOf.*\n/gm, ""],
  [
    "matching/match-equal.ts",
    "equal text anywhere",
    /^ *matchUnique\(before\.filter\(isLarge\).*\n/m,
    "",
  ],
  ["matching/match-trees.ts", "stray descriptions", "if (!hasStrayDescriptions(", "if (true || ("],
  ["matching/match-equal.ts", "heads that left their block", /^ *matchHeads\(inside.*\n/m, ""],
  [
    "matching/match-equal.ts",
    "names without arguments",
    "withoutArguments(unit.name) ??",
    "unit.name ??",
  ],
  ["matching/match-equal.ts", "names of accessors", "/[^.:]*$/", "/\\w*$/"],
  ["resolve/place-of-line.ts", "words of many lines", "isCertain ?", "true ?"],
  ["matching/match-gaps.ts", "of other names", "if (isOtherName(known, unit))", "if (false)"],
  [
    "matching/match-gaps.ts",
    "names declared together",
    /^ *return declares\(.*\n/m,
    "return false;\n",
  ],
  ["resolve/place-of-point.ts", "decorators of its own", "first !== tokens[0] || ", ""],
  ["resolve/place-by-line.ts", "an equal line beside an equal one", "same.length > 0 ?", "false ?"],
  ["resolve/place-by-line.ts", "an only equal line", "only(equal, guess)", "undefined"],
  [
    "resolve/place-by-line.ts",
    "between equal lines",
    "return only(between, guess)",
    "return undefined",
  ],
  ["resolve/place-by-line.ts", "other blanks", "if (alike.length > 0)", "if (false)"],
  ["resolve/place-by-line.ts", "nothing else between them", "!isOther &&", ""],
  [
    "resolve/place-by-line.ts",
    "lines that are new",
    "return around === partner ? unit",
    "return true ? unit",
  ],
  ["resolve/resolve.ts", "lines of places in doubt", "if (!isLost && (", "if (!isLost || ("],
  ["resolve/resolve.ts", "declarations by their names", "|| isByName(comment, comparison)", ""],
  ["matching/match-gaps.ts", "beside a moved unit", /^ *matchBeside\(.*\n/gm, ""],
  [
    "matching/pairing.ts",
    "of other cases",
    "if (before === undefined ||",
    "if (true || before === undefined ||",
  ],
  [
    "resolve/twins.ts",
    "twins",
    "if (known === undefined || siblings",
    "if (true || known === undefined || siblings",
  ],
  ["resolve/place-of-line.ts", "between the same words", "isBetween ||", ""],
  ["resolve/place-of-point.ts", "attributes above", ', "[[", "#[", "__attribute__"', ', "#["'],
  ["matching/similarity.ts", "names of imports", "if (isImport(known) && ", "if (false && "],
  ["matching/similarity.ts", "words of imports", " && !importWords.has(text)", ""],
  ["matching/similarity.ts", "paths of imports", " && !leadsOn", ""],
  ["matching/similarity.ts", "names given by imports", ', "as"]', "]"],
  ["matching/similarity.ts", "packages of imports", ' && tokens[index + 2]?.text !== "*"', ""],
  [
    "matching/similarity.ts",
    "new large bodies",
    "Math.max(shareOfBody(known), shareOfBody(unit))",
    "shareOfBody(known)",
  ],
  ["store/make-anchor.ts", "else above", '= ["}", "else"]', '= ["}"]'],
  ["store/make-anchor.ts", "attributes on a line", "isInDescription(unit));", "true);"],
  [
    "syntax/parsers.ts",
    "macros",
    "maskMacros(maskConditionals(source))",
    "maskConditionals(source)",
  ],
  [
    "syntax/parsers.ts",
    "conditionals",
    "maskMacros(maskConditionals(source))",
    "maskMacros(source)",
  ],
  ["syntax/parsers.ts", "patterns of shells", "  shellscript: maskShell,\n", ""],
  ["syntax/parsers.ts", "what TypeScript's grammar lacks", "  typescript: maskTypeScript,\n", ""],
  ["syntax/parsers.ts", "types in JavaScript", 'if (id !== "javascript")', "if (true)"],
  ["syntax/read-units.ts", "descriptions", "if (isDescription)", "if (false)"],
  ["syntax/read-units.ts", "calls that import", "if (isCall && ", "if (false && "],
  ["syntax/read-units.ts", "re-exports", "if (isReExported)", "if (false)"],
  ["syntax/read-units.ts", "default exports", "nameDefaultExport(unit);\n    const", "const"],
  ["syntax/read-units.ts", "accessors", "accessorOf(unit, text)", "text"],
  [
    "syntax/read-units.ts",
    "beside the head",
    "if (this.#syntax.besideHead.has(type)) return true;",
    "",
  ],
  [
    "syntax/read-units.ts",
    "alternatives beside the head",
    ' || this.#cursor.currentFieldName === "alternative"',
    "",
  ],
  [
    "syntax/read-units.ts",
    "heads in blocks",
    "!headFields.has(this.#cursor.currentFieldName)",
    "true",
  ],
  [
    "syntax/read-units.ts",
    "text of strings",
    /return \/\(\?:\^\|_\)string_.*\n/,
    "return false;\n",
  ],
  ["syntax/read-units.ts", "blanks in strings", "(!isInString || /[\\r\\n]/.test(text))", "true"],
  ["syntax/read-units.ts", "expressions", /else if \(type === "regex"\).*\n/, ""],
  [
    "syntax/read-units.ts",
    "names of commands",
    "if (/^(?:declaration|unset)_command$/.test(parentType))",
    "if (false)",
  ],
  ["syntax/syntax.ts", "attributes in brackets", ', "attribute_declaration"]', "]"],
  [
    "syntax/syntax.ts",
    "strings without escapes",
    "rawQuote: traits.rawQuote",
    "rawQuote: undefined",
  ],
  ["syntax/syntaxes.ts", "single imports", ', "import_declaration"]', "]"],
  ["syntax/syntaxes.ts", "paths as names", '      nameFields: { import_spec: "path" },\n', ""],
  ["units/string-content.ts", "digits in prefixes", "[A-Za-z@$8]", "[A-Za-z@$]"],
  ["units/string-content.ts", "signs around strings", /#\*/g, ""],
  [
    "units/string-content.ts",
    "strings between any signs",
    "percentLiteral.exec(raw)",
    "percentLiteral.exec('')",
  ],
  ["units/string-content.ts", "prefixes of raw strings", " || rawLiteral.test(raw)", ""],
  [
    "units/string-content.ts",
    "escapes in raw strings",
    "if (isRaw) return content",
    "if (isRaw) return content; content",
  ],
  [
    "units/string-content.ts",
    "escaped line ends",
    '/[\\r\\n]/.test(char) ? "" : (escaped',
    "(escaped",
  ],
  ["units/string-content.ts", "escapes", "escaped[char] ?? whole", "whole"],
  ["units/string-words.ts", "blanks at ends", 'run === " " && isAtEnd ? " " : ', ""],
  ["units/string-words.ts", "last blanks", /^ *if \(blanks !== ""\).*\n/m, ""],
  ["units/string-words.ts", "blanks between words", "blanks + unescaped", "unescaped"],
  ["units/token.ts", "signs in strings", "tokenCounts(text) ? text", "true ? text"],
  ["units/token.ts", "blanks of directives", 'raw.replace(directive, "#")', "raw"],
  [
    "resolve/resolve.ts",
    "part of a range left",
    "place.isGone && !isPartLeft(",
    "place.isGone && !((..._) => false)(",
  ],
];

/** Rules in these folders change how a source is read and which parts of it are stored. */
const readings = ["markdown", "store", "syntax", "units"];
/** The languages that the rules in these files apply to; those in other files apply to all. */
const languagesOf = [
  [/mask-(?:macros|conditionals)|c-source/, /^c(?:pp)?$/],
  [/mask-shell/, /^shellscript$/],
  [/mask-typescript/, /^typescript/],
  [/read-markdown/, /^markdown$/],
];

/** Each rule and constant: its name, its file, the file's text without it, and whether reading needs it. */
export function mutants() {
  const found = folders.flatMap((folder) =>
    readdirSync(join(anchors, folder))
      .filter((name) => /(?<!\.test)\.ts$/.test(name) && !notPlaces.has(name))
      .flatMap((name) => mutantsOf(`${folder}/${name}`)),
  );
  return [...found, ...rules.map(ruleOf)].map((mutant) => ({
    ...mutant,
    isOfReading: readings.includes(mutant.name.split("/")[0]),
  }));
}

function mutantsOf(label) {
  const file = join(anchors, label);
  const [, ofFile] = languagesOf.find(([files]) => files.test(label)) ?? [];
  return rulesIn(readFileSync(file, "utf8")).map(({ name, text, languages = ofFile }) => ({
    ...{ name: `${label} ${name}`, file, text, languages },
  }));
}

function ruleOf([label, rule, from, to]) {
  const file = join(anchors, label);
  const text = readFileSync(file, "utf8");
  const without = text.replace(from, to);
  if (without === text) throw new Error(`${label} has no rule "${rule}" any more`);
  return { name: `${label} ${rule}`, file, text: without };
}
