/** Words at the end of a key whose value is a secret. */
const WORDS =
  "pass(?:word|wd|phrase|code)|pwd|secret|token|api[-_ .]?key|access[-_ ]?key(?:[-_ ]?id)?|" +
  "(?:private|secret|account|auth|signing|encryption|shared|master|client)[-_ ]?key|authorization|" +
  "cookies?|credentials?|session[-_ ]?(?:id|key)|connection[-_ ]?string|_auth";

/** A key and the separator before its value; a space is enough after `--key`. */
export const KEY_BEFORE_VALUE: RegExp = new RegExp(
  `(${WORDS})(["'\`\\]]{0,2}\\s{0,8}(?:=>|:=|[:=>])\\s{0,8}|\\s{1,4})`,
  "gi",
);
const KEY_AT_END = new RegExp(`(?:${WORDS})["'\`\\]]{0,2}\\s{0,8}(?:=>|:=|[:=])\\s{0,8}$`, "i");
const WHOLE_KEY = new RegExp(`(?:${WORDS})$`, "i");

/** Keys of tokens that grant no access. */
const OPEN_KEYS =
  /(?:progress|page|next|cursor|continuation|cancel|cancellation|workdone|result|stop|start|end|csstoken|design)[-_]?token$/i;
const HEADERS =
  /^(?:(?:[\w-]{1,40}-)?authorization|set-cookie2?|cookie|x-(?:api-key|auth-token|csrf-token))$/i;

/** Values that are not secrets: types, keywords, placeholders, words of a sentence. */
const HARMLESS = new Set(
  (
    "string number boolean null undefined true false none nil any unknown never object buffer bytes str int bool " +
    "text hidden optional required missing invalid expired empty unset await new function async typeof return " +
    "the a an is are was were be been must may can should will would has have had not no for and or to of in on at it " +
    "that this with as by if when which who your my our their its bearer basic password secret token"
  ).split(" "),
);
const PLACEHOLDER =
  /^(?:\$\{.{0,50}\}|\$[A-Z_]{1,50}|<.{0,50}>|\{\{.{0,50}\}\}|%[A-Z_]{1,50}%|\(.{0,50}\)|\[.{0,50}\]|[*.…x]{1,60}|redacted-token(?:-\d{1,9})?|(?:process|os|env|config|options|this|self)(?:\.[\w$]{1,30}){1,4})$/i;
const SCHEME = /^(?:basic|bearer|digest|negotiate|token)\s{1,8}(?=\S)/i;

/** A cache: the same keys occur again and again. */
const assessed = new Map<string, boolean>();

/** Whether the value of a key is a secret by the key's name. */
export function isSecretKey(key: string): boolean {
  if (key.length > 200) return false;
  const known = assessed.get(key);
  if (known !== undefined) return known;
  const isSecret = WHOLE_KEY.test(key) && !OPEN_KEYS.test(key);
  if (assessed.size >= 1000) assessed.clear();
  assessed.set(key, isSecret);
  return isSecret;
}

/** Whether this is the name of an HTTP header that grants access. */
export function isSecretHeader(name: string): boolean {
  return name.length > 5 && name.length < 60 && HEADERS.test(name);
}

/** Whether the text before a quoted string says that the string is a secret. */
export function endsWithSecretKey(before: string): boolean {
  // Usually there is only punctuation between strings.
  if (before.length < 4 || !/[=:>]\s{0,8}$/.test(before.slice(-10))) return false;
  const found = KEY_AT_END.exec(before);
  if (found === null) return false;
  const word = found[0].replace(/["'`\]\s:=>]/g, "");
  return isSecretKey(wholeKey(before, found.index) + word);
}

/** The part of a key before its last word. */
export function wholeKey(text: string, at: number): string {
  let start = at;
  while (start > 0 && at - start < 64 && /[\w.$-]/.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, at);
}

/** The index of the secret in a value, after the name of a scheme; undefined when there is no secret. */
export function secretStart(value: string): number | undefined {
  const start = SCHEME.exec(value.slice(0, 40))?.[0].length ?? 0;
  const secret = value.slice(start, start + 60);
  if (secret === "" || PLACEHOLDER.test(secret)) return undefined;
  return HARMLESS.has(secret.toLowerCase()) ? undefined : start;
}
