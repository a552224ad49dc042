import type { ProblemMatcher } from "../provider-options.ts";

/** The named matchers, the most specific first. */
export const builtInMatchers: Readonly<Record<string, ProblemMatcher>> = {
  tsc: {
    source: "tsc",
    pattern: {
      // Plain `a.ts(3,7): error TS1: …` and pretty `a.ts:3:7 - error TS1: …`.
      regexp: String.raw`^(\S.*?)(?:\(|:)(\d+)(?:,|:)(\d+)(?:\):| -) (error|warning|info|message) (TS\d+): (.*)$`,
      file: 1,
      line: 2,
      column: 3,
      severity: 4,
      code: 5,
      message: 6,
    },
  },
  "ms-compile": {
    pattern: {
      // `A.cs(3,5): error CS1: … [/a/b.csproj]`, `a.cpp(3): fatal error C1: …`, with the number of a parallel build.
      regexp: String.raw`^\s*(?:\d+>)?(\S.*?)\((\d+)(?:,(\d+))?(?:,\d+,\d+)?\) ?: (?:fatal )?(error|warning|info) ([A-Z]+\d+): (.*?)(?: \[[^\]]*proj(?:::[^\]]*)?\])?$`,
      file: 1,
      line: 2,
      column: 3,
      severity: 4,
      code: 5,
      message: 6,
    },
  },
  github: {
    pattern: {
      // `::error file=a.js,line=3,col=5,title=T::…`, the members in any order.
      regexp: String.raw`^::(error|warning|notice) (?=(?:.*?,)?file=([^,]+?)(?:,|::))(?=(?:.*?,)?line=(\d+))(?=(?:(?:.*?,)?col=(\d+))?).*?::(.+)$`,
      severity: 1,
      file: 2,
      line: 3,
      column: 4,
      message: 5,
    },
  },
  kotlin: {
    source: "kotlin",
    pattern: {
      // Of Gradle: `e: file:///a/B.kt:3:5 …`, before Kotlin 1.9 `e: /a/B.kt: (3, 5): …`.
      regexp: String.raw`^([ewi]): (?:file://)?(?:/(?=[A-Za-z]:))?(\S.*?):(?: \()?(\d+)(?::|, )(\d+)(?:\):)? (.*)$`,
      severity: 1,
      file: 2,
      line: 3,
      column: 4,
      message: 5,
    },
  },
  maven: {
    source: "maven",
    pattern: {
      // `[ERROR] /a/B.java:[3,5] …`, and `(3, 5)` of Kotlin; on Windows a slash is before the drive.
      regexp: String.raw`^\[(ERROR|WARNING|INFO)\]\s+(?:file://)?(?:/(?=[A-Za-z]:))?(\S.*?):\s?[[(](\d+)(?:, ?(\d+))?[\])]:? (?:(?:error|warning): )?(.*)$`,
      severity: 1,
      file: 2,
      line: 3,
      column: 4,
      message: 5,
    },
  },
  python: {
    source: "python",
    pattern: [
      {
        // A frame of a traceback, or the place of a SyntaxError; with leading bars in an exception group.
        regexp: String.raw`^[\s|]*File "([^"<]+)", line (\d+)(?:, in .*)?$`,
        file: 1,
        line: 2,
      },
      {
        regexp: String.raw`^(?:[\s|]*\| )?(((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: .*)?)$`,
        between: String.raw`^(?:\s|$)`,
        message: 1,
        code: 2,
      },
    ],
  },
  php: {
    source: "php",
    pattern: {
      // `PHP Parse error:  … in /a/b.php on line 3`, on stdout without "PHP".
      regexp: String.raw`^(?:PHP )?((?:Parse|Fatal|Catchable fatal|Compile) error|(?:User )?(?:Warning|Notice|Deprecated)): +(.+) in (\S.*?)(?: on line |:)(\d+)$`,
      severity: 1,
      message: 2,
      file: 3,
      line: 4,
    },
  },
  phpunit: {
    source: "phpunit",
    pattern: [
      { regexp: String.raw`^\d+\) (\S+::\S.*)$`, code: 1 },
      { regexp: String.raw`^(\S.*)$`, message: 1 },
      {
        regexp: String.raw`^((?:/|[A-Za-z]:[\\/]).*\.php):(\d+)$`,
        between: "^(?!\\d+\\) )",
        file: 1,
        line: 2,
      },
    ],
  },
  phpstan: {
    source: "phpstan",
    pattern: [
      { regexp: String.raw`^\s+Line\s+(\S.*?\.\w+)(?:\s+\(in context .*\))?\s*$`, file: 1 },
      {
        regexp: String.raw`^\s+(\d+)\s{2,}(\S.*)$`,
        between: String.raw`^\s*(?:-|$)|^\s{6}`,
        line: 1,
        message: 2,
        loop: true,
      },
    ],
  },
  cmake: {
    source: "cmake",
    pattern: [
      {
        regexp: String.raw`^CMake (?:Deprecation )?(Error|Warning)(?: \(dev\))? (?:at|in) (\S.*?):(\d+)(?: \(\w+\))?:?$`,
        severity: 1,
        file: 2,
        line: 3,
      },
      { regexp: String.raw`^\s+(\S.*)$`, between: String.raw`^\s*$`, message: 1 },
    ],
  },
  ruby: {
    source: "ruby",
    pattern: {
      // `a.rb:3:in 'f': undefined method (NoMethodError)`
      regexp: String.raw`^(\S.*?\.\w+):(\d+):in [\x60'][^']*': (.+)$`,
      file: 1,
      line: 2,
      message: 3,
    },
  },
  minitest: {
    source: "minitest",
    pattern: [
      { regexp: String.raw`^([^\s#]+#\S+) \[(\S.*?):(\d+)\]:$`, code: 1, file: 2, line: 3 },
      { regexp: String.raw`^(\S.*)$`, message: 1 },
    ],
  },
  rspec: {
    source: "rspec",
    pattern: { regexp: String.raw`^rspec (\S+):(\d+) # (.+)$`, file: 1, line: 2, message: 3 },
  },
  "test-more": {
    source: "perl",
    pattern: [
      { regexp: String.raw`^\s*#\s+(Failed (?:\(TODO\) )?test(?: '.*')?)$`, message: 1 },
      { regexp: String.raw`^\s*#\s+at (\S.*?) line (\d+)\.$`, file: 1, line: 2 },
    ],
  },
  perl: {
    source: "perl",
    pattern: {
      regexp: String.raw`^([^\s#].*) at (\S+\.(?:p[lm]|t)) line (\d+)(?:[.,].*)?$`,
      message: 1,
      file: 2,
      line: 3,
    },
  },
  node: {
    source: "node",
    pattern: [
      {
        regexp: String.raw`^(?:file://)?((?:/|[A-Za-z]:[\\/]).*\.[cm]?[jt]s):(\d+)$`,
        file: 1,
        line: 2,
      },
      { regexp: String.raw`^\s*\^+\s*$`, between: "^" },
      { regexp: String.raw`^(\S.*)$`, between: String.raw`^\s*$`, message: 1 },
    ],
  },
  "node-test": {
    source: "node",
    pattern: [
      {
        // The reports `spec` and `tap`.
        regexp: String.raw`^(?:test at |\s+location: ')(?:file://)?(\S.*?):(\d+):(\d+)'?$`,
        file: 1,
        line: 2,
        column: 3,
      },
      {
        regexp: String.raw`^\s+(?:error: ["'])?(?!\s|(?!\w*(?:Error|Exception): )\w+: )(.+?)["']?$`,
        between: String.raw`^✖|^\s+(?:error: \|-|(?!error)[a-z]\w*: .*)$`,
        message: 1,
      },
    ],
  },
  sbt: {
    source: "scala",
    pattern: {
      regexp: String.raw`^\[(error|warn|info)\] (\S.*?):(\d+):(?:(\d+):)? (.*)$`,
      severity: 1,
      file: 2,
      line: 3,
      column: 4,
      message: 5,
    },
  },
  "eslint-stylish": {
    source: "eslint",
    pattern: [
      { regexp: String.raw`^((?:/|[A-Za-z]:[\\/]|\./)?[^\s:].*\.\w+)$`, file: 1 },
      {
        regexp: String.raw`^\s+(\d+):(\d+)\s+(error|warning|info)\s+(.*?)(?:\s\s+(\S+))?$`,
        line: 1,
        column: 2,
        severity: 3,
        message: 4,
        code: 5,
        loop: true,
      },
    ],
  },
  "eslint-compact": {
    source: "eslint",
    pattern: {
      regexp: String.raw`^(\S.*?): line (\d+), col (\d+), (Error|Warning|Info) - (.*?)(?: \(([^()\s]+)\))?$`,
      file: 1,
      line: 2,
      column: 3,
      severity: 4,
      message: 5,
      code: 6,
    },
  },
  biome: {
    source: "biome",
    pattern: [
      {
        regexp: String.raw`^(\S.*?):(\d+):(\d+) ([a-z]+(?:/\w+)*) .*━$`,
        file: 1,
        line: 2,
        column: 3,
        code: 4,
      },
      { regexp: String.raw`^\s*$` },
      { regexp: String.raw`^\s+([×✖!i])\s+(.+)$`, severity: 1, message: 2 },
    ],
  },
  cargo: {
    source: "rustc",
    pattern: [
      {
        regexp: String.raw`^(error|warning)(?:\[([A-Z]\d+)\])?: (.+)$`,
        severity: 1,
        code: 2,
        message: 3,
      },
      {
        regexp: String.raw`^\s*--> (.+?):(\d+):(\d+)$`,
        file: 1,
        line: 2,
        column: 3,
      },
    ],
  },
  gcc: {
    source: "gcc",
    pattern: {
      regexp: String.raw`^(\S.*?):(\d+):(?:(\d+):)? (fatal error|error|warning|note): (.*?)(?: \[(-W[^\]\s]+)\])?$`,
      file: 1,
      line: 2,
      column: 3,
      severity: 4,
      message: 5,
      code: 6,
    },
  },
  go: {
    source: "go",
    pattern: {
      // A test's own words are indented.
      regexp: String.raw`^\s*(?:vet: )?(\S+?\.go):(\d+):(?:(\d+):)? (.*)$`,
      file: 1,
      line: 2,
      column: 3,
      message: 4,
    },
  },
  unix: {
    pattern: {
      regexp: String.raw`^(\S.*?):(\d+)(?::(\d+))?:? +(?:(?:fatal )?(error|warning|info|information|note|hint)\b[: ]*)?(?:\[?([A-Z]{1,4}\d{1,5})\]?:? +)?(.+)$`,
      file: 1,
      line: 2,
      column: 3,
      severity: 4,
      code: 5,
      message: 6,
    },
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
