import { type EditorHost, type PosixPath, type Range, toNativePath } from "@idewire/core";
import type { AnnotateDiagnostics } from "@idewire/core/internal";
import { CommentDiagnostics } from "@idewire/paired-comments";
import { withSelectionComments } from "@idewire/paired-comments/internal";
import {
  type App,
  debounce,
  type Editor,
  type MarkdownFileInfo,
  type Plugin,
  type SettingDefinitionPage,
} from "obsidian";
import { editorOf, findFileLeaves } from "../documents/file-leaves.ts";
import type { Settings } from "../settings/settings.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { texts } from "../texts/index.ts";
import { platform, type VaultPaths } from "../vault-paths.ts";
import { authorInVault } from "./author.ts";
import { COMMENT_FILE_VIEW, CommentFileView, openCommentFile } from "./comment-file-view.ts";
import { COMMENTS_VIEW, CommentsView } from "./comments-view.ts";
import { followNotes } from "./follow-notes.ts";
import { type CommentedLines, LineFollower } from "./followed-lines.ts";
import { isNotePath, notePathOf, VaultComments } from "./vault-comments.ts";

/** Dependencies of comments on notes. */
export interface CommentsParts {
  readonly app: App;
  readonly plugin: Plugin;
  readonly paths: VaultPaths;
  readonly store: SettingsStore;
  /** The text of a note in its tab where it is not saved yet. */
  readonly unsavedText: (path: PosixPath) => string | undefined;
  readonly reveal: (path: PosixPath, range: Range) => Promise<void>;
}

/** Comments on notes, for the person and for agents. */
export interface Comments {
  readonly files: VaultComments;
  /** Comments for agents, sent with the diagnostics if the person has turned that on. */
  readonly annotateDiagnostics: AnnotateDiagnostics;
  /** The editor, with the comments on the lines of a selection, if the person has turned that on. */
  readonly withSelectionComments: (host: EditorHost) => EditorHost;
  /** Opens the file of comments at a path as the active file. */
  readonly open: (path: PosixPath) => Promise<void>;
  readonly settings: () => SettingDefinitionPage<keyof Settings>;
}

/** The text of a note changes with each key. */
const REFRESH_MS = 300;

/** Everything registered is removed when the plugin unloads. */
export function createComments(parts: CommentsParts): Comments {
  const { app, plugin, paths, store } = parts;
  const { vault } = app;
  const folder = toNativePath(paths.root, platform);
  const files = new VaultComments({
    folder,
    notes: () => vault.getMarkdownFiles().map(({ path }) => path),
    commented: () =>
      vault
        .getFiles()
        .flatMap(({ path }) => notePathOf(path) ?? [])
        .sort(),
    unsavedText: (path) => parts.unsavedText(paths.toAbsolute(path)),
    author: async () => store.now.commentAuthor.trim() || authorInVault(folder, process.env),
    onChange: (path) => changed(path),
  });
  const refresh = debounce(() => void viewOf(app)?.refresh(), REFRESH_MS, true);
  const changed = (path: string) => {
    const view = viewOf(app);
    if (view !== undefined && (view.isSearching || view.path === path)) refresh();
  };
  registerView(parts, files);
  plugin.registerView(COMMENT_FILE_VIEW, (leaf) => new CommentFileView(leaf));
  registerCommands(parts);
  registerEvents(parts, changed);
  followNotes({ app, plugin, comments: files });
  let annotations: CommentDiagnostics | undefined;
  return {
    files,
    annotateDiagnostics: async (found, call) => {
      if (!store.now.tellComments) return found;
      annotations ??= new CommentDiagnostics(files.saved);
      return annotations.answer(found, call);
    },
    withSelectionComments: (host) => {
      const isShared = (path: string) => store.now.tellComments && isNotePath(path);
      return withSelectionComments(host, (path) => (isShared(path) ? files.file(path) : undefined));
    },
    open: (path) => openCommentFile(app, paths.toVault(path) ?? path),
    settings: () => commentSettings(),
  };
}

function viewOf({ workspace }: App): CommentsView | undefined {
  const views = workspace.getLeavesOfType(COMMENTS_VIEW).map(({ view }) => view);
  return views.find((view) => view instanceof CommentsView);
}

function registerView(parts: CommentsParts, comments: VaultComments): void {
  const { app, plugin, paths, reveal } = parts;
  const follower = new LineFollower();
  plugin.registerEditorExtension(follower.extension);
  plugin.registerView(COMMENTS_VIEW, (leaf) => {
    return new CommentsView(leaf, {
      comments,
      activeNote: () => {
        const path = app.workspace.getActiveFile()?.path;
        return path !== undefined && isNotePath(path) ? path : undefined;
      },
      linesOf: (path) => {
        const open = findFileLeaves(app.workspace, app.vault).filter(
          ({ file }) => file.path === path,
        );
        const editor = open.map(({ leaf }) => editorOf(leaf)).find((each) => each !== undefined);
        return editor && linesOf(editor);
      },
      follow: (path, lines) => follower.follow(path, lines),
      reveal: (path, { line, endLine = line }) => {
        const [start, end] = [line - 1, endLine - 1].map((each) => ({ line: each, character: 0 }));
        return start && end ? reveal(paths.toAbsolute(path), { start, end }) : Promise.resolve();
      },
    });
  });
}

function registerCommands({ app, plugin }: CommentsParts): void {
  const show = async () => {
    await app.workspace.ensureSideLeaf(COMMENTS_VIEW, "right", { reveal: true });
    return viewOf(app);
  };
  const add = (editor: Editor, { file }: MarkdownFileInfo) => {
    // Read now: opening the pane may move the focus.
    const lines = linesOf(editor);
    if (file !== null) void show().then((view) => view?.startAdding(file.path, lines));
  };
  plugin.addCommand({
    id: "show-comments",
    name: texts.comments.show,
    callback: () => void show(),
  });
  plugin.addCommand({
    id: "add-comment",
    name: texts.comments.add,
    editorCheckCallback: (checking, editor, info) => {
      if (info.file === null || !isNotePath(info.file.path)) return false;
      if (!checking) add(editor, info);
      return true;
    },
  });
  plugin.registerEvent(
    app.workspace.on("editor-menu", (menu, editor, info) => {
      if (info.file === null || !isNotePath(info.file.path)) return;
      menu.addItem((item) =>
        item
          .setTitle(texts.comments.add)
          .setIcon("message-square")
          .setSection("action")
          .onClick(() => add(editor, info)),
      );
    }),
  );
}

function registerEvents({ app, plugin }: CommentsParts, changed: (path: string) => void): void {
  const { workspace, vault } = app;
  const fileChanged = ({ path }: { readonly path: string }) => changed(notePathOf(path) ?? path);
  const followNote = () => void viewOf(app)?.followNote();
  plugin.registerEvent(workspace.on("file-open", followNote));
  plugin.registerEvent(workspace.on("active-leaf-change", followNote));
  plugin.registerEvent(
    workspace.on("editor-change", (_, { file }) => {
      if (file !== null) changed(file.path);
    }),
  );
  plugin.registerEvent(vault.on("modify", fileChanged));
  plugin.registerEvent(vault.on("create", fileChanged));
  plugin.registerEvent(vault.on("delete", fileChanged));
  plugin.registerEvent(
    vault.on("rename", (file, oldPath) => {
      changed(oldPath);
      fileChanged(file);
    }),
  );
}

/** The lines of the selection, 1-based; an end in front of a line's first character does not count. */
function linesOf(editor: Editor): CommentedLines {
  const [from, to] = [editor.getCursor("from"), editor.getCursor("to")];
  const last = to.ch === 0 && to.line > from.line ? to.line - 1 : to.line;
  return last > from.line ? { line: from.line + 1, endLine: last + 1 } : { line: from.line + 1 };
}

function commentSettings(): SettingDefinitionPage<keyof Settings> {
  return {
    type: "page",
    name: texts.comments.heading,
    desc: texts.comments.headingDesc,
    items: [
      {
        name: texts.comments.tell,
        desc: texts.comments.tellDesc,
        aliases: ["todo", "fixme", "question"],
        control: { type: "toggle", key: "tellComments" },
      },
      {
        name: texts.comments.author,
        desc: texts.comments.authorDesc,
        control: { type: "text", key: "commentAuthor" },
      },
    ],
  };
}
