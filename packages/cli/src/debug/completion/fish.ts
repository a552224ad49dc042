import type { CompletedCommand, CompletedOption, WordKind } from "./command-tree.ts";

/** A completion script for fish 3 and newer. */
export function renderFish(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const lines = [
    "# fish completion for idewire; save it as ~/.config/fish/completions/idewire.fish",
    "complete -c idewire -f",
    `set -l commands ${names}`,
    "complete -c idewire -n \"not __fish_seen_subcommand_from $commands\" -l help -s h -d 'print this help'",
    "complete -c idewire -n \"not __fish_seen_subcommand_from $commands\" -l version -s v -d 'print the version'",
    ...commands.flatMap(renderCommand),
  ];
  return `${lines.join("\n")}\n`;
}

function renderCommand(command: CompletedCommand): readonly string[] {
  const { name, summary } = command;
  return [
    `complete -c idewire -n "not __fish_seen_subcommand_from $commands" -a ${name} -d ${quote(summary)}`,
    ...renderInside(command, `__fish_seen_subcommand_from ${name}`),
  ];
}

/** @param condition whether the command has been typed */
function renderInside(
  { subcommands, options, words }: CompletedCommand,
  condition: string,
): readonly string[] {
  const names = subcommands.map(({ name }) => name).join(" ");
  const none = `${condition}; and not __fish_seen_subcommand_from ${names}`;
  const inside = `complete -c idewire -n "${condition}"`;
  return [
    ...subcommands.flatMap((below) => [
      `complete -c idewire -n "${none}" -f -a ${below.name} -d ${quote(below.summary)}`,
      ...renderInside(below, `${condition}; and __fish_seen_subcommand_from ${below.name}`),
    ]),
    ...options.map((option) => `${inside} ${renderOption(option)}`),
    ...words.flatMap((word) => (word.kind === "text" ? [] : [`${inside} ${renderWord(word)}`])),
  ];
}

function renderOption({ long, short, summary, value }: CompletedOption): string {
  const names = `-l ${long.slice(2)}${short === undefined ? "" : ` -s ${short.slice(1)}`}`;
  const takes = value === undefined ? "" : ` -r ${renderWord(value)}`;
  return `${names}${takes} -d ${quote(summary)}`;
}

function renderWord(word: WordKind): string {
  switch (word.kind) {
    case "choice":
      return `-f -a ${quote(word.choices.join(" "))}`;
    case "folder":
      return "-f -a '(__fish_complete_directories)'";
    case "file":
      return "-F";
    default:
      return "-f";
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
