// A language server for tests: each word "bad" of a document is an error. Its only argument, JSON, defines its
// misbehaviour.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const how = JSON.parse(process.argv[2] ?? "{}");
const documents = new Map();
let rest = Buffer.alloc(0);
let requests = 0;

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function notify(method, params) {
  send({ method, params });
}

function lengthOf(text) {
  if (how.encoding === "utf-8") return Buffer.byteLength(text);
  return how.encoding === "utf-32" ? [...text].length : text.length;
}

function problems(text) {
  return text.split("\n").flatMap((line, number) =>
    [...line.matchAll(/bad/g)].map(({ index }) => {
      const start = { line: number, character: lengthOf(line.slice(0, index)) };
      const end = { line: number, character: start.character + 3 };
      return { range: { start, end }, severity: 1, message: "a bad word", ...how.item };
    }),
  );
}

function publish(uri) {
  const { text, version } = documents.get(uri) ?? { text: "", version: 0 };
  const named = how.versions ? { version: version - (how.lag ?? 0) } : {};
  notify("textDocument/publishDiagnostics", { uri, ...named, diagnostics: problems(text) });
}

/** Sends nothing until the given file exists. */
function answer(uri) {
  if (how.heldBy === undefined || existsSync(how.heldBy)) publish(uri);
  else setTimeout(answer, 20, uri);
}

function changed(uri) {
  if (how.crash === "open") process.exit(3);
  if (how.silent || how.pull) return;
  if (how.flood) {
    const more = () => {
      for (let count = 0; count < 500; count++) publish(uri);
      if (process.stdout.writableNeedDrain) process.stdout.once("drain", more);
      else setImmediate(more);
    };
    more();
  }
  setTimeout(answer, how.delayMs ?? 20, uri);
}

function initialize(id) {
  if (how.crash === "start") {
    process.stderr.write("no luck today\n");
    process.exit(3);
  }
  if (how.mute) return;
  if (how.refuse) {
    send({ id, error: { code: -32_000, message: "not for you" } });
    return;
  }
  if (how.hugeHeader) process.stdout.write(`Content-Length: ${2 ** 40}\r\n\r\n`);
  send({
    id,
    result: {
      capabilities: {
        textDocumentSync: { openClose: true, change: 1, save: { includeText: false } },
        ...(how.encoding && { positionEncoding: how.encoding }),
        ...(how.pull && { diagnosticProvider: { workspaceDiagnostics: how.pull === "all" } }),
      },
    },
  });
}

function initialized() {
  if (how.curious) {
    send({ id: "c", method: "workspace/configuration", params: { items: how.items ?? [{}, {}] } });
    send({ id: "f", method: "workspace/workspaceFolders" });
    send({ id: "n", method: "window/workDoneProgress/create", params: { token: 1 } });
    send({ id: "x", method: "made/up", params: null });
  }
  if (how.register) {
    const registerOptions = { documentSelector: how.register };
    const one = { id: "r", method: "textDocument/didOpen", registerOptions };
    const watched = { id: "w", method: "workspace/didChangeWatchedFiles", registerOptions: {} };
    send({
      id: "r",
      method: "client/registerCapability",
      params: { registrations: [one, watched] },
    });
  }
}

function report(uri) {
  return { kind: "full", items: problems(documents.get(uri)?.text ?? "") };
}

function receive({ id, method, params, result, error }) {
  const uri = params?.textDocument?.uri;
  switch (method) {
    case "initialize":
      process.stderr.write(`initialized with ${JSON.stringify(Object.keys(params).sort())}\n`);
      process.stderr.write(`options ${JSON.stringify(params.initializationOptions)}\n`);
      return initialize(id);
    case "workspace/didChangeConfiguration":
      process.stderr.write(`set to ${JSON.stringify(params.settings)}\n`);
      return;
    case "initialized":
      return initialized();
    case "textDocument/didOpen":
      process.stderr.write(`open ${params.textDocument.languageId}\n`);
      process.stderr.write(`given ${uri.split("/").at(-1)} as ${process.pid}\n`);
      documents.set(uri, { ...params.textDocument });
      return changed(uri);
    case "textDocument/didChange":
      documents.set(uri, {
        text: params.contentChanges[0].text,
        version: params.textDocument.version,
      });
      return changed(uri);
    case "textDocument/didSave":
    case "textDocument/didClose":
      process.stderr.write(`${method.slice("textDocument/did".length)}\n`);
      return;
    case "workspace/didChangeWatchedFiles":
      for (const { type } of params.changes) process.stderr.write(`file event ${type}\n`);
      return;
    case "textDocument/diagnostic":
      requests += 1;
      if (how.cancelFirst && requests === 1)
        return send({ id, error: { code: -32_802, message: "busy" } });
      return send({ id, result: report(uri) });
    case "workspace/diagnostic":
      return send({
        id,
        result: {
          items: (how.others ?? []).map((other) => ({ ...other, kind: "full", version: null })),
        },
      });
    case "shutdown":
      if (!how.stubborn) send({ id, result: null });
      return;
    case "exit":
      if (!how.stubborn) process.exit(0);
      return;
    default:
      if (method === undefined)
        process.stderr.write(`answered ${id} ${JSON.stringify(error ?? result)}\n`);
  }
}

if (how.garbage) process.stdout.write("Usage: fake [--stdio]\n");
if (how.stubborn) {
  process.on("SIGTERM", () => {});
  const child = spawn(process.execPath, [
    "-e",
    "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)",
  ]);
  process.stderr.write(`child ${child.pid} of ${process.pid}\n`);
  setInterval(() => {}, 1000);
}
process.stdin.on("data", (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return;
    const length = Number(/Content-Length: (\d+)/.exec(rest.toString("latin1", 0, end))?.[1]);
    if (rest.length < end + 4 + length) return;
    const body = rest.toString("utf8", end + 4, end + 4 + length);
    rest = rest.subarray(end + 4 + length);
    receive(JSON.parse(body));
  }
});
process.stdin.on("end", () => {
  if (!how.stubborn) process.exit(1);
});
