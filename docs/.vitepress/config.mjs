import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import { repository } from "../../scripts/repository.mjs";
import { repositoryLinks } from "../scripts/links.mjs";
import { dialects, placeOf } from "../scripts/tree.mjs";
import { nav, sidebar } from "./menu.mjs";

const address = `https://github.com/${repository.owner}/${repository.name}`;

/** The path below which the site is served, with a slash at both ends. */
const base = process.env.DOCS_BASE ?? "/";

export default defineConfig({
  lang: "en",
  title: "idewire",
  description: "Connects editors to coding agents in a terminal.",
  base,
  head: [["link", { rel: "icon", href: `${base}play/icon.svg` }]],
  srcExclude: ["scripts/**"],
  rewrites: placeOf,
  markdown: {
    // As GitHub, where the same pages are read.
    anchor: { slugify: slug },
    languageAlias: { elisp: "lisp", vim: "viml" },
    config: (markdown) => markdown.use(repositoryLinks),
  },
  themeConfig: {
    nav: nav(),
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: address }],
    dialects: dialects(),
  },
});
