import type { Diagnostic } from "@idewire/core";

/** Finds the diagnostics of the sample workspace: broken links between notes, two mistakes in TypeScript. */
export function checkSample(
  path: string,
  text: string,
  files: readonly string[],
): readonly Diagnostic[] {
  const lines = text.split("\n");
  return path.endsWith(".ts") ? lines.flatMap(checkCode) : checkLinks(lines, files);
}

function checkLinks(lines: readonly string[], files: readonly string[]): Diagnostic[] {
  return lines.flatMap((line, number) =>
    [...line.matchAll(/\[\[([^\]|#]+)/g)]
      .filter(([, target = ""]) => !files.some((file) => file.endsWith(`${target}.md`)))
      .map(
        ({ index, 0: match, 1: target }): Diagnostic => ({
          range: between(number, index + 2, index + match.length),
          severity: "warning",
          message: `No note is called "${target}"`,
          source: "links",
          code: "unresolved",
        }),
      ),
  );
}

function checkCode(line: string, number: number): Diagnostic[] {
  const found: Diagnostic[] = [];
  const loose = line.indexOf(" == ");
  if (loose !== -1) {
    found.push({
      range: between(number, loose + 1, loose + 3),
      severity: "error",
      message: "Expected '===' and instead saw '=='",
      source: "lint",
      code: "eqeqeq",
    });
  }
  const declared = /\bvar\s/.exec(line);
  if (declared !== null) {
    found.push({
      range: between(number, declared.index, declared.index + 3),
      severity: "warning",
      message: "Unexpected var, use let or const instead",
      source: "lint",
      code: "no-var",
    });
  }
  return found;
}

function between(line: number, from: number, to: number): Diagnostic["range"] {
  return { start: { line, character: from }, end: { line, character: to } };
}
