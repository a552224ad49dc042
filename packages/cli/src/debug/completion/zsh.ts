import { shellQuote } from "@idewire/core/internal";
import type { CompletedCommand, CompletedOption, WordKind } from "./command-tree.ts";

/** A completion script for zsh: to be evaluated, or stored as _idewire in the fpath. */
export function renderZsh(commands: readonly CompletedCommand[]): string {
  return `#compdef idewire
# zsh completion for idewire; put into ~/.zshrc, after compinit: eval "$(idewire completion zsh)"
_idewire() {
  local -a commands
  local command
${renderGroup(commands)}
}
if [[ $funcstack[1] == _idewire ]]; then
  _idewire "$@"
else
  compdef _idewire idewire
fi
`;
}

/** Completes the name of a command, then what follows it. */
function renderGroup(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name, summary }) => shellQuote(`${name}:${summary}`));
  return `commands=(
${names.join("\n")}
)
if ((CURRENT == 2)); then
  _describe -t commands command commands
  return
fi
command=$words[2]
shift words
((CURRENT--))
case $command in
${commands.map(renderCommand).join("\n")}
esac`;
}

function renderCommand({ name, subcommands, options, words }: CompletedCommand): string {
  if (subcommands.length > 0) return `${name})\n${renderGroup(subcommands)}\n;;`;
  const lines = [
    ...options.map(renderOption),
    ...words.map((word, index) => shellQuote(`${index + 1}::${actionOf(word, "word")}`)),
  ];
  return `${name})
_arguments -S ${lines.map((line) => `\\\n  ${line}`).join(" ")}
;;`;
}

function renderOption({ long, summary, value, repeats }: CompletedOption): string {
  const words = summary.replace(/[[\]:]/g, (sign) => `\\${sign}`);
  const action = value === undefined ? "" : `:${actionOf(value, long.slice(2))}`;
  return shellQuote(`${repeats ? "*" : ""}${long}[${words}]${action}`);
}

function actionOf(word: WordKind, message: string): string {
  switch (word.kind) {
    case "choice":
      return `${message}:(${word.choices.join(" ")})`;
    case "folder":
      return `${message}:_files -/`;
    case "file":
      return `${message}:_files`;
    default:
      return `${message}: `;
  }
}
