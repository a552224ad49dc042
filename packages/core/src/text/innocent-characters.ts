/** The flags of England, Scotland and Wales consist of invisible letters; others are not in use. */
const FLAG =
  /(?<=\u{1f3f4})\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/uy;

const TAG_G = 0xe0067;

/**
 * The length of the invisible letters of a flag at an offset, after the black flag; 0 if there are
 * none.
 */
export function lengthOfFlag(text: string, at: number, codePoint: number): number {
  if (codePoint !== TAG_G) return 0;
  FLAG.lastIndex = at;
  return FLAG.test(text) ? FLAG.lastIndex - at : 0;
}

// The scripts whose letters joiners may connect: Unicode Standard Annex 31, section 2.3.
const CURSIVE =
  /(?!\p{DI})(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Phag}\p{scx=Adlm}\p{scx=Rohg}]/u;
const BRAHMIC =
  /(?!\p{DI})(?=[\p{L}\p{M}])[\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Bali}\p{scx=Java}\p{scx=Cakm}\p{scx=Newa}\p{scx=Tirh}]/u;
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/;
const UNSPACED = /(?!\p{DI})(?=[\p{L}\p{M}])[\p{scx=Khmr}\p{scx=Mymr}\p{scx=Thai}\p{scx=Laoo}]/u;
const MONGOLIAN = /(?=\p{L})\p{scx=Mong}/u;
const IDEOGRAPH = /\p{Unified_Ideograph}|(?=\p{L})\p{sc=Han}/u;
const EAST_ASIAN =
  /[\u3001-\u303f\uff01-\uff60]|(?!\p{DI})(?=\p{L})[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}]/u;
const PICTURE = /\p{Extended_Pictographic}/u;
// The bases of Unicode's StandardizedVariants.txt, except those of emoji and ideographs.
const VARIABLE =
  /[\u2229\u222a\u2268\u2269\u2272\u2273\u228a\u228b\u2293-\u2295\u2297\u229c\u22da\u22db\u2a3c\u2a3d\u2a9d\u2a9e\u2aac\u2aad\u2acb\u2acc]|(?=\p{L})[\p{sc=Mymr}\p{sc=Phag}]/u;
const EAST_ASIAN_PUNCTUATION =
  /[\u2018\u2019\u201c\u201d\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]/;

/** The neighbours of a character: a code point each, empty at the ends of the text. */
interface AdjacentCharacters {
  readonly before: string;
  /** The one before `before`. */
  readonly earlier: string;
  readonly after: string;
}

type InnocentRange = readonly [
  first: number,
  last: number,
  holds: (beside: AdjacentCharacters) => boolean,
];

const INNOCENT: readonly InnocentRange[] = [
  [0x0d, 0x0d, ({ after }) => after === "\n"],
  // These are visible: they enclose or overline the digits or letters that follow.
  [0x600, 0x605, isWritten],
  [0x6dd, 0x6dd, isWritten],
  [0x70f, 0x70f, isWritten],
  [0x890, 0x891, isWritten],
  [0x8e2, 0x8e2, isWritten],
  [0x110bd, 0x110bd, isWritten],
  [0x110cd, 0x110cd, isWritten],
  [0x180b, 0x180f, ({ before }) => MONGOLIAN.test(before)],
  [0x202f, 0x202f, ({ before, after }) => MONGOLIAN.test(before) && MONGOLIAN.test(after)],
  [0x200b, 0x200b, ({ before, after }) => UNSPACED.test(before) && UNSPACED.test(after)],
  [0x200c, 0x200c, isJoined],
  [0x200d, 0x200d, isJoiner],
  [0x3000, 0x3000, isEastAsianSpace],
  [0xfe00, 0xfe02, ({ before }) => IDEOGRAPH.test(before)],
  [0xe0100, 0xe01ef, ({ before }) => IDEOGRAPH.test(before)],
  [0xfe00, 0xfe00, ({ before }) => VARIABLE.test(before)],
  [0xfe00, 0xfe01, ({ before }) => EAST_ASIAN_PUNCTUATION.test(before)],
  [0xfe0e, 0xfe0f, ({ before }) => PICTURE.test(before)],
  [0xfe0f, 0xfe0f, ({ before, after }) => /[0-9#*]/.test(before) && after === "\u20e3"],
];

function isWritten({ after }: AdjacentCharacters): boolean {
  return /\p{Nd}|(?=\p{L})[\p{sc=Arab}\p{sc=Syrc}\p{sc=Kthi}]/u.test(after);
}

/** As an indent, or between words of East Asian scripts. */
function isEastAsianSpace({ before, after }: AdjacentCharacters): boolean {
  return EAST_ASIAN.test(after) && (/^\n?$/.test(before) || EAST_ASIAN.test(before));
}

function isJoined({ before, after }: AdjacentCharacters): boolean {
  return (
    (CURSIVE.test(before) && CURSIVE.test(after)) || (BRAHMIC.test(before) && BRAHMIC.test(after))
  );
}

function isJoiner(beside: AdjacentCharacters): boolean {
  const { before, earlier, after } = beside;
  if (VIRAMA.test(before) || CURSIVE.test(before) || isJoined(beside)) return true;
  const picture = /[\ufe0f\p{Emoji_Modifier}]/u.test(before) ? earlier : before;
  return PICTURE.test(picture) && PICTURE.test(after);
}

/** Whether a character that may be hidden has its regular function at an offset. */
export function isInnocent(text: string, at: number, codePoint: number): boolean {
  let beside: AdjacentCharacters | undefined;
  for (const [first, last, holds] of INNOCENT) {
    if (codePoint < first || codePoint > last) continue;
    beside ??= adjacentTo(text, at, codePoint);
    if (holds(beside)) return true;
  }
  return false;
}

function adjacentTo(text: string, at: number, codePoint: number): AdjacentCharacters {
  const before = characterBefore(text, at);
  const earlier = characterBefore(text, at - before.length);
  const after = characterAt(text, at + (codePoint > 0xffff ? 2 : 1));
  return { before, earlier, after };
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const pair = characterAt(text, at - 2);
  return pair.length === 2 ? pair : text.slice(Math.max(0, at - 1), at);
}
