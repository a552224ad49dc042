// The parts of the fetch standard used by our public declarations. They merge with the declarations of the DOM
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
