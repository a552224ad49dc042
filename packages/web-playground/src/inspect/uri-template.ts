import { enteredFor } from "./tool-fields.ts";

/** RFC 6570, expressions of one or more variables; modifiers are not part of a name. */
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

/** A variable of a URI template. */
export interface TemplateVariable {
  readonly name: string;
  /** False where it is only in the query, whose parameters may be left out. */
  readonly isRequired: boolean;
}

/** The variables of a URI template, each once. */
export function variablesOf(template: string): readonly TemplateVariable[] {
  const required = new Map<string, boolean>();
  for (const [, operator = "", list = ""] of template.matchAll(EXPRESSION)) {
    const isQuery = operator === "?" || operator === "&";
    for (const name of namesOf(list)) {
      required.set(name, required.get(name) === true || !isQuery);
    }
  }
  return [...required].map(([name, isRequired]) => ({ name, isRequired }));
}

function namesOf(list: string): readonly string[] {
  return list.split(",").map((each) => each.replace(/\*$|:\d+$/, "").trim());
}

/** How each kind of expression begins, and what is between its values. */
const KINDS: Readonly<Record<string, readonly [first: string, between: string]>> = {
  "": ["", ","],
  "+": ["", ","],
  "#": ["#", ","],
  ".": [".", "."],
  "/": ["/", "/"],
  ";": [";", ";"],
  "?": ["?", "&"],
  "&": ["&", "&"],
};

/** The URI of a template (RFC 6570, for texts); variables without a value are left out. */
export function expandTemplate(template: string, texts: Readonly<Record<string, string>>): string {
  return template.replace(EXPRESSION, (_, operator: string, list: string) => {
    const [first, between] = KINDS[operator] ?? ["", ","];
    const isNamed = /[;?&]/.test(operator);
    const values = namesOf(list).flatMap((name) => {
      const text = enteredFor(texts, name);
      if (text === undefined) return [];
      const value = /[+#]/.test(operator) ? encodeURI(text) : encodeURIComponent(text);
      return isNamed ? [`${name}=${value}`] : [value];
    });
    return values.length === 0 ? "" : first + values.join(between);
  });
}
