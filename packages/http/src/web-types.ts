// Web types that our public declarations refer to. They merge with the declarations of the DOM or of Node,
// and stand alone where neither is installed.

declare global {
  interface Headers {
    get(name: string): string | null;
  }
  interface Response {
    readonly status: number;
    readonly headers: Headers;
  }
  interface AbortController {
    abort(reason?: unknown): void;
  }
  interface RequestInit {
    method?: string;
  }
  interface CryptoKey {
    readonly extractable: boolean;
  }
  interface CryptoKeyPair {
    privateKey: CryptoKey;
    publicKey: CryptoKey;
  }
  interface URL {
    href: string;
  }
}

/** A function like the global `fetch`. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
