import { library } from "../../scripts/rollup.mjs";

export default library();
