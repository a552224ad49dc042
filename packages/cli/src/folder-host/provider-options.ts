/** How a diagnostics provider's program is started, and what the person learns of it. */
interface ProviderOptions {
  /** As typed after a prompt; a shell runs it in the folder. */
  readonly command: string;
  /** Called once for each thing that the person should know, such as that it cannot be run; one line. */
  readonly onNotice?: (words: string) => void;
  /** Called with each line that the program prints for people. */
  readonly onLine?: (line: string) => void;
}

/** How a language server is run. */
export interface LanguageServerOptions extends ProviderOptions {
  /**
   * What it is sent, and gets when it asks for its configuration: nested sections, or sections with
   * dots in the outermost names, as in VS Code's `settings.json`. Every answer is `null` when left out.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Of `initialize`; takes precedence over the options that well-known servers get anyway. */
  readonly initializationOptions?: Readonly<Record<string, unknown>>;
  /** 30,000: how long it may take to answer `initialize`. */
  readonly startTimeoutMs?: number;
  /** 16 MiB: a longer message ends it. */
  readonly maxMessageBytes?: number;
  /** 1,000: the pause before the first restart; each further one is twice as long. */
  readonly restartMs?: number;
}

/** How a linter or compiler is run. */
export interface LinterOptions extends ProviderOptions {
  /** How its output is read; found out from the output when left out. */
  readonly matchers?: readonly ProblemMatcher[];
  /** 300: how long after a change it is run. */
  readonly delayMs?: number;
  /** 120,000: how long a run may take. */
  readonly timeoutMs?: number;
}

/** Names groups of a regular expression by number; those left out are not there. */
export interface ProblemPattern {
  readonly regexp: string;
  /** `file`: problems of whole files; `location` when left out. */
  readonly kind?: "file" | "location";
  readonly file?: number;
  /** `12`, `12,5` or `12,5,13,1`. */
  readonly location?: number;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly severity?: number;
  readonly code?: number;
  readonly message?: number;
  /** The last of several patterns: it may match one line after the other. */
  readonly loop?: boolean;
  /** Of several patterns: lines that may be before this one's. The first pattern may match there again. */
  readonly between?: string;
}

/** How problems are found in lines of output: the part of VS Code's format that is about that. */
export interface ProblemMatcher {
  /** Names the problems where `source` does not. */
  readonly owner?: string;
  readonly source?: string;
  /** Of what names none itself; `error` when left out. */
  readonly severity?: "error" | "warning" | "info";
  /** What files are relative to; the folder when left out. */
  readonly fileLocation?: string | readonly string[];
  /** One for each line of a problem. */
  readonly pattern: ProblemPattern | readonly ProblemPattern[];
}
