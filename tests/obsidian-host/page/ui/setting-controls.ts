import type { SettingControl } from "obsidian";
import type { App } from "../host-app.ts";
import type { Setting } from "./setting.ts";

export interface Binding {
  readonly app: App;
  read(): unknown;
  write(value: unknown): void | Promise<void>;
}

interface TextLike {
  setValue(value: string): unknown;
  setPlaceholder(placeholder: string): unknown;
  onChange(emit: (value: string) => unknown): unknown;
  readonly inputEl: HTMLInputElement | HTMLTextAreaElement;
}

/** Draws the control of a declared setting, and keeps its value. */
export function renderControl(setting: Setting, control: SettingControl, binding: Binding): void {
  const { read } = binding;
  const write = (value: unknown) => void accept(setting, control, binding, value);
  switch (control.type) {
    case "toggle":
      setting.addToggle((toggle) => toggle.setValue(read() === true).onChange(write));
      break;
    case "dropdown":
      setting.addDropdown((dropdown) => {
        dropdown.addOptions(control.options).setValue(String(read())).onChange(write);
      });
      break;
    case "slider":
      setting.addSlider((slider) => {
        slider
          .setLimits(control.min, control.max, control.step)
          .setValue(Number(read()))
          .onChange(write);
      });
      break;
    case "color":
      setting.addColorPicker((color) => color.setValue(String(read())).onChange(write));
      break;
    case "textarea":
      setting.addTextArea((area) => {
        bindText(area, control.placeholder, binding, write);
        area.inputEl.rows = control.rows ?? 3;
      });
      break;
    case "number":
      setting.addText((text) => {
        text.inputEl.type = "number";
        bindText(text, control.placeholder, binding, (value) => write(Number(value)));
      });
      break;
    default:
      setting.addText((text) => bindText(text, control.placeholder, binding, write));
  }
  void complain(setting, control, read());
}

function bindText(
  text: TextLike,
  placeholder: string | undefined,
  { read }: Binding,
  write: (value: string) => void,
): void {
  text.setValue(String(read() ?? ""));
  if (placeholder !== undefined) text.setPlaceholder(placeholder);
  text.onChange(write);
}

async function accept(
  setting: Setting,
  control: SettingControl,
  { write }: Binding,
  value: unknown,
): Promise<void> {
  if (await complain(setting, control, value)) return;
  await write(value);
}

/** @returns whether the value is refused */
async function complain(
  setting: Setting,
  control: SettingControl,
  value: unknown,
): Promise<boolean> {
  const issue = (await control.validate?.(value as never)) ?? "";
  setting.setErrorMessage(issue === "" ? null : String(issue));
  return issue !== "";
}
