import { isObject, type JsonObject } from "../reference-clients/wire.ts";

/** The members of an object's schema as a table; undefined if there are none. */
export function schemaTable(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  if (Array.isArray(schema["anyOf"])) {
    const [first, ...others] = schema["anyOf"].map((each) => withTitle(each, schemaTable(each)));
    return [first, ...others].join("\n\nor:\n\n");
  }
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const members = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {});
  if (members.length === 0) return undefined;
  const rows = members.map(([name, member]) => {
    const presence = required.includes(name) ? "always" : "may be left out";
    return `| \`${name}\` | ${typeOf(member)} | ${presence} | ${wordsOf(member)} |`;
  });
  return ["| member | type | | |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function withTitle(schema: unknown, table: string | undefined): string {
  const words = wordsOf(schema);
  return words === "" ? `${table}` : `${words}:\n\n${table}`;
}

function wordsOf(schema: unknown): string {
  const own = isObject(schema) ? schema["description"] : undefined;
  if (typeof own === "string") return own;
  const choices = isObject(schema) && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  return choices.map(wordsOf).find((words) => words !== "") ?? "";
}

/** A type in a few words: `string`, `array of string`, `{ start, end }`. */
function typeOf(schema: unknown): string {
  if (!isObject(schema)) return "anything";
  if (Array.isArray(schema["anyOf"])) return schema["anyOf"].map(typeOf).join(" or ");
  if (Array.isArray(schema["enum"])) return schema["enum"].map((name) => `\`${name}\``).join(" ");
  if (schema["type"] === "array") return `array of ${typeOf(schema["items"])}`;
  if (isObject(schema["properties"])) return objectType(schema["properties"]);
  return [schema["type"]].flat().join(" or ");
}

function objectType(properties: JsonObject): string {
  return `\`{ ${Object.keys(properties).join(", ")} }\``;
}
