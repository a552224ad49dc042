/** Levels of nesting: code that walks a value recurses for each. */
const MAX_DEPTH = 64;

/** Names with a meaning to JavaScript's own objects. */
const RISKY_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Finds JSON that `JSON.parse` accepts and a scenario must not contain: a duplicate name in an object, a
 * name with a meaning to JavaScript, too many levels.
 * @returns the issue; undefined when there is none
 */
export function findJsonTrap(json: string): string | undefined {
  /** The names of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === "}" || character === "]") open.pop();
    else if (character === "{") open.push(new Set());
    else if (character === "[") open.push(undefined);
    else if (character === '"') {
      const end = endOfString(json, at);
      const trap = isKey(json, end) ? addKey(open.at(-1), json.slice(at, end)) : undefined;
      if (trap !== undefined) return trap;
      at = end - 1;
    }
    if (open.length > MAX_DEPTH) return `expected at most ${MAX_DEPTH} levels, got more`;
  }
  return undefined;
}

/** The index after the closing quote. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Whether a colon follows, after any white space. */
function isKey(json: string, end: number): boolean {
  let at = end;
  while (" \t\r\n".includes(json[at] ?? "x")) at++;
  return json[at] === ":";
}

function addKey(keys: Set<string> | undefined, quoted: string): string | undefined {
  const key = JSON.parse(quoted) as string;
  const shown = quoted.length > 60 ? `${quoted.slice(0, 59)}…` : quoted;
  if (RISKY_KEYS.has(key)) return `the name ${shown} is not allowed`;
  if (keys?.has(key)) return `the name ${shown} is used twice in one object`;
  keys?.add(key);
  return undefined;
}
