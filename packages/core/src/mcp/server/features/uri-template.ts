import { IdewireError } from "../../../errors.ts";

/** The variables of a URI that matches a template. */
export type UriVariables = Readonly<Record<string, string>>;

/** The variables of a template: by name where the template is a literal. */
export type VariablesOf<Template extends string> = string extends Template
  ? UriVariables
  : { readonly [Name in NamesIn<Template>]: string };

type NamesIn<Template> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Reserved}` ? Reserved : Name) | NamesIn<Rest>
  : never;

interface Variable {
  readonly name: string;
  /** Whether its value may contain `/`, `?` and `#`. */
  readonly reserved: boolean;
  /** The literal text after it; empty only at the end. */
  readonly then: string;
}

/**
 * Creates a matcher of URIs by a template of RFC 6570, levels 1 and 2, which returns the percent-decoded
 * variables: `{name}` matches within one segment, up to the first occurrence of the text after it,
 * `{+path}` any text, up to the last one. It never backtracks, so the time is linear in the URI's length.
 * @throws IdewireError `invalid-argument` for other operators, adjacent variables, duplicate names and single braces
 */
export function createUriMatcher(template: string): (uri: string) => UriVariables | undefined {
  const [start = "", ...parts] = template.split(/\{([^{}]*)\}/);
  requireLiteral(template, start);
  const variables: Variable[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const [part = "", then = ""] = parts.slice(index, index + 2);
    const [, reserved, name] = /^(\+?)(\w+)$/.exec(part) ?? [];
    const isAdjacent = then === "" && index + 2 < parts.length;
    const isTwice = variables.some((variable) => variable.name === name);
    if (name === undefined || isAdjacent || isTwice) throw unreadable(template, `{${part}}`);
    requireLiteral(template, then);
    variables.push({ name, reserved: reserved === "+", then });
  }
  return (uri) => {
    if (variables.length === 0) return uri === start ? {} : undefined;
    return uri.startsWith(start) ? readAll(variables, uri, start.length) : undefined;
  };
}

function readAll(
  variables: readonly Variable[],
  uri: string,
  start: number,
): UriVariables | undefined {
  const found: [string, string][] = [];
  let from = start;
  for (const variable of variables) {
    const end = endOf(variable, uri, from, variable === variables.at(-1));
    const text = uri.slice(from, end);
    if (end <= from || (!variable.reserved && /[/?#]/.test(text))) return undefined;
    found.push([variable.name, text]);
    from = end + variable.then.length;
  }
  try {
    return Object.fromEntries(found.map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    // An invalid percent-encoding.
    return undefined;
  }
}

/** The offset where a variable ends; -1 when the text after it does not occur. */
function endOf({ reserved, then }: Variable, uri: string, from: number, isLast: boolean): number {
  if (isLast) return uri.endsWith(then) ? uri.length - then.length : -1;
  return reserved ? uri.lastIndexOf(then) : uri.indexOf(then, from + 1);
}

function requireLiteral(template: string, text: string): void {
  if (/[{}]/.test(text)) throw unreadable(template, JSON.stringify(text));
}

function unreadable(template: string, part: string): IdewireError {
  const text = `${part} of the template ${JSON.stringify(template)} cannot be matched`;
  return new IdewireError("invalid-argument", text);
}
