import { library } from "../../scripts/rollup.mjs";

export default library({
  files: {
    core: /\/core\/src\/index\.ts$/,
    // Apart from who uses them: a bundler puts the numbers where their names are only then.
    codes: /\/(rpc-error|close|unit)-code\.ts$/,
  },
});
