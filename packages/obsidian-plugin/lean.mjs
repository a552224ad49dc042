// What main.js leaves out of its libraries. Each entry says what holds in the plugin: the
// minifier then drops what can never run. A phrase or method that is no longer there stops the build,
// so that a new version of a library is looked at; tests/packaging/lean-ws.test.ts compares what is
// left of ws with the whole.

/** Compression is off: no connection has an extension. */
const noCompression = ["this._extensions[PerMessageDeflate.extensionName]", "undefined"];

/** We are the server's end, and send text and bytes. */
const noBlob = ["isBlob(data)", "false"];

/** The end of a module's file name, and what of it is never reached. */
const leftOut = {
  "ws/lib/permessage-deflate.js": {
    whole: 'module.exports = { extensionName: "permessage-deflate" };',
  },
  "ws/lib/stream.js": { whole: "module.exports = undefined;" },
  "ws/lib/extension.js": { whole: "module.exports = {};" },
  // on() is what we listen with.
  "ws/lib/event-target.js": { whole: "module.exports = { EventTarget: {} };" },
  "ws/lib/websocket.js": {
    methods: ["pause", "resume", "onclose", "onerror", "onopen", "onmessage"],
    given: [
      noCompression,
      noBlob,
      // A client's end begins with an address.
      ["address !== null", "false"],
      // The server gives out what is open.
      ["this.readyState === WebSocket.CONNECTING", "false"],
      ["!this._isServer", "false"],
      // Nobody lists the properties of a connection, or sets its on….
      [/\['open',.*?\]\.forEach|\[\s+'binaryType',[^\]]*\]\.forEach/g, "void "],
      [
        /Object\.defineProperty\((WebSocket[.\w]*), '([A-Z]+)', \{\s+enumerable: true,\s+value: (.+)\s+\}\);/g,
        "$1.$2 = $3;",
      ],
      [/WebSocket\.prototype\.\w+EventListener = \w+;/g, ""],
    ],
  },
  "ws/lib/sender.js": {
    methods: ["getBlobData", "enqueue", "dequeue"],
    given: [
      noCompression,
      noBlob,
      // Only compression and blobs make a frame wait.
      ["this._state !== DEFAULT", "false"],
      ["if (!compress)", "if (true)"],
      // Only clients mask.
      [/options\.mask\b/g, "false"],
    ],
  },
  "ws/lib/receiver.js": {
    methods: ["decompress"],
    given: [
      noCompression,
      ["if (this._compressed)", "if (false)"],
      ["if (this._isServer)", "if (true)"],
      ["if (this._allowSynchronousEvents)", "if (true)"],
      ["this._state === INFLATING || this._allowSynchronousEvents", "true"],
      ["!this._skipUTF8Validation", "true"],
      ["this._binaryType === 'nodebuffer'", "true"],
    ],
  },
  "ws/lib/websocket-server.js": {
    methods: ["address", "close"],
    given: [
      [/\bextensions\[PerMessageDeflate\.extensionName\](?! =)/g, "undefined"],
      ["this.options.perMessageDeflate", "false"],
      ["options.perMessageDeflate === true", "false"],
      ["this.options.verifyClient", "false"],
      // The HTTP server is ours, and so is the list of clients.
      ["if (options.port != null)", "if (false)"],
      ["if (options.server)", "if (false)"],
      ["if (this._server)", "if (false)"],
      ["if (options.clientTracking)", "if (false)"],
      ["if (this.clients)", "if (false)"],
      ["server.listenerCount('wsClientError')", "false"],
    ],
  },
  // Their optional accelerators are native code, which a plugin has none of.
  "ws/lib/validation.js": {
    given: [
      ["!process.env.WS_NO_UTF_8_VALIDATE", "false"],
      [/^ {2}isBlob,$/gm, ""],
    ],
  },
  "ws/lib/buffer-util.js": {
    given: [
      ["!process.env.WS_NO_BUFFER_UTIL", "false"],
      [/^ {2}(?:mask: _mask|toArrayBuffer),$/gm, ""],
      [/^ {2}module\.exports\.mask = function/gm, "  void function"],
    ],
  },
  "node-server/dist/shared-listen.js": {
    given: [
      // Agents on another machine, or in a container, are served by the command.
      ["if (map === void 0)", "if (true)"],
      // A vault has one lock file of its own.
      ["refuseCollisions(options);", ""],
    ],
  },
  "node-server/dist/shared-formats.js": {
    given: [
      // A vault is found as Claude Code finds editors, and the doctor looks for those.
      [/,\n {2}jetbrains: \{.*?\n {2}\}\n(?=\};)/gs, ""],
    ],
  },
  "@codemirror/merge/dist/index.js": {
    methods: ["reconfigure", "revertClicked"],
    given: [
      // The buttons of a change are ours, and act by themselves.
      ['this.revertDOM.addEventListener("mousedown", e => this.revertClicked(e));', ""],
      ["if (this.renderRevert)", "if (true)"],
      ['typeof mergeControls == "function"', "true"],
      [/(?:accept|reject)Chunk\(view, view\.posAtDOM\(dom\)\);/g, ""],
      // No language is set: notes are styled by their lines.
      ["syntaxHighlightDeletions && state.facet(language)", "undefined"],
      // What it looks like is in styles/review.css.
      [/^ +(?:base|external)Theme,$/gm, ""],
    ],
  },
};

/** A rollup plugin; it wants to stand before the one for CommonJS. */
export function lean() {
  return {
    name: "lean",
    transform(code, id) {
      const path = id.replaceAll("\\", "/");
      const file = Object.keys(leftOut).find((end) => path.endsWith(`/${end}`));
      if (file === undefined) return null;
      const { whole, methods = [], given = [] } = leftOut[file];
      if (whole !== undefined) return { code: whole, map: null };
      const shorter = withoutMethods(code, methods, this.parse(code));
      return { code: given.reduce((text, entry) => assume(text, entry, file), shorter), map: null };
    },
  };
}

function assume(code, [phrase, value], file) {
  const changed = code.replaceAll(phrase, value);
  if (changed === code)
    throw new Error(`lean.mjs: ${file} no longer has ${phrase}; look at it again`);
  return changed;
}

function withoutMethods(code, names, program) {
  const members = program.body.flatMap((node) => {
    const declared = node.type === "ClassDeclaration" ? node : undefined;
    return declared?.body.body ?? [];
  });
  const unused = members.filter(({ key }) => names.includes(key?.name));
  const missing = names.filter((name) => !unused.some(({ key }) => key.name === name));
  if (missing.length > 0) throw new Error(`lean.mjs: no method ${missing}; look at it again`);
  return unused
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code);
}
