import type { App } from "../host-app.ts";
import { getFrontMatterInfo, parseYaml, stringifyYaml } from "../metadata/yaml.ts";
import { type TAbstractFile, TFile } from "./files.ts";
import { normalizePath, parentOf } from "./paths.ts";

type Ref = { readonly link: string; readonly original: string; readonly displayText?: string };

/** Changes files and updates the links to them. */
export class FileManager {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Moves a file, and rewrites every link that would have broken. */
  async renameFile(file: TAbstractFile, newPath: string): Promise<void> {
    const { vault } = this.#app;
    const links = file instanceof TFile ? this.#linksTo(file) : [];
    const next = normalizePath(newPath);
    if (vault.getAbstractFileByPath(parentOf(next)) === null)
      await vault.createFolder(parentOf(next));
    await vault.rename(file, next);
    for (const { source, refs } of links) {
      await vault.process(source, (text) => this.#rewrite(text, refs, file as TFile, source.path));
    }
  }

  async promptForDeletion(_file: TAbstractFile): Promise<boolean> {
    throw new Error("FileManager.promptForDeletion is not in this host");
  }

  async trashFile(file: TAbstractFile): Promise<void> {
    await this.#app.vault.trash(file, false);
  }

  async processFrontMatter(
    file: TFile,
    change: (frontmatter: Record<string, unknown>) => void,
    options?: { readonly mtime?: number },
  ): Promise<void> {
    const rewrite = (text: string) => {
      const { exists, frontmatter, contentStart } = getFrontMatterInfo(text);
      const value = (exists ? parseYaml(frontmatter) : null) ?? {};
      change(value as Record<string, unknown>);
      const body = text.slice(contentStart);
      if (Object.keys(value as object).length === 0) return body;
      return `---\n${stringifyYaml(value)}---\n${body}`;
    };
    await this.#app.vault.process(file, rewrite, options);
  }

  #linksTo(file: TFile): { source: TFile; refs: Ref[] }[] {
    const { vault, metadataCache } = this.#app;
    return metadataCache.linkersTo(file.path).flatMap((path) => {
      const source = vault.getFileByPath(path);
      const cache = source && metadataCache.getFileCache(source);
      if (source === null || cache === null) return [];
      const refs = [...(cache.links ?? []), ...(cache.embeds ?? [])].filter(({ link }) => {
        const [linkpath = ""] = link.split("#");
        return metadataCache.getFirstLinkpathDest(linkpath, path) === file;
      });
      return refs.length === 0 ? [] : [{ source, refs }];
    });
  }

  #rewrite(text: string, refs: readonly Ref[], file: TFile, sourcePath: string): string {
    const target = this.#app.metadataCache.fileToLinktext(file, sourcePath);
    let result = text;
    for (const { link, original } of refs) {
      const hash = link.indexOf("#");
      const subpath = hash < 0 ? "" : link.slice(hash);
      const fresh = original.includes("](")
        ? original.replace(/\]\(.*\)$/, `](${encodeURI(`${file.path}${subpath}`)})`)
        : original.replace(link, `${target}${subpath}`);
      result = result.replaceAll(original, fresh);
    }
    return result;
  }
}
