// The part of the example that the tests need in jsdom. In JavaScript, since these tests have no browser types.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as page from "@idewire/core/page";

// What Monaco asks a browser for, and jsdom lacks.
Object.assign(globalThis, {
  matchMedia: () => ({ matches: false, addEventListener() {}, addListener() {} }),
  ResizeObserver: class {
    observe() {}
    disconnect() {}
  },
  CSS: { escape: String, supports: () => false },
});
Object.assign(document, { queryCommandSupported: () => false });
HTMLCanvasElement.prototype.getContext = () => null;

/** The editor and the host of the example, as its page bundles them. */
function bundle() {
  const contents = [
    'export * as monaco from "monaco-editor/editor/editor.api";',
    'export { MonacoHost } from "./monaco-host.ts";',
  ];
  const flags = ["--bundle", "--format=iife", "--global-name=bundle", "--loader=ts"];
  const loaders = ["--loader:.ttf=empty", "--loader:.css=empty", "--external:@idewire/core/page"];
  const esbuild = createRequire(import.meta.filename).resolve("esbuild/bin/esbuild");
  const code = execFileSync(esbuild, [...flags, ...loaders, "--log-level=error"], {
    cwd: join(import.meta.dirname, "../../examples/monaco"),
    input: contents.join("\n"),
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  // The classes of errors are then those of the contract.
  return new Function("require", `${code}; return bundle;`)(() => page);
}

const { monaco, MonacoHost } = bundle();
const options = { model: null, overviewRulerLanes: 0, minimap: { enabled: false } };

/** A page with files on a disk, and one editor. */
export function openPage(disk) {
  const place = document.createElement("div");
  document.body.append(place);
  const editor = monaco.editor.create(place, options);
  const show = (file) => editor.setModel(host.file(file, disk.get(file) ?? ""));
  const host = new MonacoHost(monaco, {
    name: "Notes",
    version: "1.0.0",
    folders: ["/notes"],
    read: async (file) => disk.get(file),
    open: show,
    save: async (file, text) => void disk.set(file, text),
    showReview: () => undefined,
  });
  const open = (file) => {
    if (editor.getModel()?.uri.path !== file) show(file);
    return editor.getModel();
  };
  return {
    host,
    edit(file, text) {
      const model = open(file);
      const before = model.getValue();
      const isAbove = text.endsWith(before);
      const start = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 };
      const range = isAbove ? start : model.getFullModelRange();
      const added = isAbove ? text.slice(0, -before.length) : text;
      model.pushEditOperations([], [{ range, text: added, forceMoveMarkers: true }], () => null);
    },
    select(file, { start, end }) {
      open(file);
      editor.setSelection({
        ...{ startLineNumber: start.line + 1, startColumn: start.character + 1 },
        ...{ endLineNumber: end.line + 1, endColumn: end.character + 1 },
      });
    },
    close() {
      host.close();
      editor.dispose();
      for (const model of monaco.editor.getModels()) model.dispose();
      place.remove();
    },
  };
}
