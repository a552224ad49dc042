import { deflateSync, inflateSync } from "node:zlib";

/** So many colours a palette holds. */
const COLOURS = 256;
/** Squares of the differences of two colours that are not the same to an eye. */
const APART = 60;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** One number for each pixel: red, green and blue. */
  readonly colours: Uint32Array;
}

/** A picture of a page with a palette, at about a third of the size: rare colours become near ones. */
export function toSmallPng(png: Buffer): Buffer {
  const { width, height, colours } = readPixels(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const all = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const palette = choose(all);
  const places = new Map(all.map((colour) => [colour, nearest(palette, colour).at]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      lines[y * (width + 1) + 1 + x] = places.get(colours[y * width + x] ?? 0) ?? 0;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a pixel, by a palette.
  head.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", table),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The most frequent ones that can be told apart: a dot has few pixels, and its colour says something. */
function choose(colours: readonly number[]): readonly number[] {
  const palette: number[] = [];
  for (const colour of colours) {
    if (palette.length === COLOURS) break;
    if (nearest(palette, colour).distance >= APART) palette.push(colour);
  }
  return palette;
}

function nearest(
  palette: readonly number[],
  colour: number,
): { readonly at: number; readonly distance: number } {
  let found = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, one] of palette.entries()) {
    const red = (one >> 16) - (colour >> 16);
    const green = ((one >> 8) & 255) - ((colour >> 8) & 255);
    const blue = (one & 255) - (colour & 255);
    const distance = red * red + green * green + blue * blue;
    if (distance < least) [found, least] = [at, distance];
  }
  return { at: found, distance: least };
}

/** Reads what a browser writes: eight bits a channel, with or without transparency. */
function readPixels(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const size = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") {
      parts.push(png.subarray(at + 8, at + 8 + length));
    }
    at += length + 12;
  }
  const bytes = unfilter(inflateSync(Buffer.concat(parts)), width * size, size);
  const colours = new Uint32Array(width * height);
  for (const [at] of colours.entries()) {
    const from = at * size;
    colours[at] =
      ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
  }
  return { width, height, colours };
}

/** Undoes the filter of each line (PNG specification, 9). */
function unfilter(data: Buffer, stride: number, size: number): Buffer {
  const height = data.length / (stride + 1);
  const out = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const left = x < size ? 0 : (out[y * stride + x - size] ?? 0);
      const up = y === 0 ? 0 : (out[(y - 1) * stride + x] ?? 0);
      const corner = x < size || y === 0 ? 0 : (out[(y - 1) * stride + x - size] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[y * stride + x] = (data[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), body.length + 4);
  return out;
}

function crc(bytes: Buffer): number {
  let value = 0xffff_ffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1)
      value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  }
  return (value ^ 0xffff_ffff) >>> 0;
}
