import { existsSync } from "node:fs";
import type { OutgoingCall, Reply } from "./claude-link.ts";
import type { Leniency } from "./claude-options.ts";
import type { Transcript } from "./transcript.ts";
import type { JsonObject } from "./wire.ts";
import { isObject, parseJson, sleep, textItems, toObject } from "./wire.ts";

const baselineMs = 500;
const workspaceMs = 2000;
const leniency = 20;
const maxLateBaselines = 3;
const signs: Readonly<Record<string, string>> = {
  error: "✘",
  warning: "⚠",
  info: "ℹ",
  information: "ℹ",
  hint: "★",
};

export interface DiagnosticsLink {
  /** Undefined while not connected. */
  readonly call: (args: object) => OutgoingCall | undefined;
  readonly abandon: (id: number) => void;
  /** Whether the server answers for this path: it may refuse paths outside its folders. */
  readonly covers: (path: string) => boolean;
  /** The limits are {@link leniency} times as long. */
  readonly lenient: Leniency;
}

interface FileEntry {
  readonly uri: string;
  readonly diagnostics: readonly JsonObject[];
}

/** The new diagnostics of an edit: baselines before it, the workspace after it, and the difference. */
export class DiagnosticTracker {
  readonly #transcript: Transcript;
  readonly #link: DiagnosticsLink;
  readonly #baselines = new Map<string, readonly JsonObject[]>();
  #lateBaselines = 0;
  #off = false;

  constructor(transcript: Transcript, link: DiagnosticsLink) {
    this.#transcript = transcript;
    this.#link = link;
  }

  get asksForBaselines(): boolean {
    return !this.#off;
  }

  /** Whether a file edited in this turn or since the last prompt is watched. */
  get watching(): boolean {
    return this.#baselines.size > 0;
  }

  switchOff(): void {
    this.#off = true;
  }

  forget(): void {
    this.#baselines.clear();
  }

  async takeBaseline(path: string): Promise<void> {
    if (this.#off) return;
    const uri = `file://${path}`;
    const reply = await this.#ask({ uri }, baselineMs, "late-baseline");
    if (reply === "none") return;
    if (reply === "late") {
      this.#lateBaselines++;
      if (this.#lateBaselines === maxLateBaselines) this.#off = true;
      return;
    }
    this.#lateBaselines = 0;
    if (isRefusal(reply) && !this.#link.covers(path)) return;
    const entries = this.#readBatch(reply);
    this.#baselines.set(path, entries.find((entry) => entry.uri === uri)?.diagnostics ?? []);
  }

  /** The text for the model, or undefined when nothing is new. */
  async newDiagnostics(): Promise<string | undefined> {
    if (!this.watching) return undefined;
    const reply = await this.#ask({}, workspaceMs, "late-diagnostics");
    if (reply === "none" || reply === "late") return undefined;
    const parts: string[] = [];
    for (const entry of this.#readBatch(reply)) {
      const path = entry.uri.replace(/^(file:\/\/|_claude_fs_right:)/, "");
      const known = this.#baselines.get(path);
      if (!known) continue;
      const old = new Set(known.map(fingerprint));
      const fresh = entry.diagnostics.filter((item) => !old.has(fingerprint(item)));
      if (fresh.length === 0) continue;
      // Not measured: the next prompt leaves out diagnostics reported before.
      this.#baselines.set(path, [...known, ...fresh]);
      parts.push([`${path.split("/").at(-1)}:`, ...fresh.map(diagnosticLine)].join("\n"));
    }
    if (parts.length === 0) return undefined;
    const summary = parts.join("\n\n").slice(0, 4000);
    return `<new-diagnostics>The following new diagnostic issues were detected:\n\n${summary}</new-diagnostics>`;
  }

  async #ask(args: object, realMs: number, rule: string): Promise<Reply | "late" | "none"> {
    const call = this.#link.call(args);
    if (!call) return "none";
    const { lenient } = this.#link;
    const isLenient = lenient === true || (lenient !== false && rule === "late-baseline");
    const limitMs = realMs * (isLenient ? leniency : 1);
    const since = performance.now();
    const answer = await Promise.race([call.reply, sleep(limitMs).then(() => "late" as const)]);
    if (answer === "late") {
      this.#link.abandon(call.id);
      this.#transcript.violate(rule, `no answer within ${limitMs} ms`);
      return "late";
    }
    if (answer.kind === "lost") return "none";
    this.#transcript.add({
      kind: "state",
      state: "diagnostics-answered",
      detail: `${JSON.stringify(args)} in ${Math.round(performance.now() - since)} ms`,
    });
    return answer;
  }

  /** One bad diagnostic makes all of them vanish; entries of other schemes are skipped. */
  #readBatch(reply: Reply): readonly FileEntry[] {
    const result = reply.kind === "result" ? reply.result : undefined;
    if (isRefusal(reply)) {
      return this.#void("diagnostics-error", JSON.stringify(reply).slice(0, 500));
    }
    const texts = textItems(result);
    const parsed = texts.length === 1 && texts[0] !== undefined ? parseJson(texts[0]) : undefined;
    if (!parsed || !Array.isArray(parsed.value)) {
      return this.#void("diagnostics-shape", "not one text item with a JSON array");
    }
    const entries: FileEntry[] = [];
    for (const value of parsed.value as unknown[]) {
      const { uri, diagnostics } = toObject(value);
      if (typeof uri !== "string" || !Array.isArray(diagnostics)) {
        return this.#void("diagnostics-shape", JSON.stringify(value).slice(0, 200));
      }
      const bad = diagnostics.find((item: unknown) => !isDiagnostic(item));
      if (bad !== undefined) {
        const rule = isRange(toObject(bad)["range"]) ? "diagnostics-shape" : "diagnostic-range";
        return this.#void(rule, JSON.stringify(bad).slice(0, 200));
      }
      if (this.#isUsableUri(uri)) entries.push({ uri, diagnostics: diagnostics.filter(isObject) });
    }
    return entries;
  }

  #isUsableUri(uri: string): boolean {
    if (!uri.startsWith("file://") && !uri.startsWith("_claude_fs_right:")) {
      this.#transcript.violate("uri-scheme", uri);
      return false;
    }
    const raw = uri.slice("file://".length);
    if (!existsSync(raw) && existsSync(decoded(raw))) {
      this.#transcript.violate("encoded-uri", uri);
    }
    return true;
  }

  #void(rule: string, detail: string): readonly FileEntry[] {
    this.#transcript.violate(rule, detail);
    return [];
  }
}

function isRefusal(reply: Reply): boolean {
  return reply.kind !== "result" || toObject(reply.result)["isError"] === true;
}

function isDiagnostic(value: unknown): boolean {
  const { message, severity, range } = toObject(value);
  return typeof message === "string" && typeof severity === "string" && isRange(range);
}

function isRange(value: unknown): boolean {
  const { start, end } = toObject(value);
  return [start, end].every((position) => {
    const { line, character } = toObject(position);
    return typeof line === "number" && typeof character === "number";
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function fingerprint(item: JsonObject): string {
  const { message, severity, source, code, range } = item;
  return JSON.stringify([message, severity, source, code, range]);
}

function diagnosticLine(item: JsonObject): string {
  const { message, severity, source, code, range } = item;
  const { line, character } = toObject(toObject(range)["start"]);
  const sign = signs[String(severity).toLowerCase()] ?? "•";
  const place = `[Line ${Number(line) + 1}:${Number(character) + 1}]`;
  const extra = `${code === undefined ? "" : ` [${String(code)}]`}${source === undefined ? "" : ` (${String(source)})`}`;
  return `  ${sign} ${place} ${String(message)}${extra}`;
}
