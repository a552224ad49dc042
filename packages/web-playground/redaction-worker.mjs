// `virtual:redaction-worker`: the program of the worker that redacts a trace before it is shared. It is
// text, started from a Blob, so that the page in one file has it as well.
import { rollup } from "rollup";

const ID = "virtual:redaction-worker";
const entry = "src/share/redaction-worker.ts";

function virtual(load) {
  return {
    name: "redaction-worker",
    resolveId: (source) => (source === ID ? `\0${ID}` : null),
    load(id) {
      return id === `\0${ID}` ? load.call(this) : null;
    },
  };
}

/** @param options of the page's build, without its outputs */
export function redactionWorker(options) {
  return virtual(async function () {
    const bundle = await rollup({ ...options, input: entry });
    const { output } = await bundle.generate({ format: "iife", inlineDynamicImports: true });
    await bundle.close();
    const [{ code, moduleIds }] = output;
    for (const file of moduleIds.filter((id) => id.startsWith("/"))) this.addWatchFile(file);
    return `export const program = ${JSON.stringify(code)};\nexport const type = "classic";`;
  });
}

/** For the development server, which serves all files where they are. */
export function servedRedactionWorker() {
  const url = `new URL("/${entry}", location.href).href`;
  const code = `export const program = 'import "' + ${url} + '";';\nexport const type = "module";`;
  return virtual(() => code);
}
