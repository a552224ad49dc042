import * as autocomplete from "@codemirror/autocomplete";
import * as collab from "@codemirror/collab";
import * as commands from "@codemirror/commands";
import * as language from "@codemirror/language";
import * as lint from "@codemirror/lint";
import * as search from "@codemirror/search";
import * as state from "@codemirror/state";
import * as view from "@codemirror/view";
import * as lezerCommon from "@lezer/common";
import * as lezerHighlight from "@lezer/highlight";
import * as lezerLr from "@lezer/lr";
import moment from "moment";
import { boot } from "./bridge/channel.ts";
import { HostDriver } from "./driver.ts";
import { watchListeners } from "./leaks.ts";
import { builtin, installGlobals } from "./node/modules.ts";
import { watchWindowTimers } from "./node/timers.ts";
import { App } from "./obsidian/app.ts";
import { installDom } from "./obsidian/dom.ts";
import { obsidian } from "./obsidian/index.ts";
import { seal } from "./obsidian/seal.ts";

declare global {
  interface Window {
    host: HostDriver;
  }
}

const provided: Readonly<Record<string, unknown>> = {
  "@codemirror/autocomplete": autocomplete,
  "@codemirror/collab": collab,
  "@codemirror/commands": commands,
  "@codemirror/language": language,
  "@codemirror/lint": lint,
  "@codemirror/search": search,
  "@codemirror/state": state,
  "@codemirror/view": view,
  "@lezer/common": lezerCommon,
  "@lezer/highlight": lezerHighlight,
  "@lezer/lr": lezerLr,
  obsidian: seal(obsidian),
  electron: {
    shell: {},
    clipboard: {
      writeText: (text: string) => void navigator.clipboard.writeText(text),
    },
    webUtils: {},
  },
};

function require(name: string): unknown {
  const found = provided[name] ?? builtin(name);
  if (found === undefined) throw new Error(`Cannot find module '${name}'`);
  return found;
}

watchListeners();
watchWindowTimers(window);
installDom(window);
installGlobals();
const app = new App();
app.plugins.require = require;
if (boot.theme === "contrast") document.body.addClass("high-contrast");
Object.assign(window, { app, require, moment, CodeMirrorAdapter: {} });
window.host = new HostDriver(app);
