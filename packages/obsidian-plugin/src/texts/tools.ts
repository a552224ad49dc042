import { text, type Value } from "./text.ts";

/** The tools of the vault. */
export const tools = {
  heading: "Vault tools",
  offer: "Offer vault tools to agents",
  offerDesc:
    "Search, link-safe rename and properties, for the agents on this computer to which you add them. Unavailable while sharing is off or paused.",
  command: "Add them to an agent",
  commandDesc:
    "Copies the command that adds them to Claude Code. It finds the address automatically and contains no secret.",
  copied: "Copied. Run it once in a terminal.",
  moved: (url: Value) =>
    text`Another program uses the previous address of the vault tools. They are now at ${url}, with a new token. To connect an agent that uses the previous address, run the command from the settings again.`,
  off: "Turn on the vault tools first.",
  failed: (reason: Value) => text`The vault tools could not be started: ${reason}`,
};
