/** Where an answer has its id before what it says, and where after that; ours are numbers. */
const ID_FIRST = /^\W*(?:jsonrpc\W*2\.0\W*)?id\W*(\d+)(?!\d|\W*method)/;
const ID_LAST = /[{,]\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The id of the request that a frame, which is not parsed, says that it answers; undefined where it says none. */
export function idOfUnread(frame: string): number | undefined {
  const [, id] = ID_FIRST.exec(frame.slice(0, 200)) ?? ID_LAST.exec(frame.slice(-200)) ?? [];
  return id === undefined ? undefined : Number(id);
}
