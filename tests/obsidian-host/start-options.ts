import type { DiskFault } from "./node/calls.ts";
import type { TestVaultOptions } from "./node/test-vault.ts";
import type { Theme } from "./wire.ts";

export interface StartOptions extends TestVaultOptions {
  /** The plugin's `data.json`, beside the flag that the first steps were shown. */
  readonly settings?: object;
  /** Whether there is no `data.json` yet. */
  readonly firstStart?: boolean;
  /** The app's own options, such as `userIgnoreFilters`. */
  readonly appConfig?: object;
  /** A note to open before the plugin starts. */
  readonly open?: string;
  readonly theme?: Theme;
  /** Additional environment variables of the app. */
  readonly env?: Readonly<Record<string, string>>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The version that the app reports; before 1.13 it does not support definitions of settings. */
  readonly appVersion?: string;
  /** The disk faults; in their paths `vault` stands for the vault's folder, `home` for the home. */
  readonly faults?: readonly DiskFault[];
  /** Whether the plugin is enabled when the app starts; it is installed in any case. */
  readonly enabled?: boolean;
}
