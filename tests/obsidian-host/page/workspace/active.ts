declare global {
  interface Window {
    /** The window in which the person works. */
    activeWindow: Window;
    activeDocument: Document;
  }
}

/** Makes a window the one that `activeWindow` and `activeDocument` mean. */
export function setActiveWindow(win: Window): void {
  Object.assign(window, { activeWindow: win, activeDocument: win.document });
}
