import { grammarsUrl, parserUrl } from "virtual:comment-parser";
import { createTextReader, type SourceReader } from "@idewire/paired-comments";
import { languageOf, type UnitTree } from "@idewire/paired-comments/internal";
import type { ParserAnswer, ParserRequest } from "./parser-worker.ts";

/** Cuts sources into units in a worker: the page's own policy allows no WebAssembly. */
export function createPageReader(): SourceReader {
  const text = createTextReader();
  if (parserUrl === undefined) return text;
  const parse = startParser(parserUrl);
  return {
    read: (path, source) =>
      languageOf(path) === undefined ? text.read(path, source) : parse(path, source),
    functions: async () => [],
  };
}

type Parse = (path: string, source: string) => Promise<UnitTree>;

interface Waiting {
  readonly resolve: (tree: UnitTree) => void;
  readonly reject: (error: Error) => void;
}

function startParser(url: string): Parse {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let last = 0;
  const start = (): Worker => {
    const started = new Worker(url, { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<ParserAnswer>) => {
      const one = waiting.get(data.id);
      waiting.delete(data.id);
      if ("tree" in data) one?.resolve(data.tree);
      else one?.reject(new Error(data.issue));
    });
    started.addEventListener("error", () => {
      // The network may be available at the next attempt.
      worker = undefined;
      for (const { reject } of waiting.values()) reject(new Error(NOT_LOADED));
      waiting.clear();
    });
    return started;
  };
  return (path, source) =>
    new Promise((resolve, reject) => {
      worker ??= start();
      last += 1;
      waiting.set(last, { resolve, reject });
      const request: ParserRequest = { id: last, path, source, grammars: grammarsUrl };
      worker.postMessage(request);
    });
}

const NOT_LOADED = "The parser could not be loaded; comments stay where they were";
