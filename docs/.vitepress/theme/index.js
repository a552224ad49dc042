import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import DialectTabs from "./dialect-tabs.vue";
import PlayFrame from "./play-frame.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component("PlayFrame", PlayFrame),
  Layout: () => h(DefaultTheme.Layout, null, { "doc-before": () => h(DialectTabs) }),
};
