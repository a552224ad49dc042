// The rules and constants of `src/anchors`, each switched off by a replacement in its source.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const anchors = fileURLToPath(
  new URL("../../packages/paired-comments/src/anchors", import.meta.url),
);
const folders = ["matching", "resolve"];
/** Files without rules for places: candidates are not places, and the others serve texts without units. */
const notPlaces = new Set(["candidates.ts", "resolve-by-quote.ts", "resolve-alone.ts"]);

/** `() => matchMoved(…),` in the list of steps. */
const step = /^ *\(\) => .*?(match\w+)\(.*\),\n/gm;
/** `const likeEnough = 0.42;`, but no limit of cost, such as `mostCompared`, and no confidence. */
const constant =
  /^(?:export )?const (?!most|longest|farthest|furthest|widest|compared|evenOdds)(\w+)(?:: number)? = ([\d.e_]+);$/gm;

/** Rules that are neither: a text of a source, and the same without the rule. */
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
    "lastIdentifier(withoutArguments(unit.name))",
    "lastIdentifier(unit.name)",
  ],
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
  [
    "resolve/resolve.ts",
    "part of a range left",
    "place.isGone && !isPartLeft(",
    "place.isGone && !((..._) => false)(",
  ],
];

/** Each rule and constant: its name, its file, and the file's text without it. */
export function mutants() {
  const found = folders.flatMap((folder) =>
    readdirSync(join(anchors, folder))
      .filter((name) => name.endsWith(".ts") && !notPlaces.has(name))
      .flatMap((name) => mutantsOf(join(anchors, folder, name), `${folder}/${name}`)),
  );
  return [...found, ...rules.map(ruleOf)];
}

function ruleOf([label, rule, from, to]) {
  const file = join(anchors, label);
  const text = readFileSync(file, "utf8");
  const without = text.replace(from, to);
  if (without === text) throw new Error(`${label} has no rule "${rule}" any more`);
  return { name: `${label} ${rule}`, file, text: without };
}

function mutantsOf(file, label) {
  const text = readFileSync(file, "utf8");
  const without = (match, replacement) =>
    text.slice(0, match.index) + replacement + text.slice(match.index + match[0].length);
  return [
    ...[...text.matchAll(step)].map((match) => ({
      ...{ name: `${label} ${match[1]}`, file, text: without(match, "") },
    })),
    ...[...text.matchAll(constant)].flatMap((match) =>
      ["0", "Number.POSITIVE_INFINITY"].map((value) => ({
        name: `${label} ${match[1]} = ${value === "0" ? "0" : "infinite"}`,
        file,
        text: without(match, match[0].replace(/= [\d.e_]+;/, `= ${value};`)),
      })),
    ),
  ];
}
