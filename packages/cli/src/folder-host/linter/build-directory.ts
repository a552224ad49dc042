import type { PosixPath } from "@idewire/core";
import { resolveFile } from "./matcher-run.ts";

const OF_BUILD = /^(?:\S*make(?:\.exe)?|ninja)(?:\[\d+\])?\s?: (?!\*\*\*)/;

/** "Directory" in the languages of make. */
const NAMED =
  /dire[ck]tor|verzeichnis|répertoire|diretório|каталог|директор|katalog|adresá|ディレクトリ|目[录錄]|디렉|\bmap\b|pasta|hakemisto|thư mục|comhadlann/i;

const OPENING = /[`'"\u2018\u201A\u201C\u201D\u201E\u00AB\u300C]/;
const CLOSING = [..."'\"\u2019\u201C\u201D\u00BB\u300D"];

/** What is between the first quotation mark of a text and the last. */
function quotedIn(text: string): string | undefined {
  const start = text.search(OPENING) + 1;
  const end = Math.max(...CLOSING.map((mark) => text.lastIndexOf(mark)));
  return start > 0 && end > start ? text.slice(start, end).trim() : undefined;
}

/** The directory in which a build runs its commands, as make and ninja print it. */
export class BuildDirectory {
  readonly #folder: PosixPath;
  /** The directories entered and not left: several at a time with `make -j`. */
  readonly #entered: PosixPath[] = [];

  constructor(folder: PosixPath) {
    this.#folder = folder;
  }

  /** Undefined in the folder itself. */
  get current(): PosixPath | undefined {
    return this.#entered.at(-1);
  }

  push(line: string): void {
    const words = OF_BUILD.test(line) && NAMED.test(line) ? line.replace(OF_BUILD, "") : undefined;
    const directory = words === undefined ? undefined : quotedIn(words);
    const path = directory === undefined ? undefined : resolveFile(this.#folder, directory);
    if (words === undefined || path === undefined) return;
    const at = this.#entered.lastIndexOf(path);
    // In other languages than English, the second time that a directory is named is its end.
    const isEnd = words.startsWith("Leaving") || (at >= 0 && !words.startsWith("Entering"));
    if (!isEnd) this.#entered.push(path);
    else if (at >= 0) this.#entered.splice(at, 1);
  }
}
