import { boot, channel } from "../bridge/channel.ts";
import { Events } from "../obsidian/events.ts";
import { FileSystemAdapter, type Stat } from "./adapter.ts";
import { type TAbstractFile, TFile, TFolder } from "./files.ts";
import { normalizePath, parentOf } from "./paths.ts";

type WriteOptions = Parameters<FileSystemAdapter["write"]>[2];
type Entry = readonly [path: string, isFolder: boolean, ctime: number, mtime: number, size: number];

export class Vault extends Events {
  readonly adapter: FileSystemAdapter = new FileSystemAdapter();
  configDir = ".obsidian";
  /** Every file and folder by its path; the root is "/". */
  readonly fileMap: Map<string, TAbstractFile> = new Map();
  readonly #root: TFolder;
  readonly #texts = new WeakMap<TFile, { readonly text: string; readonly mtime: number }>();
  readonly #config = new Map<string, unknown>();

  constructor() {
    super();
    this.#root = new TFolder(this, "/");
    this.fileMap.set("/", this.#root);
    this.adapter.onWritten = (path) => this.reconcile(path);
    channel.onVault = (paths) => void this.#receive(paths);
  }

  async load(): Promise<void> {
    const entries = (await channel.call("vault", "tree")) as Entry[];
    for (const [path, isFolder, ctime, mtime, size] of entries) {
      this.#add(path, { type: isFolder ? "folder" : "file", ctime, mtime, size });
    }
  }

  getName(): string {
    return boot.vaultName;
  }

  /** Not declared; how plugins read the app's own options, such as excluded files. */
  getConfig(key: string): unknown {
    return this.#config.get(key) ?? null;
  }

  setConfig(key: string, value: unknown): void {
    this.#config.set(key, value);
    this.trigger("config-changed", key);
  }

  getRoot(): TFolder {
    return this.#root;
  }

  getAbstractFileByPath(path: string): TAbstractFile | null {
    return this.fileMap.get(path) ?? null;
  }

  getFileByPath(path: string): TFile | null {
    const file = this.fileMap.get(path);
    return file instanceof TFile ? file : null;
  }

  getFolderByPath(path: string): TFolder | null {
    const folder = this.fileMap.get(path);
    return folder instanceof TFolder ? folder : null;
  }

  getAllLoadedFiles(): TAbstractFile[] {
    return [...this.fileMap.values()];
  }

  getAllFolders(includeRoot = false): TFolder[] {
    const folders = this.getAllLoadedFiles().filter((file) => file instanceof TFolder);
    return folders.filter((folder) => includeRoot || !folder.isRoot());
  }

  getFiles(): TFile[] {
    return this.getAllLoadedFiles().filter((file) => file instanceof TFile);
  }

  getMarkdownFiles(): TFile[] {
    return this.getFiles().filter(({ extension }) => extension === "md");
  }

  read(file: TFile): Promise<string> {
    return this.adapter.read(file.path);
  }

  /** From memory, unless the file has changed since. */
  async cachedRead(file: TFile): Promise<string> {
    const { mtime } = file.stat;
    const known = this.#texts.get(file);
    if (known?.mtime === mtime) return known.text;
    const text = await this.adapter.read(file.path);
    this.#texts.set(file, { text, mtime });
    return text;
  }

  async create(path: string, data: string, options?: WriteOptions): Promise<TFile> {
    await this.#refuseExisting(path, "File");
    await this.adapter.write(path, data, options);
    return this.#fileThatIsThere(path);
  }

  async createFolder(path: string): Promise<TFolder> {
    await this.#refuseExisting(path, "Folder");
    await this.adapter.mkdir(path);
    const folder = this.getFolderByPath(normalizePath(path));
    if (folder === null) throw new Error(`No folder was created at ${path}`);
    return folder;
  }

  modify(file: TFile, data: string, options?: WriteOptions): Promise<void> {
    return this.adapter.write(file.path, data, options);
  }

  process(file: TFile, change: (data: string) => string, options?: WriteOptions): Promise<string> {
    return this.adapter.process(file.path, change, options);
  }

  async trash(file: TAbstractFile, _system: boolean): Promise<void> {
    const { path } = file;
    await this.adapter.trashLocal(path);
    await this.reconcile(path);
  }

  async rename(file: TAbstractFile, newPath: string): Promise<void> {
    const old = file.path;
    const next = normalizePath(newPath);
    await this.adapter.rename(old, next);
    this.#move(file, next);
  }

  /** Compares a path with the disk, and emits what has changed. */
  async reconcile(path: string): Promise<void> {
    if (path.split("/").some((part) => part.startsWith("."))) {
      this.trigger("raw", path);
      return;
    }
    const found = await this.adapter.stat(path);
    // Read after the await: writer and watcher reconcile the same path at once.
    const known = this.fileMap.get(path);
    if (found === null) {
      if (known !== undefined) this.#remove(known);
    } else if (known === undefined) {
      this.trigger("create", this.#add(path, found));
    } else if (known instanceof TFile && found.type === "file") {
      const { mtime, size } = known.stat;
      if (mtime === found.mtime && size === found.size) return;
      known.stat = { ctime: found.ctime, mtime: found.mtime, size: found.size };
      this.trigger("modify", known);
    }
  }

  async #receive(paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.reconcile(path);
  }

  #add(path: string, { type, ctime, mtime, size }: Stat): TAbstractFile {
    const parent = this.#folderFor(parentOf(path));
    const file = type === "folder" ? new TFolder(this, path) : new TFile(this, path);
    if (file instanceof TFile) file.stat = { ctime, mtime, size };
    file.parent = parent;
    parent.children.push(file);
    this.fileMap.set(path, file);
    return file;
  }

  #folderFor(path: string): TFolder {
    const known = this.fileMap.get(path);
    if (known instanceof TFolder) return known;
    const folder = this.#add(path, { type: "folder", ctime: 0, mtime: 0, size: 0 });
    this.trigger("create", folder);
    return folder as TFolder;
  }

  #remove(file: TAbstractFile): void {
    if (file instanceof TFolder) for (const child of [...file.children]) this.#remove(child);
    this.fileMap.delete(file.path);
    file.parent?.children.splice(file.parent.children.indexOf(file), 1);
    this.trigger("delete", file);
  }

  #move(file: TAbstractFile, next: string): void {
    const old = file.path;
    this.fileMap.delete(old);
    file.parent?.children.splice(file.parent.children.indexOf(file), 1);
    file.setPath(next);
    file.parent = this.#folderFor(parentOf(next));
    file.parent.children.push(file);
    this.fileMap.set(next, file);
    if (file instanceof TFolder) {
      for (const child of [...file.children]) this.#move(child, `${next}/${child.name}`);
    }
    this.trigger("rename", file, old);
  }

  #fileThatIsThere(path: string): TFile {
    const file = this.getFileByPath(normalizePath(path));
    if (file === null) throw new Error(`No file was created at ${path}`);
    return file;
  }

  async #refuseExisting(path: string, kind: "File" | "Folder"): Promise<void> {
    if (await this.adapter.exists(path)) throw new Error(`${kind} already exists.`);
  }
}
