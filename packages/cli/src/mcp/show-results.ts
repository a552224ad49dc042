import type { ContentBlock, ResourceContents, ToolDescription } from "@idewire/core/client";
import { isObject } from "@idewire/core/internal";
import type { Printer } from "../output/print.ts";
import { line, toText } from "../output/printable.ts";

/** Shows a tool with its arguments, optional ones in brackets. */
export function showTool(tool: ToolDescription, printer: Printer): void {
  const { properties, required } = tool.inputSchema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const words = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const type = isObject(schema) && typeof schema["type"] === "string" ? `:${schema["type"]}` : "";
    return needed.has(name) ? `${name}${type}` : `[${name}${type}]`;
  });
  showEntry([tool.name, ...words].join(" "), tool, printer);
}

/** Shows an entry of a list. */
export function showEntry(
  heading: string,
  { title, description }: { readonly title?: string; readonly description?: string },
  { quote, palette }: Printer,
): void {
  quote(toText(heading), palette.bold);
  for (const words of [title, ...(description?.split(/\r?\n/) ?? [])]) {
    if (words !== undefined && words !== "") quote(`    ${words}`, palette.dim);
  }
}

/** Shows an item of a result: text itself, a description of anything else. */
export function showContent(item: ContentBlock, printer: Printer): void {
  switch (item.type) {
    case "text":
      showText(item.text, printer);
      break;
    case "image":
    case "audio":
      printer.print(describeBytes(item.data, item.mimeType));
      break;
    case "resource":
      showContents(item.resource, printer);
      break;
    case "resource_link":
      // Some servers leave out the name.
      printer.quote(toText([item.uri, item.name ?? ""].join(" ").trimEnd()));
      break;
    default:
      // A kind of a later revision.
      printer.json(item);
  }
}

/** Shows the contents of a resource. */
export function showContents(contents: ResourceContents, printer: Printer): void {
  if ("text" in contents && contents.text !== null) showText(contents.text, printer);
  else if ("blob" in contents) printer.print(describeBytes(contents.blob, contents.mimeType));
}

function showText(text: string, { quote }: Printer): void {
  // The final line break does not start another line.
  quote(text.replace(/\r?\n$/, ""));
}

function describeBytes(base64: string, mimeType: string | null | undefined) {
  const count = Buffer.byteLength(base64, "base64");
  return line`[${mimeType ?? "bytes"}, ${count} bytes; --json prints them]`;
}
