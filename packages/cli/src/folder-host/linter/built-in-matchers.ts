import type { ProblemMatcher, ProblemPattern } from "../provider-options.ts";

type Field = Exclude<keyof ProblemPattern, "regexp" | "kind" | "loop" | "between">;

/** A pattern whose groups are these fields, in order. */
function groups(fields: readonly Field[], regexp: string): ProblemPattern {
  return { regexp, ...Object.fromEntries(fields.map((field, index) => [field, index + 1])) };
}

/** The named matchers, the most specific first. */
export const builtInMatchers: Readonly<Record<string, ProblemMatcher>> = {
  tsc: {
    source: "tsc",
    pattern: groups(
      ["file", "line", "column", "severity", "code", "message"],
      // Plain `a.ts(3,7): error TS1: …` and pretty `a.ts:3:7 - error TS1: …`.
      String.raw`^(\S.*?)(?:\(|:)(\d+)(?:,|:)(\d+)(?:\):| -) (error|warning|info|message) (TS\d+): (.*)$`,
    ),
  },
  "ms-compile": {
    pattern: groups(
      ["file", "line", "column", "severity", "code", "message"],
      // `A.cs(3,5): error CS1: … [/a/b.csproj]`, `a.cpp(3): fatal error C1: …`, with the number of a parallel build.
      String.raw`^\s*(?:\d+>)?(\S.*?)\((\d+)(?:,(\d+))?(?:,\d+,\d+)?\) ?: (?:fatal )?(error|warning|info) ([A-Z]+\d+): (.*?)(?: \[[^\]]*proj(?:::[^\]]*)?\])?$`,
    ),
  },
  github: {
    pattern: groups(
      ["severity", "file", "line", "column", "message"],
      // `::error file=a.js,line=3,col=5,title=T::…`, the members in any order.
      String.raw`^::(error|warning|notice) (?=(?:.*?,)?file=([^,]+?)(?:,|::))(?=(?:.*?,)?line=(\d+))(?=(?:(?:.*?,)?col=(\d+))?).*?::(.+)$`,
    ),
  },
  kotlin: {
    source: "kotlin",
    pattern: groups(
      ["severity", "file", "line", "column", "message"],
      // Of Gradle: `e: file:///a/B.kt:3:5 …`, before Kotlin 1.9 `e: /a/B.kt: (3, 5): …`.
      String.raw`^([ewi]): (?:file://)?(?:/(?=[A-Za-z]:))?(\S.*?):(?: \()?(\d+)(?::|, )(\d+)(?:\):)? (.*)$`,
    ),
  },
  maven: {
    source: "maven",
    pattern: groups(
      ["severity", "file", "line", "column", "message"],
      // `[ERROR] /a/B.java:[3,5] …`, and `(3, 5)` of Kotlin; on Windows a slash is before the drive.
      String.raw`^\[(ERROR|WARNING|INFO)\]\s+(?:file://)?(?:/(?=[A-Za-z]:))?(\S.*?):\s?[[(](\d+)(?:, ?(\d+))?[\])]:? (?:(?:error|warning): )?(.*)$`,
    ),
  },
  python: {
    source: "python",
    pattern: [
      groups(
        ["file", "line"],
        // A frame of a traceback, or the place of a SyntaxError; with leading bars in an exception group.
        String.raw`^[\s|]*File "([^"<]+)", line (\d+)(?:, in .*)?$`,
      ),
      {
        ...groups(
          ["message", "code"],
          String.raw`^(?:[\s|]*\| )?(((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: .*)?)$`,
        ),
        between: String.raw`^(?:\s|$)`,
      },
    ],
  },
  php: {
    source: "php",
    pattern: groups(
      ["severity", "message", "file", "line"],
      // `PHP Parse error:  … in /a/b.php on line 3`, on stdout without "PHP".
      String.raw`^(?:PHP )?((?:Parse|Fatal|Catchable fatal|Compile) error|(?:User )?(?:Warning|Notice|Deprecated)): +(.+) in (\S.*?)(?: on line |:)(\d+)$`,
    ),
  },
  phpunit: {
    source: "phpunit",
    pattern: [
      groups(["code"], String.raw`^\d+\) (\S+::\S.*)$`),
      groups(["message"], String.raw`^(\S.*)$`),
      {
        ...groups(["file", "line"], String.raw`^((?:/|[A-Za-z]:[\\/]).*\.php):(\d+)$`),
        between: "^(?!\\d+\\) )",
      },
    ],
  },
  phpstan: {
    source: "phpstan",
    pattern: [
      groups(["file"], String.raw`^\s+Line\s+(\S.*?\.\w+)(?:\s+\(in context .*\))?\s*$`),
      {
        ...groups(["line", "message"], String.raw`^\s+(\d+)\s{2,}(\S.*)$`),
        between: String.raw`^\s*(?:-|$)|^\s{6}`,
        loop: true,
      },
    ],
  },
  cmake: {
    source: "cmake",
    pattern: [
      groups(
        ["severity", "file", "line"],
        String.raw`^CMake (?:Deprecation )?(Error|Warning)(?: \(dev\))? (?:at|in) (\S.*?):(\d+)(?: \(\w+\))?:?$`,
      ),
      { ...groups(["message"], String.raw`^\s+(\S.*)$`), between: String.raw`^\s*$` },
    ],
  },
  ruby: {
    source: "ruby",
    pattern: groups(
      ["file", "line", "message"],
      // `a.rb:3:in 'f': undefined method (NoMethodError)`
      String.raw`^(\S.*?\.\w+):(\d+):in [\x60'][^']*': (.+)$`,
    ),
  },
  minitest: {
    source: "minitest",
    pattern: [
      groups(["code", "file", "line"], String.raw`^([^\s#]+#\S+) \[(\S.*?):(\d+)\]:$`),
      groups(["message"], String.raw`^(\S.*)$`),
    ],
  },
  rspec: {
    source: "rspec",
    pattern: groups(["file", "line", "message"], String.raw`^rspec (\S+):(\d+) # (.+)$`),
  },
  "test-more": {
    source: "perl",
    pattern: [
      groups(["message"], String.raw`^\s*#\s+(Failed (?:\(TODO\) )?test(?: '.*')?)$`),
      groups(["file", "line"], String.raw`^\s*#\s+at (\S.*?) line (\d+)\.$`),
    ],
  },
  perl: {
    source: "perl",
    pattern: groups(
      ["message", "file", "line"],
      String.raw`^([^\s#].*) at (\S+\.(?:p[lm]|t)) line (\d+)(?:[.,].*)?$`,
    ),
  },
  node: {
    source: "node",
    pattern: [
      groups(
        ["file", "line"],
        String.raw`^(?:file://)?((?:/|[A-Za-z]:[\\/]).*\.[cm]?[jt]s):(\d+)$`,
      ),
      { regexp: String.raw`^\s*\^+\s*$`, between: "^" },
      { ...groups(["message"], String.raw`^(\S.*)$`), between: String.raw`^\s*$` },
    ],
  },
  "node-test": {
    source: "node",
    pattern: [
      groups(
        ["file", "line", "column"],
        // The reports `spec` and `tap`.
        String.raw`^(?:test at |\s+location: ')(?:file://)?(\S.*?):(\d+):(\d+)'?$`,
      ),
      {
        ...groups(
          ["message"],
          String.raw`^\s+(?:error: ["'])?(?!\s|(?!\w*(?:Error|Exception): )\w+: )(.+?)["']?$`,
        ),
        between: String.raw`^✖|^\s+(?:error: \|-|(?!error)[a-z]\w*: .*)$`,
      },
    ],
  },
  sbt: {
    source: "scala",
    pattern: groups(
      ["severity", "file", "line", "column", "message"],
      String.raw`^\[(error|warn|info)\] (\S.*?):(\d+):(?:(\d+):)? (.*)$`,
    ),
  },
  "eslint-stylish": {
    source: "eslint",
    pattern: [
      groups(["file"], String.raw`^((?:/|[A-Za-z]:[\\/]|\./)?[^\s:].*\.\w+)$`),
      {
        ...groups(
          ["line", "column", "severity", "message", "code"],
          String.raw`^\s+(\d+):(\d+)\s+(error|warning|info)\s+(.*?)(?:\s\s+(\S+))?$`,
        ),
        loop: true,
      },
    ],
  },
  "eslint-compact": {
    source: "eslint",
    pattern: groups(
      ["file", "line", "column", "severity", "message", "code"],
      String.raw`^(\S.*?): line (\d+), col (\d+), (Error|Warning|Info) - (.*?)(?: \(([^()\s]+)\))?$`,
    ),
  },
  biome: {
    source: "biome",
    pattern: [
      groups(
        ["file", "line", "column", "code"],
        String.raw`^(\S.*?):(\d+):(\d+) ([a-z]+(?:/\w+)*) .*━$`,
      ),
      { regexp: String.raw`^\s*$` },
      groups(["severity", "message"], String.raw`^\s+([×✖!i])\s+(.+)$`),
    ],
  },
  cargo: {
    source: "rustc",
    pattern: [
      groups(
        ["severity", "code", "message"],
        String.raw`^(error|warning)(?:\[([A-Z]\d+)\])?: (.+)$`,
      ),
      groups(["file", "line", "column"], String.raw`^\s*--> (.+?):(\d+):(\d+)$`),
    ],
  },
  gcc: {
    source: "gcc",
    pattern: groups(
      ["file", "line", "column", "severity", "message", "code"],
      String.raw`^(\S.*?):(\d+):(?:(\d+):)? (fatal error|error|warning|note): (.*?)(?: \[(-W[^\]\s]+)\])?$`,
    ),
  },
  go: {
    source: "go",
    pattern: groups(
      ["file", "line", "column", "message"],
      // A test's own words are indented.
      String.raw`^\s*(?:vet: )?(\S+?\.go):(\d+):(?:(\d+):)? (.*)$`,
    ),
  },
  unix: {
    pattern: groups(
      ["file", "line", "column", "severity", "code", "message"],
      String.raw`^(\S.*?):(\d+)(?::(\d+))?:? +(?:(?:fatal )?(error|warning|info|information|note|hint)\b[: ]*)?(?:\[?([A-Z]{1,4}\d{1,5})\]?:? +)?(.+)$`,
    ),
  },
};

/** Aliases of the matchers. */
export const matcherAliases: Readonly<Record<string, string>> = {
  "gcc-like": "gcc",
  clang: "gcc",
  eslint: "eslint-stylish",
  rustc: "cargo",
  "tsc-watch": "tsc",
  msCompile: "ms-compile",
};
