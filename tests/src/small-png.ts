import upng from "upng-js";

/** A screenshot of a page with a palette of 256 colours, at about a third of the size. */
export function toSmallPng(png: Buffer): Buffer {
  const image = upng.decode(
    png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength) as ArrayBuffer,
  );
  const [pixels = new ArrayBuffer(0)] = upng.toRGBA8(image);
  return Buffer.from(upng.encode([pixels], image.width, image.height, 256));
}
