// Web types that public declarations name, here and in valibot. Editors and Node declare them; where
// neither DOM nor Node's types are installed these stand alone, and elsewhere they merge.

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
}

export {};
