import { toast } from "./toast.tsx";

/** Copies a text to the clipboard. @returns false if the browser forbids it */
export async function writeClipboard(text: string): Promise<boolean> {
  const written = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  return written === true;
}

/** Copies a text to the clipboard; if the browser forbids it, offers it as a file. */
export function copyText(text: string): void {
  navigator.clipboard?.writeText(text).then(
    () => toast("Copied"),
    () => download("frame.json", text),
  );
}

/** Offers a text as a file. */
export function download(name: string, text: string | Blob): void {
  const file = typeof text === "string" ? new Blob([text], { type: "application/json" }) : text;
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}
