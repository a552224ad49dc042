import type { Command } from "commander";
import { type Block, fullName, manualOf, type Section } from "./manual.ts";

/** One page for all commands, for `man`: each command is a section of its own. */
export function renderRoff(program: Command, version: string): string {
  const lines = [
    `.TH IDEWIRE 1 "" "idewire ${version}" "User Commands"`,
    ...manualOf(program).flatMap((section) => renderSection(section, ".SH")),
    ...program.commands.flatMap((command) => [
      `.SH ${roff(fullName(command).toUpperCase())}`,
      ...manualOf(command)
        .filter(({ title }) => title !== "NAME")
        .flatMap((section) => renderSection(section, ".SS")),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function renderSection({ title, blocks }: Section, macro: ".SH" | ".SS"): readonly string[] {
  const heading = macro === ".SH" ? title : title.charAt(0) + title.slice(1).toLowerCase();
  return [`${macro} ${roff(heading)}`, ...blocks.flatMap(renderBlock)];
}

/** The first paragraph belongs to its title: `man -k` wants the name right below it. */
function renderBlock(block: Block, index: number): readonly string[] {
  switch (block.kind) {
    case "text":
      return index === 0 ? [roff(block.text)] : [".PP", roff(block.text)];
    case "example":
      return [".PP", ".EX", roff(`$ ${block.term}`), ".EE", ".RS 4", roff(block.text), ".RE"];
    default:
      return [".TP", `.B ${roff(block.term)}`, roff(block.text)];
  }
}

/** A backslash, a hyphen and a dot or quote at the start of a line mean something to roff. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha")
    .replace(/^(?=[.'])/, "\\&");
}
