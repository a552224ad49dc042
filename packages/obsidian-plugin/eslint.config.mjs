// The rules of Obsidian's plugin directory, whose scanner reads the whole repository. It runs at the
// repository's root, where the rules look for manifest.json.
import obsidianmd from "eslint-plugin-obsidianmd";

/** Names that keep their capitals in the middle of a text. */
const brands = ["Claude Code", "Obsidian", "Idewire", "Windows Subsystem for Linux"];

/** What is typed as it stands, and parts of sentences. */
const ignoreRegex = ["/ide\\b", "--ide\\b", "agent: false", "^(?:it|its|the|lines?) "];

const sources = ["packages/*/src/**/*.{ts,tsx}"];

export default [
  {
    ignores: [
      "**/dist/**",
      "**/*.mjs",
      "**/*.test.ts",
      "**/*.test-d.ts",
      "packages/paired-comments/src/**/{fixtures,testing}/**",
    ],
  },
  ...obsidianmd.configs.recommendedWithLocalesEn,
  {
    files: sources,
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "obsidianmd/ui/sentence-case": ["warn", { brands, enforceCamelCaseLower: true }],
    },
  },
  {
    // They run in a web page, which has none of the app's functions.
    files: ["packages/{codemirror,web-playground}/src/**/*.{ts,tsx}"],
    rules: { "obsidianmd/prefer-create-el": "off", "obsidianmd/platform": "off" },
  },
  {
    // They run outside Obsidian alone: `fetch` and `localStorage` are what there is.
    files: ["packages/{http,web-playground,cli}/**/*.{ts,tsx}"],
    rules: { "no-restricted-globals": "off" },
  },
  {
    // It runs in Node and in workers as well, which have no `window`.
    files: ["packages/http/src/**/*.ts"],
    rules: { "obsidianmd/prefer-window-timers": "off" },
  },
  {
    files: ["packages/obsidian-plugin/src/texts/en/*.ts"],
    rules: {
      "obsidianmd/ui/sentence-case-locale-module": ["warn", { brands, ignoreRegex }],
    },
  },
];
