/** How a published command line presents the editor's state to its model and its person (docs/clients). */
export interface AgentWords {
  /** For a file that is open without a selection; missing if the model receives none. */
  readonly active?: (name: string) => RegExp;
  /** For lines 2 and 3 of a.md, "two" and "three". */
  readonly selected: RegExp;
  /** After the end of a selection. */
  readonly nothing: RegExp;
  /** For a file that was opened in addition to others; missing if the model receives none. */
  readonly opened?: (name: string) => RegExp;
  /** For lines 2 and 3 of a.md, in its prompt and to its model; missing if it does not support mentions. */
  readonly mentioned?: {
    readonly prompt: string;
    readonly model: RegExp;
    /** For a whole file with the lines "first", "second" and "third". */
    readonly whole: RegExp;
  };
}

export const claudeWords: AgentWords = {
  active: (name) => new RegExp(`opened the file \\S+/${name} in the IDE`),
  selected: /selected the lines 2 to 3 from \S+\/a\.md:\ntwo\nthree\n/,
  nothing: /^(?!.*(selected the lines|opened the file))/s,
  mentioned: {
    prompt: "@a.md#L2-3",
    model: /2\ttwo\n3\tthree/,
    whole: /1\tfirst\n2\tsecond\n3\tthird/,
  },
};

export const opencodeWords: AgentWords = {
  active: (name) => new RegExp(`opened the file "\\S+/${name}"`),
  selected: /selected #2-3 from "\S+\/a\.md"\. ```two\nthree/,
  // It ignores entries without a path.
  nothing: /opened the file ""/,
  mentioned: {
    prompt: "@a.md#2-3",
    model: /2: two\n3: three/,
    whole: /1: first\n2: second\n3: third/,
  },
};

export const geminiWords: AgentWords = {
  active: (name) => new RegExp(`"activeFile(Changed)?": \\{\\s+"path": "\\S+/${name}"`),
  selected:
    /"path": "\S+\/a\.md",\s+"cursor": \{\s+"line": 3,\s+"character": 6\s+\}.*"selectedText": "two\\nthree"/s,
  nothing: /"selectedText": ""/,
  opened: (name) => new RegExp(`"filesOpened": \\[[^\\]]*/${name}"`),
};

export const qwenWords: AgentWords = {
  active: (name) => new RegExp(`Active file( changed)?:\\s+Path: \\S+/${name}\n`),
  selected:
    /Path: \S+\/a\.md\s+(Cursor|New position): line 3, character 6.*Selected text:\s+```\ntwo\nthree\n/s,
  nothing: /Selected text: \(none\)/,
  opened: (name) => new RegExp(`Files opened:[^:]*- \\S+/${name}\n`),
};

export const copilotWords: AgentWords = {
  selected: /File: a\.md \(lines 2-3\)\n```\ntwo\nthree\n/,
  nothing: /^(?!.*<ide_selection>)/s,
  mentioned: {
    prompt: "@a.md:2-3",
    model: /\/a\.md \(lines 2-3 of/,
    whole: /\/file-\d+\.md \(4 lines\)/,
  },
};

export const codexWords: AgentWords = {
  active: (name) => new RegExp(`## Active file: ${name}\n`),
  selected: /## Active file: a\.md\s+## Active selection of the file:\ntwo\nthree\n/,
  nothing: /^(?!.*(## Active selection|## Active file))/s,
  opened: (name) => new RegExp(`## Open tabs:\n(- .*\n)*- ${name}: ${name}\n`),
};
