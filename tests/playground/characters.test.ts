import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const page = fileURLToPath(new URL("../../packages/web-playground/", import.meta.url));

/** Windows Glyph List 4, supported by the fonts of every system: hexadecimal code points. */
const WGL4 =
  "20-7E A0-17F 192 1FA-1FF 2C6-2C7 2C9 2D8-2DD 384-38A 38C 38E-3A1 3A3-3CE 401-40C 40E-44F " +
  "451-45C 45E-45F 490-491 1E80-1E85 1EF2-1EF3 2013-2015 2017-201E 2020-2022 2026 2030 2032-2033 " +
  "2039-203A 203C 203E 2044 207F 20A3-20A4 20A7 20AC 2105 2113 2116 2122 2126 212E 215B-215E " +
  "2190-2195 21A8 2202 2206 220F 2211-2212 2215 2219-221A 221E-221F 2229 222B 2248 2260-2261 " +
  "2264-2265 2302 2310 2320-2321 2500 2502 250C 2510 2514 2518 251C 2524 252C 2534 253C 2550-256C " +
  "2580 2584 2588 258C 2590-2593 25A0-25A1 25AA-25AC 25B2 25BA 25BC 25C4 25CA-25CB 25CF 25D8-25D9 " +
  "25E6 263A-263C 2640 2642 2660 2663 2665-2666 266A-266B FB01-FB02";

const ranges = WGL4.split(" ").map((range) => {
  const [from = "", to = from] = range.split("-");
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
});

/** The characters of a text that fonts may lack. */
function rareIn(text: string): readonly string[] {
  return [...new Set(text)].filter((character) => {
    const code = character.codePointAt(0) ?? 0;
    const isKnown = ranges.some(([from, to]) => code >= from && code <= to);
    return !isKnown && character !== "\n" && character !== "\t";
  });
}

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(join(page, folder), { recursive: true }) as string[];
  return names
    .map((name) => join(folder, name))
    .filter((name) => statSync(join(page, name)).isFile());
}

test("the page's own texts have only characters that the fonts of every system have", () => {
  const files = ["index.html", ...["src", "styles", "tours", "sample"].flatMap(filesIn)];
  expect(files.length).toBeGreaterThan(100);
  const found = files.map(
    (name) => [name, rareIn(readFileSync(join(page, name), "utf8"))] as const,
  );
  expect(found.filter(([, rare]) => rare.length > 0)).toEqual([]);
  expect(rareIn("\u29C9\u25B8a")).toEqual(["\u29C9", "\u25B8"]);
});
