declare global {
  interface Window {
    /** The window in which the person works. */
    activeWindow: Window;
    activeDocument: Document;
  }
}

/** Sets `activeWindow` and `activeDocument`. */
export function setActiveWindow(win: Window): void {
  Object.assign(window, { activeWindow: win, activeDocument: win.document });
}
