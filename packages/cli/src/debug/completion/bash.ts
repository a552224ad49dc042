import type { CompletedCommand, CompletedOption, WordKind } from "./command-tree.ts";

/** A completion script for bash 3.2 and newer, with or without bash-completion. */
export function renderBash(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# bash completion for idewire; put into ~/.bashrc: eval "$(idewire completion bash)"
_idewire() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _idewire_choose "$current" ${names} --help --version
    return
  fi
  case \${COMP_WORDS[1]} in
${commands.map((command) => renderCommand(command)).join("\n")}
  esac
}
_idewire_choose() {
  local current=$1 word
  shift
  for word in "$@"; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done
}
_idewire_paths() {
  local current=$2 path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$current")
}
complete -F _idewire idewire
`;
}

/** @param at the index of the command's last word on the command line */
function renderCommand(command: CompletedCommand, at = 1): string {
  const { name, subcommands } = command;
  const body = subcommands.length === 0 ? renderWords(command, at) : renderGroup(command, at);
  return `${name})\n${body}\n;;`;
}

function renderGroup({ subcommands }: CompletedCommand, at: number): string {
  const names = subcommands.map(({ name }) => name).join(" ");
  const cases = subcommands.map((below) => renderCommand(below, at + 1)).join("\n");
  return `if ((COMP_CWORD == ${at + 1})); then _idewire_choose "$current" ${names} --help
else case \${COMP_WORDS[${at + 1}]} in
${cases}
esac
fi`;
}

function renderWords({ options, words }: CompletedCommand, at: number): string {
  const values = options.filter(({ value }) => value !== undefined).map(renderOption);
  const flags = options.map(({ long }) => long).join(" ");
  const [word = { kind: "text" } as const, second] = words;
  const isFirst = word.kind === "choice" && second !== undefined;
  const cases = values.length === 0 ? "" : `case $previous in\n${values.join("\n")}\nesac\n`;
  const later = isFirst ? `elif ((COMP_CWORD > ${at + 1})); then ${renderValue(second)}\n` : "";
  return `${cases}if [[ $current == -* ]]; then _idewire_choose "$current" ${flags}
${later}else ${renderValue(word)}
fi`;
}

function renderOption({ long, short, value }: CompletedOption): string {
  const names = short === undefined ? long : `${short} | ${long}`;
  return `${names}) ${renderValue(value ?? { kind: "text" })}; return ;;`;
}

function renderValue(word: WordKind): string {
  switch (word.kind) {
    case "choice":
      return `_idewire_choose "$current" ${word.choices.join(" ")}`;
    case "folder":
      return '_idewire_paths -d "$current"';
    case "file":
      return '_idewire_paths -f "$current"';
    default:
      return ":";
  }
}
