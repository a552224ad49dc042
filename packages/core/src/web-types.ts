// Web types that our public declarations and valibot's refer to. They merge with the declarations of
// the DOM or of Node, and stand alone where neither is installed.

declare global {
  interface AbortSignal {
    readonly aborted: boolean;
  }
  interface Blob {
    readonly size: number;
    readonly type: string;
  }
  interface File extends Blob {
    readonly name: string;
  }
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

export {};
