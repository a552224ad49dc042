import type { StreamParser, StringStream } from "@codemirror/language";

/** A bracket, a template or a comment that is open. */
interface Open {
  readonly close: string;
  /** Of the line in which it was opened. */
  readonly indentation: number;
  readonly outer: Open | undefined;
}

interface ScriptState {
  open: Open | undefined;
  /** Whether a value may begin here, so that a `/` divides nothing. */
  isStart: boolean;
}

const KEYWORDS =
  /^(?:abstract|as|async|await|break|case|catch|class|const|continue|debugger|declare|default|delete|do|else|enum|export|extends|finally|for|from|function|get|if|implements|import|in|infer|instanceof|interface|is|keyof|let|namespace|new|of|override|private|protected|public|readonly|return|satisfies|set|static|super|switch|this|throw|try|type|typeof|var|void|while|with|yield)$/;
const TYPES = /^(?:[A-Z]\w*|any|bigint|boolean|never|number|object|string|symbol|unknown)$/;
const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** What begins with its first characters, and how it is coloured. */
const tokens: readonly (readonly [RegExp, string])[] = [
  [/^\/\/.*/, "comment"],
  [/^#!.*/, "meta"],
  [/^(["'])(?:\\.|(?!\1)[^\\])*\1(?=\s{0,9}:)/, "propertyName"],
  [/^(["'])(?:\\.|(?!\1)[^\\])*\1?/, "string"],
  [/^(?:0[xob][\da-f_]+|\.?\d[\d_]*(?:\.[\d_]+)?(?:e[+-]?\d+)?)n?/i, "number"],
  [/^\??\.#?[\w$\u00a1-\uffff]+/, "propertyName"],
];
const REGEXP = /^\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/[a-z]*/;

/** Enough of JavaScript, TypeScript and JSON to colour and indent them. */
export const script: StreamParser<ScriptState> = {
  name: "script",
  startState: () => ({ open: undefined, isStart: true }),
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
  token(stream, state) {
    const close = state.open?.close;
    if (close === "`" || close === "*/") return readOn(stream, state, close);
    if (stream.eatSpace()) return null;
    const found = tokens.find(([form]) => stream.match(form))?.[1];
    const style = found ?? readWord(stream, state) ?? readSign(stream, state);
    if (style !== "comment") state.isStart = style === "keyword" || style === "operator";
    return style;
  },
  indent({ open }, textAfter, { unit }) {
    if (open === undefined) return 0;
    // In a comment or a template a line stands as the one before.
    if (open.close === "*/" || open.close === "`") return null;
    return open.indentation + (textAfter.startsWith(open.close) ? 0 : unit);
  },
};

function begin(close: string, stream: StringStream, state: ScriptState): void {
  state.open = { close, indentation: stream.indentation(), outer: state.open };
}

/** What goes over several lines. */
function readOn(stream: StringStream, state: ScriptState, close: "`" | "*/"): string {
  const style = close === "`" ? "string" : "comment";
  while (!stream.eol()) {
    if (stream.match(close)) {
      state.open = state.open?.outer;
      break;
    }
    if (close === "`" && stream.match("${")) {
      begin("}", stream, state);
      state.isStart = true;
      break;
    }
    if (stream.next() === "\\" && close === "`") stream.next();
  }
  return style;
}

function readWord(stream: StringStream, state: ScriptState): string | undefined {
  if (!stream.match(/^[\w$\u00a1-\uffff]+/)) return undefined;
  const word = stream.current();
  if (state.open?.close === "}" && stream.match(/^\??:/, false)) return "propertyName";
  if (/^(?:true|false|null)$/.test(word)) return "bool";
  if (KEYWORDS.test(word)) return "keyword";
  return TYPES.test(word) ? "typeName" : "variableName";
}

function readSign(stream: StringStream, state: ScriptState): string {
  if (state.isStart && stream.match(REGEXP)) return "string";
  const sign = stream.match("/*") ? "/*" : (stream.next() ?? "");
  const close = sign === "/*" ? "*/" : sign === "`" ? "`" : closers[sign];
  if (close !== undefined) begin(close, stream, state);
  else if (sign === state.open?.close) state.open = state.open?.outer;
  if (close === "`") return "string";
  if (close === "*/") return "comment";
  return /[)\]}]/.test(sign) ? "bracket" : "operator";
}
