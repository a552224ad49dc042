import type { Anchor, Point, Surroundings } from "../anchors/store/anchor.ts";
import type { Outline } from "../anchors/store/outline.ts";
import { Fields } from "./fields.ts";
import { share } from "./share.ts";

/** Reads the anchor of a marker. */
export function readAnchor(value: unknown, path: string): Anchor {
  const fields = new Fields(value, path);
  const quote = new Fields(fields.take("quote"), `${path}.quote`);
  const end = fields.take("end");
  const outline = fields.number("outline");
  const origin = fields.text("origin");
  return {
    start: readPoint(fields.take("start"), `${path}.start`),
    ...(end === undefined ? {} : { end: readPoint(end, `${path}.end`) }),
    quote: {
      exact: quote.text("exact") ?? "",
      prefix: quote.text("prefix") ?? "",
      suffix: quote.text("suffix") ?? "",
    },
    scope: texts(fields, "scope"),
    type: fields.text("type") ?? "",
    hash: fields.text("hash") ?? "",
    ...(outline === undefined ? {} : { outline }),
    ...(origin === undefined ? {} : { origin }),
  };
}

/** Reads the outline of the source. */
export function readOutline(value: unknown, path: string): Outline {
  const fields = new Fields(value, path);
  return {
    language: fields.required(fields.text("language"), "language", "a string"),
    hash: fields.required(fields.text("hash"), "hash", "a string"),
    types: texts(fields, "types"),
    units: texts(fields, "units"),
  };
}

function readPoint(value: unknown, path: string): Point {
  const fields = new Fields(value, path);
  const unit = fields.required(fields.number("unit"), "unit", "a number");
  const at = fields.text("at");
  if (at !== "start" && at !== "end" && at !== "inside") {
    throw fields.damage("at", "start, end or inside", at);
  }
  const around = fields.take("around");
  const lines = fields.number("lines");
  return {
    unit,
    at,
    tokens: texts(fields, "tokens"),
    ...(around === undefined ? {} : { around: readSurroundings(around, `${path}.around`) }),
    ...(lines === undefined ? {} : { lines }),
  };
}

function readSurroundings(value: unknown, path: string): Surroundings {
  const fields = new Fields(value, path);
  const place = fields.number("place");
  const onLine = fields.number("onLine");
  return {
    index: fields.required(fields.number("index"), "index", "a number"),
    tokens: texts(fields, "tokens"),
    ...(place === undefined ? {} : { place }),
    ...(onLine === undefined ? {} : { onLine }),
    ...(fields.boolean("isDeep") ? { isDeep: true } : {}),
  };
}

function texts(fields: Fields, key: string): readonly string[] {
  return (fields.list(key) ?? []).map((item, index) => {
    if (typeof item !== "string") throw fields.damage(`${key}[${index}]`, "a string", item);
    return share(item);
  });
}
