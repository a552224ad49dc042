import {
  Setting,
  type SettingControl,
  type SettingDefinition,
  type SettingDefinitionGroup,
  type SettingDefinitionItem,
  type SettingDefinitionList,
  type SettingDefinitionPage,
} from "obsidian";

export interface DisplaySettingsParts {
  readonly read: (key: string) => unknown;
  readonly write: (key: string, value: unknown) => Promise<void>;
  /** Whether the person has opened the page; a redraw keeps it open. */
  readonly isOpen: (page: string) => boolean;
  readonly keepOpen: (page: string, isOpen: boolean) => void;
  /** Label of the button that removes an item of a list. */
  readonly removeLabel: string;
}

/** Removes the content that a definition rendered itself. */
type Undo = () => void;

/**
 * Renders setting definitions, as Obsidian 1.13 and newer do; older versions lack them. Controls
 * are toggles, dropdowns and texts; a page is a part that can be opened.
 */
export function displaySettings(
  container: HTMLElement,
  items: readonly SettingDefinitionItem[],
  parts: DisplaySettingsParts,
): readonly Undo[] {
  return items.flatMap((item) => {
    if (!("type" in item)) return displayRow(new Setting(container), item, parts);
    return item.type === "page"
      ? displayPage(container, item, parts)
      : displayGroup(container, item, parts);
  });
}

function displayPage(
  container: HTMLElement,
  { name, items = [] }: SettingDefinitionPage,
  parts: DisplaySettingsParts,
): readonly Undo[] {
  const page = container.createEl("details", { cls: "idewire-settings-page" });
  page.open = parts.isOpen(name);
  page.createEl("summary", { text: name });
  page.addEventListener("toggle", () => parts.keepOpen(name, page.open));
  return displaySettings(page, items, parts);
}

function displayGroup(
  container: HTMLElement,
  group: SettingDefinitionGroup | SettingDefinitionList,
  parts: DisplaySettingsParts,
): readonly Undo[] {
  const { heading = "", items = [] } = group;
  const head = new Setting(container).setName(heading).setHeading();
  const { emptyState, addItem, onDelete } = group as Partial<SettingDefinitionList>;
  if (items.length === 0 && emptyState !== undefined) head.setDesc(emptyState);
  if (addItem !== undefined) {
    head.addButton((button) => {
      button.setButtonText(addItem.name).onClick(() => addItem.action(button.buttonEl));
    });
  }
  return items.flatMap((item, index) => {
    if ("type" in item) return displayPage(container, item, parts);
    const row = new Setting(container);
    const undo = displayRow(row, item, parts);
    if (onDelete !== undefined) {
      row.addExtraButton((button) => {
        button
          .setIcon("trash-2")
          .setTooltip(parts.removeLabel)
          .onClick(() => onDelete(index));
      });
    }
    return undo;
  });
}

function displayRow(
  row: Setting,
  item: SettingDefinition,
  parts: DisplaySettingsParts,
): readonly Undo[] {
  row.setName(item.name);
  if (item.desc !== undefined) row.setDesc(item.desc);
  const { action, control } = item;
  if (control !== undefined) displayControl(row, control, parts);
  else if (action !== undefined) {
    row.addExtraButton((button) => {
      button.setIcon("chevron-right").setTooltip(item.name);
      button.onClick(() => action(row.settingEl, 0));
    });
  }
  if (item.render === undefined) return [];
  // There is no group before 1.13, and no definition of ours asks for it.
  const undo = (item.render as (setting: Setting) => unknown)(row) as Undo | undefined;
  return typeof undo === "function" ? [undo] : [];
}

function displayControl(
  row: Setting,
  control: SettingControl,
  { read, write }: DisplaySettingsParts,
): void {
  const { key } = control;
  const save = (value: unknown) => write(key, value);
  if (control.type === "toggle") {
    row.addToggle((toggle) => toggle.setValue(read(key) === true).onChange(save));
  } else if (control.type === "dropdown") {
    const { options } = control;
    row.addDropdown((dropdown) =>
      dropdown
        .addOptions(options)
        .setValue(String(read(key)))
        .onChange(save),
    );
  } else if (control.type === "text") {
    const { placeholder = "" } = control;
    row.addText((text) =>
      text
        .setPlaceholder(placeholder)
        .setValue(String(read(key)))
        .onChange(save),
    );
  }
}
