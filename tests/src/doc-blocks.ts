import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A code block of a page of documentation. */
export interface DocBlock {
  /** From the root of the repository. */
  readonly page: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  /** `sh`, `ts`, `json`, …; empty where the page names none. */
  readonly language: string;
  readonly code: string;
}

/** The code blocks of all pages and READMEs; not those of samples, which are data. */
export function readDocBlocks(): readonly DocBlock[] {
  const listed = execFileSync("git", ["ls-files", "-z", "*.md"], { cwd: root, encoding: "utf8" });
  const isPage = (page: string) =>
    page !== "" && !/CHANGELOG|^\.changeset|^examples\/vault\//.test(page);
  return listed.split("\0").filter(isPage).flatMap(blocksOf);
}

function blocksOf(page: string): readonly DocBlock[] {
  const text = readFileSync(`${root}${page}`, "utf8");
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((found) => {
    const [, language = "", code = ""] = found;
    const line = text.slice(0, found.index).split("\n").length;
    return { page, line, language, code };
  });
}
