import { text, type Value } from "./text.ts";

/** The tools of the vault. */
export const tools = {
  heading: "Vault tools",
  offer: "Offer vault tools to agents",
  headingDesc: "Search, descriptions and changes of notes, as tools of an agent.",
  offerDesc: "To agents on this computer, while sharing is on.",
  change: "Agents may change notes with these tools",
  changeDesc:
    "Properties, names and folders of notes, without a review. Links to a renamed note change in all notes.",
  folders: "Folders in which agents may change notes",
  foldersEmpty: "All notes that are shared.",
  addFolder: "Allow changes in a folder",
  command: "Add them to an agent",
  commandDesc: "Copies the command for Claude Code, which contains no secret.",
  copied: "Copied. Run it once in a terminal.",
  moved: (url: Value) =>
    text`Another program uses the previous address of the vault tools. They are now at ${url}, with a new token. To connect an agent that uses the previous address, run the command from the settings again.`,
  off: "Turn on the vault tools first.",
  failed: (reason: Value) => text`The vault tools could not be started: ${reason}`,
};
