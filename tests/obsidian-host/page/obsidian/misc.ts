import { Buffer } from "buffer";
import { boot, channel } from "../bridge/channel.ts";

export const apiVersion = "1.13.1";

export const Platform = {
  isDesktop: true,
  isMobile: false,
  isDesktopApp: true,
  isMobileApp: false,
  isIosApp: false,
  isAndroidApp: false,
  isPhone: false,
  isTablet: false,
  isMacOS: boot.platform === "darwin",
  isWin: boot.platform === "win32",
  isLinux: boot.platform === "linux",
  isSafari: false,
  resourcePathPrefix: "app://local/",
};

export function requireApiVersion(version: string): boolean {
  const [wanted, own] = [version, apiVersion].map((each) => each.split(".").map(Number));
  for (const [index, part] of (wanted ?? []).entries()) {
    const difference = (own?.[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

export function getLanguage(): string {
  return localStorage.getItem("language") ?? "en";
}

export const arrayBufferToBase64 = (bytes: ArrayBuffer): string =>
  Buffer.from(bytes).toString("base64");
export const arrayBufferToHex = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString("hex");
export const base64ToArrayBuffer = (text: string): ArrayBuffer =>
  new Uint8Array(Buffer.from(text, "base64")).buffer;
export const hexToArrayBuffer = (text: string): ArrayBuffer =>
  new Uint8Array(Buffer.from(text, "hex")).buffer;
export const getBlobArrayBuffer = (blob: Blob): Promise<ArrayBuffer> => blob.arrayBuffer();

export function sanitizeHTMLToDom(html: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const el of template.content.querySelectorAll("script, iframe, object, style")) el.remove();
  for (const el of template.content.querySelectorAll("*")) {
    for (const { name } of [...el.attributes]) if (name.startsWith("on")) el.removeAttribute(name);
  }
  return template.content;
}

/** Work that the app waits for before it quits. */
export class Tasks {
  readonly #promises: Promise<unknown>[] = [];

  add(act: () => Promise<unknown>): void {
    this.addPromise(act());
  }

  addPromise(promise: Promise<unknown>): void {
    this.#promises.push(promise);
  }

  isEmpty(): boolean {
    return this.#promises.length === 0;
  }

  promise(): Promise<unknown> {
    return Promise.allSettled(this.#promises);
  }
}

interface RequestParams {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | ArrayBuffer;
  readonly throw?: boolean;
}

/** The web, without a page's rules of origin. */
export function requestUrl(params: RequestParams | string): Promise<object> {
  const given = typeof params === "string" ? { url: params } : params;
  const done = channel.call("http", "request", given).then((value) => {
    const { status, headers, bytes } = value as { status: number; headers: object; bytes: Buffer };
    if (status >= 400 && given.throw !== false) {
      throw Object.assign(new Error(`Request failed, status ${status}`), { status });
    }
    const text = Buffer.from(bytes).toString("utf8");
    const arrayBuffer = new Uint8Array(bytes).buffer;
    return {
      status,
      headers,
      text,
      arrayBuffer,
      get json(): unknown {
        return JSON.parse(text);
      },
    };
  });
  return Object.assign(done, {
    text: done.then(({ text }) => text),
    json: done.then((response) => response.json),
    arrayBuffer: done.then(({ arrayBuffer }) => arrayBuffer),
  });
}

export async function request(params: RequestParams | string): Promise<string> {
  return ((await requestUrl(params)) as { text: string }).text;
}
