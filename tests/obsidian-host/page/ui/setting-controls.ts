import type { SettingControl } from "obsidian";
import type { App } from "../host-app.ts";
import type { Setting } from "./setting.ts";

export interface Binding {
  readonly app: App;
  read(): unknown;
  write(value: unknown): void | Promise<void>;
}

/** Renders the control of a declared setting and stores its value. */
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
    case "text":
      setting.addText((text) => {
        text.setValue(String(read() ?? "")).setPlaceholder(control.placeholder ?? "");
        text.onChange(write);
      });
      break;
    default:
      throw new Error(`A setting of type ${control.type} is not in this host`);
  }
  void complain(setting, control, read());
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
