import pixelmatch from "pixelmatch";
import upng from "upng-js";

function decode(png) {
  const bytes = png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength);
  const { width, height, ...image } = upng.decode(bytes);
  const [pixels] = upng.toRGBA8({ width, height, ...image });
  return { width, height, pixels: new Uint8Array(pixels) };
}

function encode({ width, height, pixels }, colours) {
  return Buffer.from(upng.encode([pixels.buffer], width, height, colours));
}

/**
 * A picture with a palette, and with fewer pixels: small enough to be kept beside the code.
 * @param {Buffer} png
 * @param {{ by: number, colours: number }} options `by`: how many pixels become one, in each direction
 */
export function shrink(png, { by, colours }) {
  const image = decode(png);
  const [width, height] = [Math.floor(image.width / by), Math.floor(image.height / by)];
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < pixels.length; at += 1) {
    const [pixel, channel] = [Math.floor(at / 4), at % 4];
    const [x, y] = [(pixel % width) * by, Math.floor(pixel / width) * by];
    let sum = 0;
    for (let cell = 0; cell < by * by; cell += 1) {
      const source = (y + Math.floor(cell / by)) * image.width + x + (cell % by);
      sum += image.pixels[source * 4 + channel];
    }
    pixels[at] = Math.round(sum / (by * by));
  }
  return encode({ width, height, pixels }, colours);
}

/**
 * The changed part of a picture, from 0 to 1, and its place. All of it if the sizes differ.
 * @param {Buffer} before
 * @param {Buffer} after
 */
export function difference(before, after) {
  const [one, other] = [decode(before), decode(after)];
  const { width, height } = one;
  if (width !== other.width || height !== other.height) return { share: 1 };
  const pixels = new Uint8Array(width * height * 4);
  const count = pixelmatch(one.pixels, other.pixels, pixels, width, height, { threshold: 0.15 });
  const picture = count === 0 ? undefined : encode({ width, height, pixels }, 64);
  return { share: count / (width * height), picture };
}
