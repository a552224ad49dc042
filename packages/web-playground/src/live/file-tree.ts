/** One line of the tree of files. */
export interface TreeRow {
  /** Relative to the folder. */
  readonly path: string;
  readonly name: string;
  /** 1 for entries of the folder itself. */
  readonly level: number;
  /** Whether a folder is open; undefined for a file. */
  readonly open: boolean | undefined;
  /** Its place among the entries of its folder, from 1. */
  readonly place: number;
  /** How many entries its folder has. */
  readonly siblings: number;
}

/** The lines of a tree, folders first; only open folders show their files. */
export function toTreeRows(
  files: readonly string[],
  isOpen: (folder: string) => boolean,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (paths: readonly string[], prefix: string, level: number): void => {
    const folders = new Map<string, string[]>();
    const here: string[] = [];
    for (const path of paths) {
      const slash = path.indexOf("/", prefix.length);
      if (slash === -1) here.push(path);
      else {
        const folder = path.slice(0, slash);
        const inside = folders.get(folder);
        if (inside === undefined) folders.set(folder, [path]);
        else inside.push(path);
      }
    }
    let place = 0;
    const siblings = folders.size + here.length;
    const push = (path: string, open: boolean | undefined): void => {
      place += 1;
      rows.push({ path, name: path.slice(prefix.length), level, open, place, siblings });
    };
    for (const [path, inside] of folders) {
      const open = isOpen(path);
      push(path, open);
      if (open) add(inside, `${path}/`, level + 1);
    }
    for (const path of here) push(path, undefined);
  };
  add(files, "", 1);
  return rows;
}
