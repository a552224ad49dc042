/** Connecting: the panel, what is wrong and how to mend it. */
export const connection = {
  "connection.title": "Connection",
  "connection.failed": "Agents cannot connect to this vault. {reason}",
  "connection.unsupported": "Agents cannot connect: this vault is not a folder on this computer.",
  "connection.starting": "Starting…",
  "connection.closed": "Not listening.",
  "connection.listening": "Agents can connect on port {port} of this computer.",
  "connection.published": "Published in {file}",
  "connection.agent": "{name} is connected since {time}.",
  "connection.agentProcess": "{name} (process {pid}) is connected since {time}.",
  "connection.nobody": "No agent is connected.",
  "connection.nobodyAdvice":
    "Run the command below in a terminal. An agent that runs already connects when you type /ide in it.",
  "connection.command": "Connect from a terminal",
  "connection.commandDesc": "Starts Claude Code in this vault and connects it.",
  "connection.copy": "Copy",
  "connection.copied": "Copied. Paste it into a terminal.",
  "connection.notCopied": "This could not be copied: {text}",
  "connection.check": "Check again",
  "connection.reconnect": "Reconnect",
  "connection.inUseAdvice": "Stop the other program, then reconnect.",
  "connection.fileAdvice": "Make that folder writable, then reconnect.",
  "connection.lockGone": "The file that tells agents of this vault has gone: {file}",
  "connection.lockGoneAdvice": "Reconnect to publish it again.",
  "connection.lockStale": "Agents pass over this vault: {why}.",
  "connection.rival": "{name} is open on this folder too, on port {port}.",
  "connection.rivalAdvice":
    "Agents connect by themselves only where one editor matches. Type /ide in the agent, or close the other.",
  "connection.leftovers.one": "{count} file of an editor that has gone is left in the same folder.",
  "connection.leftovers.other":
    "{count} files of editors that have gone are left in the same folder.",
  "connection.leftoversAdvice":
    "Claude Code removes them when it starts; other agents may stumble.",
  "connection.open": "Other users of this computer can read {folder}",
  "connection.openAdvice": "Run this in a terminal: {command}",
  "connection.off": "Agents are told nothing while sharing is off. Reviews still work.",
  "connection.warning": "Something failed that stops nothing: {reason}",
  "connection.wsl":
    "An agent in the Windows Subsystem for Linux finds this vault when it runs in the same folder below /mnt.",
} as const;
