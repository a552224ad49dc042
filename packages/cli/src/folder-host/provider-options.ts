/** How a diagnostics provider's program is started and reported on. */
interface ProviderOptions {
  /** As typed after a prompt; a shell runs it in the folder. */
  readonly command: string;
  /** Called once with each notice for the person, such as that the program cannot be run; one line. */
  readonly onNotice?: (words: string) => void;
  /** Called with each line that the program prints for the person. */
  readonly onLine?: (line: string) => void;
}

/** The options of a language server. */
export interface LanguageServerOptions extends ProviderOptions {
  /**
   * Its configuration, sent and returned on request: nested sections, or sections with dots in the outermost
   * names, as in VS Code's `settings.json`. Every answer is `null` when left out.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** For `initialize`; takes precedence over the default options of well-known servers. */
  readonly initializationOptions?: Readonly<Record<string, unknown>>;
  /** How long it may take to answer `initialize`; 30,000 when left out. */
  readonly startTimeoutMs?: number;
  /** A longer message terminates it; 16 MiB when left out. */
  readonly maxMessageBytes?: number;
  /** The pause before the first restart, doubled for each further one; 1,000 when left out. */
  readonly restartMs?: number;
}

/** The options of a linter or compiler. */
export interface LinterOptions extends ProviderOptions {
  /** How its output is read; detected when left out. */
  readonly matchers?: readonly ProblemMatcher[];
  /** The delay after a change; 300 when left out. */
  readonly delayMs?: number;
  /** How long a run may take; 120,000 when left out. */
  readonly timeoutMs?: number;
}

/** Assigns groups of a regular expression by number; fields left out are absent. */
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
  /** The last of several patterns: it may match repeatedly. */
  readonly loop?: boolean;
  /**
   * Lines that may precede this pattern's line, if there are several patterns. The first pattern may match
   * there again.
   */
  readonly between?: string;
}

/** How problems are found in lines of output: a part of VS Code's format. */
export interface ProblemMatcher {
  /** The name of the problems without `source`. */
  readonly owner?: string;
  readonly source?: string;
  /** The default severity; `error` when left out. */
  readonly severity?: "error" | "warning" | "info";
  /** The base of relative files; the folder when left out. */
  readonly fileLocation?: string | readonly string[];
  /** One for each line of a problem. */
  readonly pattern: ProblemPattern | readonly ProblemPattern[];
}
