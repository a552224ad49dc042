/** The tokens between strings of JSON: punctuation, numbers, `true`, `false` and `null`. */
const BETWEEN = /^[\s\d{}[\],:.+\-eEtrufalsn]*$/;
const HEADER =
  /^(?:(?:[\w-]{1,40}-)?authorization|set-cookie2?|cookie|x-(?:api-key|auth-token|csrf-token))$/i;
const NUMBER = /\s{0,20}:\s{0,20}(-?\d{4,40})(?![\w.])/y;
/** How many UTF-16 units are rewritten between pauses. */
const PAUSE_UNITS = 1 << 16;

/** Rewrites a string, given the key whose value it is, or the header. */
export type RewriteString = (value: string, key: string | undefined) => Generator<void, string>;

/** Whether the text around the strings is JSON; it may be cut off, or contain several values in a row. */
export function isJson(text: string): boolean {
  if (!/^\s*[{["]/.test(text)) return false;
  let done = 0;
  for (let open = text.indexOf('"'); open !== -1; open = text.indexOf('"', done)) {
    if (!BETWEEN.test(text.slice(done, open))) return false;
    done = endOfString(text, open) + 1;
  }
  return BETWEEN.test(text.slice(done));
}

/**
 * Rewrites the strings of JSON, names of members included, and long numbers that are members. Everything else
 * is preserved: spaces, duplicate names, the precision of numbers.
 */
export function* rewriteStrings(text: string, rewrite: RewriteString): Generator<void, string> {
  const keys = new KeyTracker();
  let [out, copied, end, pause] = ["", 0, -1, PAUSE_UNITS];
  const replace = (from: number, to: number, by: string): void => {
    out += text.slice(copied, from) + by;
    copied = to;
  };
  for (let open = text.indexOf('"'); open !== -1; open = text.indexOf('"', end + 1)) {
    const between = text.slice(end + 1, open);
    end = endOfString(text, open);
    const spelled = text.slice(open + 1, end);
    const value = parse(spelled, end === text.length);
    const read = value ?? spelled;
    const cleaned = yield* rewrite(read, keys.keyOf(read, between));
    if (cleaned !== read) {
      replace(open + 1, end, value === undefined ? cleaned : JSON.stringify(cleaned).slice(1, -1));
    }
    NUMBER.lastIndex = end + 1;
    const [all, digits] = NUMBER.exec(text) ?? [];
    if (all !== undefined && digits !== undefined) {
      const hidden = yield* rewrite(digits, read);
      const to = end + 1 + all.length;
      if (hidden !== digits) replace(to - digits.length, to, JSON.stringify(hidden));
    }
    if (open < pause) continue;
    yield;
    pause = open + PAUSE_UNITS;
  }
  return out + text.slice(copied);
}

/** Finds the key of each string from the tokens before it. */
class KeyTracker {
  #before = "";
  #listKey: string | undefined;
  #header: string | undefined;

  keyOf(value: string, between: string): string | undefined {
    const signs = between.length > 80 ? "" : between.replace(/\s/g, "");
    const isMember = signs === ":" || signs === ":[";
    const isNext = signs === ",";
    const header = isNext || (isMember && this.#before === "value") ? this.#header : undefined;
    const listKey = signs === ":[" ? this.#before : isNext ? this.#listKey : undefined;
    const key = isMember ? this.#before : listKey;
    this.#listKey = listKey;
    this.#before = value;
    // `"name": "Cookie", "value": …`
    if (value !== "value" || !isNext) this.#header = HEADER.test(value) ? value : undefined;
    return HEADER.test(value) || value === "value" ? key : (header ?? key);
  }
}

/** The quote at the end of a string; the text's length where it has none. */
function endOfString(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first - 1 > open && text.charAt(first - 1) === "\\") first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** A string that was cut off may end within an escape. */
function parse(spelled: string, isCut: boolean): string | undefined {
  if (!spelled.includes("\\")) return spelled;
  try {
    return JSON.parse(
      `"${isCut ? spelled.replace(/\\(?:u[\da-f]{0,3})?$/i, "") : spelled}"`,
    ) as string;
  } catch {
    return undefined;
  }
}
