/** The tools of the vault. */
export const tools = {
  "tools.heading": "Vault tools",
  "tools.offer": "Offer vault tools to agents",
  "tools.offerDesc":
    "Search, link-safe rename and properties, for agents on this computer that have the token. Nothing while sharing is off or paused.",
  "tools.command": "Tell an agent of them",
  "tools.commandDesc": "Copies the line that adds them to Claude Code; it holds the token.",
  "tools.copied": "Copied. Run it in a terminal, once.",
  "tools.off": "Switch the vault tools on first.",
  "tools.failed": "The vault tools could not be offered: {reason}",
} as const;
