/** Adds a range that identifies a person, and its stand-in. */
export type AddPerson = (
  from: number,
  to: number,
  found: { what: "home" | "name"; by: string },
) => void;

const MAX_NAME = 64;
/** The parents of home directories on each system, also as seen from virtual machines. */
const PLACE =
  /(?:[/\\]{1,4}(?:home|Users)|(?<![A-Za-z])[A-Za-z][:$|]?[/\\]{1,4}users|[/\\]{1,4}documents and settings)[/\\]{1,4}/gi;
/** The same with dashes for all punctuation, as agents name the folders of their sessions. */
const DASHED =
  /(?<=^|[\s"'`/\\=:,(\0])(?:[A-Za-z]-|-mnt-[a-z]|-(?:var|usr|export)|-[a-z])?-(?:home|users)-/gi;
/** Folders before a `home` that belongs to a project, not to a file system. */
const PROJECT =
  /(?:^|[/\\])(?:src|app|apps|pages|components?|views?|routes|www|public|static|lib|packages|docs|tests?|node_modules|dist)$/i;
const ENDS_PATH: ReadonlySet<string> = new Set(" \t\n\r\0\"'`<>=,;(|");
const NOBODY = new Set([
  "me",
  "~",
  "shared",
  "public",
  "default",
  "default user",
  "all users",
  "guest",
  "..",
  ".",
]);
const PLACEHOLDER = /^[$<{%*[(~]/;
/** User names that are common words. */
const COMMON = new Set(
  (
    "user users root admin administrator runner node app dev home me you name test tests ubuntu debian vagrant git " +
    "build builder ci docker code work project projects data tmp temp var usr opt src bin lib etc file files folder " +
    "the and for not null true false undefined username someone somebody example agent editor claude system local"
  ).split(" "),
);

/** Finds home directories in a text; `addName` is called with the names of their owners. */
export function findHomes(text: string, add: AddPerson, addName: (name: string) => void): void {
  if (!/home|users|documents/i.test(text)) return;
  for (const { index, 0: place } of text.matchAll(PLACE)) {
    if (!isPlace(text, index, place)) continue;
    const from = index + place.length;
    const to = endOfName(text, from, index);
    const name = text.slice(from, to);
    if (name === "" || NOBODY.has(name.toLowerCase()) || PLACEHOLDER.test(name)) continue;
    addName(name);
    add(from, to, { what: "home", by: "me" });
  }
  for (const { index, 0: place } of text.matchAll(DASHED)) {
    const from = index + place.length;
    const [name = ""] = /^[\p{L}\p{N}]{2,64}/u.exec(text.slice(from, from + MAX_NAME)) ?? [];
    if (name === "" || name === "me" || !/home|Users|^[A-Za-z]-|mnt/.test(place)) continue;
    add(from, from + name.length, { what: "home", by: "me" });
  }
}

/** `/Home/About`, `src/home/page.ts` and `https://host/home/page` are not homes, `C:\\USERS` is. */
function isPlace(text: string, index: number, place: string): boolean {
  if (/^[A-Za-z]|documents/i.test(place)) return true;
  if (!/home|Users/.test(place)) return false;
  let start = index;
  while (start > 0 && index - start < 200 && !ENDS_PATH.has(text.charAt(start - 1))) start -= 1;
  const path = text.slice(start, index);
  if (/^https?:/i.test(path) || PROJECT.test(path.slice(-16))) return false;
  const isRelative = /^[\w.@/\\-]+$/.test(path) && /^[\w.@-]/.test(path);
  return !isRelative || /^(?:-\w{1,2}|[ab])$/.test(path);
}

/** A name may have spaces if the path continues, or its quotes end, after it. */
function endOfName(text: string, from: number, start: number): number {
  const rest = text.slice(from, from + MAX_NAME);
  const all = /^[^/\\"`<>|*?:;,\n\r\t\0]{0,64}/.exec(rest)?.[0] ?? "";
  const next = rest.charAt(all.length);
  const opens = start === 0 || /["'`\0]/.test(text.charAt(start - 1));
  const goesOn =
    next === "/" || next === "\\" || (opens && (next === '"' || next === "" || next === "\0"));
  if (goesOn && /^[^\s()]+(?: [^\s()]+){0,4}$/.test(all)) return from + all.length;
  const word = /^[^\s'()]{0,64}/.exec(all)?.[0] ?? "";
  return from + word.replace(/[.!)\]}]{1,64}$/, "").length;
}

/** Names of people, found in any letter case and with dashes for punctuation. */
export class KnownNames {
  static readonly #MAX = 1000;
  /** By their first word. */
  readonly #byWord = new Map<string, string[]>();
  #count = 0;

  add(name: string): void {
    const plain = readName(name);
    const isWorth = plain.length > 1 && plain.length <= MAX_NAME && !COMMON.has(plain);
    if (!isWorth || this.#count >= KnownNames.#MAX) return;
    const dashed = plain.replace(/[^\p{L}\p{N}]/gu, "-");
    for (const spelt of new Set([
      plain,
      dashed,
      plain.replaceAll(" ", "+"),
      readName(name.toUpperCase()),
    ])) {
      for (const form of new Set([spelt.normalize("NFC"), spelt.normalize("NFD")])) this.#put(form);
    }
  }

  #put(name: string): void {
    const [word] = /[\p{L}\p{N}\p{M}]+/u.exec(name) ?? [];
    if (word === undefined) return;
    const known = this.#byWord.get(word) ?? [];
    // A hostile log may contain a thousand names with a common prefix.
    if (known.includes(name) || known.length >= 32) return;
    this.#count += 1;
    this.#byWord.set(
      word,
      [...known, name].sort((a, b) => b.length - a.length),
    );
  }

  find(text: string, add: AddPerson): void {
    if (this.#byWord.size === 0) return;
    const lower = readName(text);
    for (const { index, 0: word } of lower.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      for (const name of this.#byWord.get(word) ?? []) {
        const from = index - name.indexOf(word);
        const to = from + name.length;
        if (!lower.startsWith(name, from) || !standsAlone(text, { from, to })) continue;
        if (name.length < 3 && text.slice(from, to) !== name) continue;
        add(from, to, { what: "name", by: "me" });
        break;
      }
    }
  }
}

/** Home directories in unusual places, with any separators. */
export class KnownHomes {
  readonly #homes: readonly (readonly [home: string, by: string])[];

  constructor(homes: readonly string[]) {
    const plain = homes.map((home) => slashed(readName(home)).replace(/\/{1,9}$/, ""));
    this.#homes = [...new Set(plain)]
      .filter(({ length }) => length > 1)
      .flatMap((home) => [
        [home, "/home/me"] as const,
        [home.replace(/[^\p{L}\p{N}]/gu, "-"), "-home-me"] as const,
      ]);
  }

  find(text: string, add: AddPerson): void {
    if (this.#homes.length === 0) return;
    const plain = slashed(readName(text));
    for (const [home, by] of this.#homes) {
      for (let at = plain.indexOf(home); at !== -1; at = plain.indexOf(home, at + home.length)) {
        const to = at + home.length;
        if (!/[\p{L}\p{N}_]/u.test(text.charAt(to))) add(at, to, { what: "home", by });
      }
    }
  }
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

/** In lower case, with the same number of units. */
function readName(text: string): string {
  return text.replaceAll("\u0130", "i").toLowerCase().replaceAll("ς", "σ");
}

function standsAlone(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  // `ann-marie` is not `ann`; with longer names that is rare.
  const isWord = to - from < 4 ? /[\p{L}\p{N}_-]/u : /[\p{L}\p{N}]/u;
  return !isWord.test(text.charAt(from - 1)) && !isWord.test(text.charAt(to));
}
