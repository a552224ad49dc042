// The rules and constants of `src/anchors`, each switched off by a replacement in its source.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const anchors = fileURLToPath(
  new URL("../../packages/paired-comments/src/anchors", import.meta.url),
);
const folders = ["matching", "resolve"];

/** `() => matchMoved(…),` in the list of steps. */
const step = /^ *\(\) => .*?(match\w+)\(.*\),\n/gm;
/** `const likeEnough = 0.42;`, but no limit of cost, such as `mostCompared`. */
const constant =
  /^(?:export )?const (?!most|longest|farthest|widest|compared)(\w+)(?:: number)? = ([\d.e_]+);$/gm;
/** A condition marked as a rule: `// Rule: …` in the line above. */
const marked =
  /^( *)\/\/ Rule: (.*)\n(?: *\/\/.*\n)* *(?:if \(.*\) (?:continue|return.*);|\S.*;)\n/gm;

/** Each rule and constant: its name, its file, and the file's text without it. */
export function mutants() {
  return folders.flatMap((folder) =>
    readdirSync(join(anchors, folder))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .flatMap((name) => mutantsOf(join(anchors, folder, name), `${folder}/${name}`)),
  );
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
    ...[...text.matchAll(marked)].map((match) => ({
      ...{ name: `${label} ${match[2]}`, file, text: without(match, "") },
    })),
  ];
}
