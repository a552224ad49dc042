/** The tools of the vault. */
export const tools = {
  heading: "Vault tools",
  offer: "Offer vault tools to agents",
  offerDesc:
    "Search, link-safe rename and properties, for agents on this computer that have the token. Nothing while sharing is off or paused.",
  command: "Tell an agent of them",
  commandDesc: "Copies the line that adds them to Claude Code; it holds the token.",
  copied: "Copied. Run it in a terminal, once.",
  off: "Switch the vault tools on first.",
  failed: "The vault tools could not be offered: {reason}",
} as const;
