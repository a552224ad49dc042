export {
  createSourceReader,
  makeAnchor,
  outlineOf,
  resolveAnchors,
} from "@idewire/paired-comments";
