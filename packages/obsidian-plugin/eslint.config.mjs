// The rules of Obsidian's plugin directory, for all that main.js is made of. It runs at the
// repository's root, where the rules look for manifest.json.
import obsidianmd from "eslint-plugin-obsidianmd";

/** Names that keep their capitals in the middle of a text. */
const brands = ["Claude Code", "Obsidian", "Idewire", "Windows Subsystem for Linux"];

/** What is typed as it stands, and parts of sentences. */
const ignoreRegex = ["/ide\\b", "--ide\\b", "agent: false", "^(?:it|its|the|lines?) "];

const sources = ["packages/{codemirror,core,node-server,obsidian-plugin}/src/**/*.ts"];

export default [
  {
    ignores: [
      "**/dist/**",
      "**/*.mjs",
      "**/*.test.ts",
      "**/*.test-d.ts",
      // What the plugin does not bundle.
      "packages/core/src/{json-schema,testing}/**",
      "packages/node-server/src/{cli,folder-host}/**",
      "packages/obsidian-plugin/src/testing/**",
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
    // It runs in the page as well, which has none of the app's functions.
    files: ["packages/codemirror/src/**/*.ts"],
    rules: { "obsidianmd/prefer-create-el": "off" },
  },
  {
    files: ["packages/obsidian-plugin/src/texts/en/*.ts"],
    rules: {
      "obsidianmd/ui/sentence-case-locale-module": ["warn", { brands, ignoreRegex }],
    },
  },
];
