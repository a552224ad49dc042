/** The tools of the vault. */
export const tools = {
  heading: "Vault tools",
  offer: "Offer vault tools to agents",
  offerDesc:
    "Search, link-safe rename and properties, for the agents on this computer to which you add them. Unavailable while sharing is off or paused.",
  command: "Add them to an agent",
  commandDesc:
    "Copies the command that adds them to Claude Code. It finds the address by itself and contains no secret.",
  copied: "Copied. Run it once in a terminal.",
  moved:
    "Another program took the old address of the vault tools. They are now at {url}, with a new token. Agents that use the old address need the command from the settings.",
  off: "Turn on the vault tools first.",
  failed: "The vault tools could not be offered: {reason}",
} as const;
