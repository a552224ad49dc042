import type { Unsubscribe } from "@idewire/core";
import { describeValue } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import { demandChangeable, done, findFile, type VaultToolParts } from "./notes.ts";

const input = {
  type: "object",
  properties: {
    path: { type: "string", description: "The note, relative to the vault or absolute" },
    set: {
      type: "object",
      description: "Properties to add or replace; texts, numbers, true and false, or lists",
    },
    remove: {
      type: "array",
      items: { type: "string" },
      description: "The names of properties to remove",
    },
  },
  required: ["path"],
} as const;

/** Names that would reach beyond the properties themselves. */
const unsafe: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Changes the properties of a note, and leaves its text as it is; the result removes the tool. */
export function setProperties(server: McpServer, parts: VaultToolParts): Unsubscribe {
  const options = {
    title: "Change properties of a note",
    description:
      "Sets or removes properties (frontmatter) of a note. Obsidian writes the properties anew: comments and quotes among them are lost; the text of the note is unchanged. The property agent is the person's own and cannot be changed.",
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    input,
  };
  return server.tool("set_properties", options, async ({ path, set = {}, remove = [] }) => {
    const file = await findFile(path, parts);
    demandChangeable(file.path, parts);
    if (file.extension !== "md")
      throw new ToolFailure(`${file.path} is not a note: it has no properties`);
    const names = [...Object.keys(set), ...remove];
    if (names.length === 0) throw new ToolFailure("Nothing to change: expected set or remove");
    const bad = names.find(
      (name) => unsafe.has(name) || name.toLowerCase() === "agent" || name === "",
    );
    if (bad !== undefined)
      throw new ToolFailure(`The property ${describeValue(bad)} cannot be changed`);
    await parts.saveIfOpen(parts.paths.toAbsolute(file.path));
    const change = (properties: Record<string, unknown>) => {
      for (const name of remove) delete properties[name];
      Object.assign(properties, set);
    };
    await done(parts.app.fileManager.processFrontMatter(file, change));
    return `Changed ${names.join(", ")} of ${file.path}`;
  });
}
