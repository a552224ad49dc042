const clientInfo = { name: "bench", version: "1.0.0" };

/** The first frames of a client. */
export const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
});
export const INITIALIZED = JSON.stringify({
  jsonrpc: "2.0",
  method: "notifications/initialized",
});

/** The twelve kinds of malformed frames; all except the last, a stray response, must be answered. */
export const malformedFrames: readonly string[] = [
  '{"jsonrpc":"2.0","id":1,"method":',
  "",
  '"ping"',
  "[]",
  '[{"jsonrpc":"2.0","id":2,"method":"ping"}]',
  '{"id":3,"method":"ping"}',
  '{"jsonrpc":"1.0","id":4,"method":"ping"}',
  '{"jsonrpc":"2.0","id":{"a":5},"method":"ping"}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":6,"method":"ping","params":7}',
  '{"jsonrpc":"2.0","id":8,"method":"there/is/none"}',
  '{"jsonrpc":"2.0","id":987654,"result":{}}',
];
