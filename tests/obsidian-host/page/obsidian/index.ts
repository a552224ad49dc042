import moment from "moment";
import { Editor } from "../editor/editor.ts";
import {
  editorEditorField,
  editorInfoField,
  editorLivePreviewField,
  livePreviewState,
} from "../editor/fields.ts";
import { MetadataCache } from "../metadata/cache.ts";
import * as links from "../metadata/links.ts";
import { getFrontMatterInfo, parseYaml, stringifyYaml } from "../metadata/yaml.ts";
import {
  MarkdownPreviewRenderer,
  MarkdownPreviewView,
  MarkdownRenderChild,
  MarkdownRenderer,
} from "../render/preview.ts";
import * as components from "../ui/components.ts";
import { getIcon, setIcon } from "../ui/icons.ts";
import { Keymap, Scope } from "../ui/keymap.ts";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.ts";
import { Modal } from "../ui/modal.ts";
import * as moreComponents from "../ui/more-components.ts";
import { Notice } from "../ui/notice.ts";
import { Setting, SettingGroup } from "../ui/setting.ts";
import { PluginSettingTab, SettingTab } from "../ui/setting-tab.ts";
import { FuzzySuggestModal, SuggestModal } from "../ui/suggest-modal.ts";
import { setTooltip } from "../ui/tooltip.ts";
import { FileSystemAdapter } from "../vault/adapter.ts";
import { FileManager } from "../vault/file-manager.ts";
import { TAbstractFile, TFile, TFolder } from "../vault/files.ts";
import { normalizePath } from "../vault/paths.ts";
import { Vault } from "../vault/vault.ts";
import { EditableFileView, FileView, TextFileView } from "../view/file-view.ts";
import { MarkdownView } from "../view/markdown-view.ts";
import { ItemView, View } from "../view/view.ts";
import * as items from "../workspace/items.ts";
import { WorkspaceLeaf } from "../workspace/leaf.ts";
import { WorkspaceWindow } from "../workspace/popout.ts";
import { WorkspaceTabs } from "../workspace/tabs.ts";
import { Workspace } from "../workspace/workspace.ts";
import { App, SecretStorage } from "./app.ts";
import { Component } from "./component.ts";
import { debounce } from "./debounce.ts";
import { Events } from "./events.ts";
import * as misc from "./misc.ts";
import { Plugin } from "./plugin.ts";
import * as search from "./search.ts";

const { WorkspaceContainer, WorkspaceFloating, WorkspaceItem, WorkspaceMobileDrawer } = items;
const { WorkspaceParent, WorkspaceRibbon, WorkspaceRoot, WorkspaceSidedock, WorkspaceSplit } =
  items;

/** What `require("obsidian")` returns to a plugin, as far as this host implements it. */
export const obsidian: Record<string, unknown> = {
  ...links,
  ...components,
  ...moreComponents,
  ...misc,
  ...search,
  ...{ App, SecretStorage, Component, debounce, Events, Plugin, moment, normalizePath },
  ...{ Vault, FileManager, FileSystemAdapter, TAbstractFile, TFile, TFolder, MetadataCache },
  ...{ View, ItemView, FileView, EditableFileView, TextFileView, MarkdownView },
  ...{ Workspace, WorkspaceLeaf, WorkspaceTabs, WorkspaceWindow, WorkspaceContainer },
  ...{ WorkspaceFloating, WorkspaceItem, WorkspaceMobileDrawer, WorkspaceParent, WorkspaceRibbon },
  ...{ WorkspaceRoot, WorkspaceSidedock, WorkspaceSplit },
  ...{
    Editor,
    editorEditorField,
    editorInfoField,
    editorLivePreviewField,
    editorViewField: editorInfoField,
  },
  ...{ livePreviewState, getFrontMatterInfo, parseYaml, stringifyYaml },
  ...{ MarkdownPreviewRenderer, MarkdownPreviewView, MarkdownRenderChild, MarkdownRenderer },
  ...{ getIcon, setIcon, setTooltip },
  ...{
    Keymap,
    Scope,
    Menu,
    MenuItem,
    MenuSeparator,
    Modal,
    Notice,
    SuggestModal,
    FuzzySuggestModal,
  },
  ...{ Setting, SettingGroup, SettingTab, PluginSettingTab },
};
