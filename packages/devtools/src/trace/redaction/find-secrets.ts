import { fromBase64 } from "./base64.ts";
import { isSecretKey, KEY_BEFORE_VALUE, secretStart, wholeKey } from "./secret-keys.ts";
import { findTokenRuns } from "./token-runs.ts";

/** From where to where a secret stands. */
export type AddSecret = (from: number, to: number) => void;

/** How far the end of a value is searched for, in UTF-16 units. */
const MAX_VALUE = 8192;
const MAX_USER = 512;
const UUID = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;
/** Prefixes of the tokens of known services. */
const KNOWN =
  /(?<![A-Za-z0-9])(?:(?:AKIA|ASIA|ABIA|ACCA)(?=[A-Z0-9]{12})|gh[opsur]_|github_pat_|glpat-|sk-ant-|sk-proj-|[sr]k_(?:live|test)_|xox[a-z]-|xapp-|AIza|pypi-|ya29\.|SG\.|dop_v1_|shp[a-z]{2}_|whsec_)/g;
/** Prefixes that also begin names: only a text with a digit is a token. */
const LIKELY = /(?<![A-Za-z0-9])(?:sk-|npm_|hf_)/g;
const SCHEME = /(?<![A-Za-z0-9])(bearer|basic)[ .:]{1,4}/gi;
const SPOKEN =
  /^(?:auth|authentication|authorization|token|tokens|scheme|header|headers|credentials?|format|error|realm)\b/i;
/** A JSON object in base64url whose first character is a quote or a space. */
const JWT = /(?<![\w-])e(?:y[A-L]|w[o-r0-3])(?=[\w-]{5})/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/g;
const END_OF_KEY = "-----END ";
/** The end of a key whose beginning is missing. */
const KEY_ENDS = /-----END [A-Z ]{0,40}PRIVATE KEY/g;
const SPACE = /\s/;

/** Finds what looks like a secret; each regular expression reads a bounded number of units. */
export function findSecrets(text: string, add: AddSecret): void {
  findTokenRuns(text, add);
  eachOnce(text, UUID, ({ index, 0: all }) => {
    add(index, index + all.length);
    return index + all.length;
  });
  eachOnce(text, KNOWN, ({ index, 0: all }) => {
    const to = endOf(text, index + all.length, /[\w.~+/-]/);
    if (to - index - all.length >= 4) add(index, to);
    return to;
  });
  eachOnce(text, LIKELY, ({ index, 0: all }) => {
    const to = endOf(text, index + all.length, /[\w-]/);
    if (to - index >= 20 && /\d/.test(text.slice(index, to))) add(index, to);
    return to;
  });
  eachOnce(text, JWT, ({ index }) => findParts(text, index, add));
  eachOnce(text, SCHEME, (found) => findCredentials(text, found, add));
  eachOnce(text, PRIVATE_KEY, ({ index }) => findKeyBody(text, index, add));
  eachOnce(text, KEY_ENDS, ({ index }) => {
    const from = startOfKey(text, index);
    if (from < index) add(from, index);
    return index;
  });
  findInAddresses(text, add);
  eachOnce(text, KEY_BEFORE_VALUE, (found) => findValue(text, found, add));
}

/** Handles each match, except those inside a range already handled: each unit is read once. */
function eachOnce(text: string, pattern: RegExp, look: (match: RegExpExecArray) => number): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    pattern.lastIndex = Math.max(look(match), match.index + 1);
    if (pattern.lastIndex > text.length) break;
  }
  pattern.lastIndex = 0;
}

function endOf(text: string, from: number, units: RegExp): number {
  let to = from;
  while (to < text.length && units.test(text.charAt(to))) to += 1;
  while (to > from && text.charAt(to - 1) === ".") to -= 1;
  return to;
}

function findParts(text: string, from: number, add: AddSecret): number {
  const first = endOf(text, from, /[\w-]/);
  let [to, parts] = [first, 1];
  while (parts < 5 && text.charAt(to) === ".") {
    const next = endOf(text, to + 1, /[\w-]/);
    // The third part of an unsigned token is empty.
    if (next === to + 1 && parts < 2) break;
    [to, parts] = [next, parts + 1];
  }
  if (parts >= 3) add(from, to);
  return to;
}

function findCredentials(
  text: string,
  { index, 0: all, 1: scheme = "" }: RegExpExecArray,
  add: AddSecret,
): number {
  const from = index + all.length;
  const to = endOf(text, from, /[\w.~+/=-]/);
  const value = text.slice(from, Math.min(to, from + MAX_VALUE));
  if (scheme.toLowerCase() === "basic") {
    const bytes = fromBase64(value);
    if (bytes !== undefined && value.length >= 4 && bytes.includes(58)) add(from, to);
  } else if (value.length >= 6 && !SPOKEN.test(value)) add(from, to);
  return to;
}

function findKeyBody(text: string, begin: number, add: AddSecret): number {
  const head = text.indexOf("-----", begin + 10);
  if (head === -1 || head - begin > 80) return begin;
  const end = text.indexOf(END_OF_KEY, head + 5);
  const limit = Math.min(text.length, head + 5 + 4 * MAX_VALUE);
  const to = end === -1 || end > limit ? limit : end;
  if (to > head + 5) add(head + 5, to);
  return to;
}

function startOfKey(text: string, end: number): number {
  let from = end;
  while (from > 0 && end - from < MAX_VALUE && /[A-Za-z0-9+/=\s\\]/.test(text.charAt(from - 1)))
    from -= 1;
  return from;
}

/** `scheme://user:password@host`; a password may have a slash in it. */
function findInAddresses(text: string, add: AddSecret): void {
  let sign = -1;
  for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", at)) {
    at += 3;
    if (sign < at) sign = text.indexOf("@", at);
    if (sign === -1) return;
    if (sign - at > MAX_USER) continue;
    const user = userIn(text, at);
    const colon = user.indexOf(":");
    const isPort = /^\d{1,5}\//.test(user.slice(colon + 1)) || user.slice(0, colon).includes("/");
    const from = colon === -1 ? 0 : colon + 1;
    const isLong = user.length >= 16 && !user.includes("/");
    if (colon === -1 ? !isLong : isPort) continue;
    if (secretStart(user.slice(from)) !== undefined) add(at + from, at + user.length);
    at += user.length;
  }
}

/** What stands before the last `@` of an address. */
function userIn(text: string, from: number): string {
  let [to, end] = [from, from];
  for (; to < text.length && to - from < MAX_USER; to += 1) {
    const char = text.charAt(to);
    if (char <= " " || char === '"' || char === "'" || char === "<" || char === ">") break;
    if (char === "@") end = to;
  }
  return text.slice(from, end);
}

/** @returns where the search for keys goes on */
function findValue(
  text: string,
  { index, 0: all, 1: word = "", 2: between = "" }: RegExpExecArray,
  add: AddSecret,
): number {
  const before = wholeKey(text, index);
  const key = before + word;
  const start = index - before.length;
  const from = index + all.length;
  if (between.trim() === "" && !key.startsWith("-")) return from;
  if (between.includes(">") && !between.includes("=") && text.charAt(start - 1) !== "<")
    return from;
  if (!isSecretKey(key)) return from;
  const quote = text.charAt(from);
  if (quote !== "" && "\"'`".includes(quote)) {
    const end = endOfQuoted(text, from, quote);
    addValue(text, from + 1, end, add);
    return end;
  }
  const to = endOfValue(text, {
    from,
    start,
    between,
    isHeader: /authorization|cookie/i.test(word),
  });
  const value = text.slice(from, Math.min(to, from + 100));
  // This key has no value; the next key follows.
  if (isSecretKey(value.replace(/["']?[:=]$/, "")) && /[:=]$/.test(value)) return from;
  if (to > from && !isCode(text, from, to)) addValue(text, from, to, add);
  return to;
}

function addValue(text: string, from: number, to: number, add: AddSecret): void {
  const value = text.slice(from, to);
  const skipped = secretStart(value);
  if (skipped === undefined || /^\d{1,3}$/.test(value)) return;
  if (to - from - skipped >= 3) add(from + skipped, to);
}

function endOfQuoted(text: string, from: number, quote: string): number {
  let at = from + 1;
  while (at < text.length && at - from < MAX_VALUE) {
    const char = text.charAt(at);
    if (char === quote || char === "\n" || char === "\0") break;
    at += 1;
  }
  return at;
}

interface ValueStart {
  readonly from: number;
  /** Where its key begins. */
  readonly start: number;
  readonly between: string;
  readonly isHeader: boolean;
}

/** In a settings line and a header, the value extends to the end of the line; elsewhere it is a word. */
function endOfValue(text: string, { from, start, between, isHeader }: ValueStart): number {
  const isSetting = between.includes("=") && !/=>|\s/.test(between) && beginsLine(text, start);
  const stop = isHeader ? /["'`\n\r\0]/ : isSetting ? /[\n\r\0]/ : /[\s"'`,;&<>()[\]{}|\0]/;
  let to = from;
  while (to < text.length && to - from < MAX_VALUE && !stop.test(text.charAt(to))) to += 1;
  if (isHeader || isSetting) while (to > from && SPACE.test(text.charAt(to - 1))) to -= 1;
  else if (beginsLine(text, start)) to = endOfPhrase(text, from, to);
  return to;
}

function beginsLine(text: string, start: number): boolean {
  const line = text.slice(Math.max(0, start - 40), start);
  return /(?:^|[\n\r])[ \t]{0,32}(?:- |export |set |\$env:)?$/i.test(line);
}

/** A passphrase: several words alone on a line, without punctuation. */
function endOfPhrase(text: string, from: number, to: number): number {
  const line = text.slice(from, from + 120);
  const end = line.search(/[\n\r\0"]/);
  const phrase = end === -1 ? line : line.slice(0, end);
  const isPhrase =
    phrase.length < 120 &&
    !/[.!?,;:(){}[\]<>=]/.test(phrase) &&
    /^\S+ (?:\S+ ){0,6}\S+$/.test(phrase);
  return isPhrase ? from + phrase.length : to;
}

/** Code such as a call or an index: it names a secret without containing it. */
function isCode(text: string, from: number, to: number): boolean {
  const next = text.charAt(to);
  return (
    (next === "(" || next === "[") && /^[A-Za-z_$][A-Za-z_$.]{0,80}$/.test(text.slice(from, to))
  );
}
