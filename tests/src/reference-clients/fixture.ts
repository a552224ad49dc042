import { mkdirSync, mkdtempSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "../remove-folder.ts";

/** A temporary home with a workspace, so that no test uses the real one. */
export class Fixture {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  /** Used as TMPDIR, so that the agents of other tests are not found here. */
  readonly temporary: string;
  /** `~/.claude/ide` of the temporary home. */
  readonly lockFolder: string;

  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "idewire-fixture-")));
    this.home = join(this.root, "home");
    this.workspace = join(this.root, "work");
    this.temporary = join(this.root, "tmp");
    this.lockFolder = join(this.home, ".claude", "ide");
    mkdirSync(this.home);
    mkdirSync(this.temporary);
    mkdirSync(this.workspace);
  }

  get env(): { readonly HOME: string; readonly TMPDIR: string } {
    return { HOME: this.home, TMPDIR: this.temporary };
  }

  /** Writes a file of the workspace and returns its path. */
  file(name: string, text: string): string {
    const path = join(this.workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Writes a lock file; `ageSeconds` moves its time into the past. */
  lock(name: string | number, content: object | string, ageSeconds = 0): string {
    mkdirSync(this.lockFolder, { recursive: true, mode: 0o700 });
    return this.lockIn(this.lockFolder, name, content, ageSeconds);
  }

  lockIn(folder: string, name: string | number, content: object | string, ageSeconds = 0): string {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${name}.lock`);
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(path, text, { mode: 0o600 });
    const time = Date.now() / 1000 - ageSeconds;
    utimesSync(path, time, time);
    return path;
  }

  close(): Promise<void> {
    return removeFolder(this.root);
  }
}
