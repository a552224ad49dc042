// What our public declarations take of the fetch standard. They merge with the declarations of the DOM
// or of Node, and stand alone where neither is installed.

declare global {
  interface Request {
    readonly method: string;
    readonly url: string;
  }
  interface Response {
    readonly status: number;
    readonly ok: boolean;
  }
}

export {};
