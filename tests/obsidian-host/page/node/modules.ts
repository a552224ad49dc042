import { Buffer } from "buffer";
import events from "events";
import path from "path-browserify";
import stream from "readable-stream";
import { channel } from "../bridge/channel.ts";
import { childProcess } from "./child-process.ts";
import { fs, fsPromises } from "./fs.ts";
import { IncomingMessage, ServerResponse } from "./http-messages.ts";
import { nodeProcess } from "./process.ts";
import { Server } from "./servers.ts";
import { absent, nodeCrypto, nodeUrl, os, util } from "./small.ts";
import { placeOf, Socket } from "./sockets.ts";
import { timers, timersPromises } from "./timers.ts";

type Options = Readonly<Record<string, unknown>>;
type Listener = () => void;

/** The polyfill of `buffer` lacks this encoding, which tokens use. */
const plainToString = Buffer.prototype.toString;
Buffer.prototype.toString = function (this: Buffer, encoding?: string, ...range: number[]) {
  if (encoding !== "base64url") return plainToString.call(this, encoding as "utf8", ...range);
  const base64 = plainToString.call(this, "base64", ...range);
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

function createServer(kind: "http" | "net", first?: Options | Listener, second?: Listener): Server {
  return typeof first === "function"
    ? new Server(kind, {}, first)
    : new Server(kind, first, second);
}

function connect(first: Options | number | string, second?: unknown, third?: Listener): Socket {
  const host = typeof second === "string" ? second : "127.0.0.1";
  const given = typeof first === "string" ? { path: first } : { port: first };
  const where = placeOf({ host, ...(typeof first === "object" ? first : given) });
  const socket = new Socket(channel.nextId(), undefined, false);
  const done = [second, third].find((each) => typeof each === "function");
  if (done !== undefined) socket.once("connect", done as Listener);
  return socket.dial(where);
}

const http = {
  createServer: (...args: (Options | Listener)[]) => createServer("http", ...(args as [])),
  IncomingMessage,
  ServerResponse,
  STATUS_CODES: { 200: "OK", 400: "Bad Request", 404: "Not Found", 426: "Upgrade Required" },
  request: () => {
    throw new Error("http.request is not in this host");
  },
};

const net = {
  createServer: (...args: (Options | Listener)[]) => createServer("net", ...(args as [])),
  connect,
  createConnection: connect,
  Socket,
  isIP: (text: string) => (/^\d+(\.\d+){3}$/.test(text) ? 4 : text.includes(":") ? 6 : 0),
};

const posix = { ...path };
const nodePath = { ...posix, posix, win32: absent("path.win32") };

const builtins: Readonly<Record<string, unknown>> = {
  buffer: { Buffer },
  child_process: childProcess,
  crypto: nodeCrypto,
  diagnostics_channel: absent("diagnostics_channel"),
  events,
  fs,
  "fs/promises": fsPromises,
  http,
  https: absent("https"),
  net,
  os,
  path: nodePath,
  process: nodeProcess,
  querystring: absent("querystring"),
  readline: absent("readline"),
  stream,
  "stream/promises": stream["promises"],
  string_decoder: absent("string_decoder"),
  timers,
  "timers/promises": timersPromises,
  tls: absent("tls"),
  url: nodeUrl,
  util,
  zlib: absent("zlib"),
};

/** A Node builtin, with or without `node:`; undefined if there is no such module. */
export function builtin(name: string): unknown {
  return builtins[name.replace(/^node:/, "")];
}

/** Adds Electron's globals to the window. */
export function installGlobals(): void {
  const { setImmediate } = timers;
  Object.assign(window, {
    global: window,
    process: nodeProcess,
    Buffer,
    setImmediate,
  });
}
