/** What the steps of `idewire doctor` find, by the id of the step. */
export const doctor = {
  "directory.open": "Other users of this computer can read {folder}",
  "directory.openAdvice": "Run this in a terminal: {command}",
  "files.leftovers.one": "{count} file of an editor that has gone is left in the same folder.",
  "files.leftovers.other": "{count} files of editors that have gone are left in the same folder.",
  "files.leftoversAdvice": "Claude Code removes them when it starts; other agents may stumble.",
  "only.several": "{name} is open on this folder too, on port {port}.",
  "only.severalAdvice":
    "Agents connect by themselves only where one editor matches. Type /ide in the agent, or close the other.",
  "process.missing": "The file that tells agents of this vault has gone: {file}",
  "process.missingAdvice": "Reconnect to publish it again.",
  "process.passedOver": "Agents pass over this vault: {why}.",
  "reviews.mode": "Claude Code opens reviews here only in its default permission mode.",
  "reviews.modeAdvice":
    "If no review comes, press Shift+Tab in its terminal until the line below the prompt names no other mode.",
  "reviews.terminal":
    "Claude Code is set to show its changes in its terminal, so no review comes here.",
  "reviews.terminalAdvice":
    "Set diffTool to auto in its configuration: type /config there, or edit .claude.json.",
} as const;
