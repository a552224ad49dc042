import type { DiskFault } from "./node/calls.ts";
import type { TestVaultOptions } from "./node/test-vault.ts";
import type { Theme } from "./wire.ts";

export interface StartOptions extends TestVaultOptions {
  /** What the plugin's `data.json` says, beside that the first steps were shown. */
  readonly settings?: object;
  /** Whether there is no `data.json` yet. */
  readonly firstStart?: boolean;
  /** The app's own options, such as `userIgnoreFilters`. */
  readonly appConfig?: object;
  /** A note to open before the plugin starts. */
  readonly open?: string;
  readonly theme?: Theme;
  /** More variables of the environment in which the app was started. */
  readonly env?: Readonly<Record<string, string>>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The version that the app says it has; before 1.13 it does not know definitions of settings. */
  readonly appVersion?: string;
  /** What the disk refuses; `vault` stands for the vault's folder, `home` for the home. */
  readonly faults?: readonly DiskFault[];
  /** Whether the plugin is enabled when the app starts; it is installed in any case. */
  readonly enabled?: boolean;
}
