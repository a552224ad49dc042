/** The tools of the vault. */
export const tools = {
  heading: "Vault tools",
  offer: "Offer vault tools to agents",
  offerDesc:
    "Search, link-safe rename and properties, for agents on this computer that you tell of them. Nothing while sharing is off or paused.",
  command: "Tell an agent of them",
  commandDesc:
    "Copies the line that adds them to Claude Code. The command in it finds the address by itself, and holds no secret.",
  copied: "Copied. Run it in a terminal, once.",
  moved:
    "Another program has the old address of the vault tools: they are at {url} now, with a new token. An agent that was given the old address needs the command of the settings.",
  off: "Switch the vault tools on first.",
  failed: "The vault tools could not be offered: {reason}",
} as const;
