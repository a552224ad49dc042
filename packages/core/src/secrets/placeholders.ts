/** Values that are not secrets: types, keywords, words of a sentence. */
const WORDS: ReadonlySet<string> = new Set(
  (
    "string number boolean null undefined true false none nil any unknown never object buffer bytes str int bool " +
    "text hidden optional required missing invalid expired empty unset await new function async typeof return " +
    "the a an is are was were be been must may can should will would has have had not no for and or to of in on at it " +
    "that this with as by if when which who your my our their its bearer basic password secret token"
  ).split(" "),
);
const PLACEHOLDER =
  /^(?:\$\{.{0,50}\}|\$[A-Z_]{1,50}|<.{0,50}>|\{\{.{0,50}\}\}|%[A-Z_]{1,50}%|\(.{0,50}\)|\[.{0,50}\]|[*.…x]{1,60}|redacted-token(?:-\d{1,9})?|(?:process|os|env|config|options|this|self)(?:\.[\w$]{1,30}){1,4})$/i;

/** Whether the value of a key is a placeholder or a word, not a secret itself. */
export function isPlaceholder(value: string): boolean {
  const beginning = value.slice(0, 60);
  return value === "" || PLACEHOLDER.test(beginning) || WORDS.has(beginning.toLowerCase());
}
