/** Longer lines are not written by hand. */
const MAX_LINE = 2_000;

/** At the beginning of a value or a line. */
const AT_VALUE = String.raw`(?:^|[:,=[({-])\s*`;
const EXPRESSION = new RegExp(`${AT_VALUE}(?:\\{\\{|\\{%|<%|\\{#)`);
/** `"{{ include "a" . }}"`: a string inside a string. */
const QUOTES_INSIDE = /"[^"]*\{\{[^}"]*"[^}]*\}\}/;
/** An expression of GitHub or Azure is a plain value. */
const PLAIN = /\$\{\{/g;
const QUOTED = /"(?:[^"\\]|\\.)*"|'[^']*'/g;

/**
 * Whether a text is the template of a file (Helm, Jinja, ERB), with expressions in place of values: only the
 * rendered file is in the format.
 */
export function isTemplate(text: string): boolean {
  return text
    .split(/\r?\n/)
    .some((line) => line.length < MAX_LINE && /\{[{%#]|<%/.test(line) && hasExpression(line));
}

function hasExpression(line: string): boolean {
  const plain = line.replace(PLAIN, "");
  return EXPRESSION.test(plain.replace(QUOTED, "''")) || QUOTES_INSIDE.test(plain);
}
