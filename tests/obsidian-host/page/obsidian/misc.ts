import { boot } from "../bridge/channel.ts";

export const apiVersion: string = boot.appVersion;

export function requireApiVersion(version: string): boolean {
  return apiVersion.localeCompare(version, "en", { numeric: true }) >= 0;
}

export const Platform = {
  isDesktop: true,
  isMobile: false,
  isDesktopApp: true,
  isMobileApp: false,
  isIosApp: false,
  isAndroidApp: false,
  isPhone: false,
  isTablet: false,
  isMacOS: boot.platform === "darwin",
  isWin: boot.platform === "win32",
  isLinux: boot.platform === "linux",
  isSafari: false,
  resourcePathPrefix: "app://local/",
};

export function getLanguage(): string {
  return localStorage.getItem("language") ?? "en";
}

/** Work that the app waits for before it quits. */
export class Tasks {
  readonly #promises: Promise<unknown>[] = [];

  addPromise(promise: Promise<unknown>): void {
    this.#promises.push(promise);
  }
}
