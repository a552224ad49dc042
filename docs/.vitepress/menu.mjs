import { join, relative } from "node:path";
import { packages } from "../../scripts/repository.mjs";
import { entriesOf, pageOf, specifierOf } from "../scripts/packages.mjs";
import {
  addressOf,
  dialects,
  docs,
  GENERATED,
  placeOf,
  root,
  titleOf,
  toAddress,
} from "../scripts/tree.mjs";

/** The line at the top of every page. */
export function nav() {
  return [
    { text: "Get started", link: "/start/", activeMatch: "^/start/" },
    { text: "Guide", link: "/guide/running.html", activeMatch: "^/guide/" },
    { text: "Recipes", link: "/recipes/key-bindings.html", activeMatch: "^/recipes/" },
    {
      text: "Reference",
      activeMatch: "^/(reference|clients|api)/",
      items: [
        { text: "Protocols", link: "/reference/protocol/" },
        { text: "Formats and rules", link: "/reference/checks.html" },
        { text: "API of the packages", link: "/api/core/" },
      ],
    },
    {
      text: "Coming from",
      activeMatch: "^/coming-from/",
      items: [
        page("docs/coming-from/official-sdk.md"),
        page("docs/coming-from/claudecode-nvim.md"),
        page("docs/coming-from/mcp-inspector.md"),
      ],
    },
    { text: "Playground", link: "/playground.html" },
  ];
}

/** The menu at the left, the same on every page but those of the API. */
export function sidebar() {
  const groups = [
    {
      text: "Get started",
      items: [
        page("docs/start/README.md"),
        page("packages/obsidian-plugin/README.md"),
        ...["editors", "agents", "mcp-servers", "learners"].map((name) =>
          page(`docs/start/${name}.md`),
        ),
      ],
    },
    group(
      "Guide",
      [
        ...[
          "guide/running",
          "guide/browser",
          "guide/diagnostics",
          "guide/inspecting",
          "guide/comments",
        ],
        ...["guide/mcp", "guide/testing"],
      ],
      ["editors/neovim/README.md", "editors/emacs/README.md", "packages/web-playground/README.md"],
    ),
    group(
      "Recipes",
      ["recipes/key-bindings", "recipes/agents-elsewhere"],
      ["examples/any-editor/README.md", "examples/scenarios/README.md"],
    ),
    group("Coming from", [
      "coming-from/official-sdk",
      "coming-from/claudecode-nvim",
      "coming-from/mcp-inspector",
    ]),
    {
      text: "Protocols",
      items: [
        page("docs/reference/protocol/README.md"),
        ...dialects().map(({ text, page }) => ({ text, link: `/${page}.html` })),
        page("docs/reference/seeds.md"),
        page("docs/reference/host-protocol.md"),
        page("docs/reference/page-protocol.md"),
      ],
    },
    group(
      "Agents as measured",
      [
        "README",
        "claude-code",
        "opencode",
        "gemini-cli",
        "qwen-code",
        "copilot-cli",
        "codex",
        "acp",
      ].map((name) => `clients/${name}`),
    ),
    group(
      "Formats and rules",
      ["packages", "checks", "server-checks", "scenarios", "filters", "script"].map(
        (name) => `reference/${name}`,
      ),
      ["SECURITY.md", "CONTRIBUTING.md"],
    ),
    group(
      "How comments are matched",
      ["method", "figures", "benchmark"].map((name) => `reference/anchoring/${name}`),
    ),
    // The theme makes the title of a group without a link a button, around the button that opens it.
  ].map((each, index) => ({ ...each, link: each.items[0].link, collapsed: index > 3 }));
  return { "/api/": packages.map(api), "/": groups };
}

function group(text, pages, others = []) {
  return { text, items: [...pages.map((name) => page(`docs/${name}.md`)), ...others.map(page)] };
}

function page(file) {
  return { text: titleOf(file).split(":")[0], link: addressOf(file, "") };
}

function api(name) {
  const folder = join(root, "packages", name);
  const generated = join(docs, GENERATED);
  const items = Object.keys(entriesOf(folder)).map((entry) => {
    const id = relative(generated, pageOf(join(generated, "api", name), entry));
    return { text: specifierOf(folder, entry), link: toAddress(placeOf(id.replaceAll("\\", "/"))) };
  });
  return {
    text: specifierOf(folder, name),
    link: `/api/${name}/`,
    collapsed: false,
    items: [{ text: "Introduction", link: `/api/${name}/` }, ...items],
  };
}
