/** The name of the extension for tasks among the capabilities. */
export const TASKS = "io.modelcontextprotocol/tasks";
