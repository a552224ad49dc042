import { answerKeys } from "../review/review-keys.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { set } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { singleKeys } from "./single-keys.ts";

const keys = [
  ["Ctrl K", "find a command"],
  ["F6", "go to the next pane; with Shift to the one before"],
  ["?", "show these keys"],
  ["/", "filter frames"],
  ["[", "previous event"],
  ["]", "next event; in a tour its next step"],
  ["Space", "play or pause the tour"],
  [answerKeys.accepted, "accept the diff"],
  [answerKeys.rejected, "reject the diff"],
  ["Enter", "in a list: open what is selected"],
  ["Escape", "in a frame: back to the list; in a dialog: close it"],
  ["Left, Right", "in the frames: to the cause, to the effect"],
  ["F", "find a text in the frame"],
  ["M", "mark the frame, or remove its mark"],
  ["Ctrl F9", "in a file: comment on the line, or show its comment"],
  ["Alt F9", "in a file: next comment; with Shift the one before"],
  ["P", "in the frames: between a request and its reply"],
] as const;

/** All keys. */
export function KeysDialog() {
  return (
    <Dialog title="Keys">
      <table class="keys">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Key</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(([key, words]) => (
            <tr key={key}>
              <td>
                <kbd>{key}</kbd>
              </td>
              <td>{words}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox checked={singleKeys.value} onchange={(isOn) => set(singleKeys, isOn)()}>
        Keys without Ctrl or Alt work outside of lists and fields
      </Checkbox>
    </Dialog>
  );
}
