import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What seed 004 states about MCP's wire, in our own words: the messages, three transports, OAuth. The source
 * column has the seed's lines. Its statements about one client's code are proven as behaviour of ours.
 */
export const seed004: readonly Statement[] = parseStatements(`
s4:transports | 12-14 | JSON-RPC 2.0 goes over stdio, Streamable HTTP and, where a server has nothing newer, SSE
s4:request | 22-29 | a request has jsonrpc, id, method and params
s4:response | 33-41 | its answer has jsonrpc, the same id and result
s4:notification | 45-51 | a notification has no id, and is not answered
s4:initialize-request | 59-72 480 | initialize has the revision, the capabilities and the clientInfo
s4:initialize-response | 74-87 480 | it is answered with the same revision, the server's capabilities and its info
s4:tools-list | 91-114 481 | tools/list is answered with name, description and inputSchema of each tool
s4:tools-call | 118-138 482 | tools/call has name and arguments, and is answered with content
s4:tools-call-success | 136 | a success has isError false | it is left out, as the specification allows: absent is false
s4:prompts-list | 142-162 488 | prompts/list is answered with name, description and arguments of each prompt
s4:prompts-get | 166-189 488 | prompts/get is answered with a description and messages
s4:resources-list | 193-208 487 | resources/list is answered with uri, name, description and mimeType of each resource
s4:resources-read | 212-229 487 | resources/read is answered with contents
s4:notifications | 237-242 489 | a server reports that a list or a resource has changed
s4:notification-handler | 246-250 489 | a client is notified that the tools have changed
s4:stdio-spawn | 258 265-276 477 | a client starts a program with arguments, a folder and an environment
s4:stdio-newlines | 259-260 280-285 478-479 | each message is one line of JSON, ended by a newline, both ways
s4:stdio-stderr | 261 265-276 | what the program writes to stderr is ignored where the client says so, and is never a message
s4:http-post | 293-298 303-307 493 | a request is a POST of JSON to one endpoint, and its response is the answer
s4:http-keep-alive | 299 | one connection takes several requests
s4:bearer | 306 495 | the token is in the header Authorization, as Bearer
s4:sse-endpoint | 315-317 494 | over SSE a GET opens the stream, and requests are posted to the address that it names
s4:sse-events | 321-327 | answers and notifications are events of the kind message
s4:oauth-challenge | 337-339 343-346 499 | a 401 begins the login; without a person who can log in it is an error
s4:oauth-flow | 347-351 499 501 | authorization request, redirect with code and state, tokens, the request again with the token
s4:pkce | 356-360 500 | the verifier has 43 to 128 characters, the challenge is its SHA-256 in base64url, by S256
s4:state | 366-370 | state is random, and another one is refused
s4:state-hex | 366-370 | it is 32 random bytes in hexadecimal digits | any unguessable text serves; ours is of the OAuth library, 32 bytes in base64url
s4:text-content | 380-385 | text content has type and text
s4:image-content | 389-395 | image content has type, data in base64 and mimeType
s4:resource-content | 399-408 | resource content has the resource with uri, text and mimeType
s4:error | 416-426 | a refusal has code, message and data
s4:error-codes | 432-436 | the five codes of JSON-RPC mean what they mean there
s4:tool-error | 440-449 | a tool that fails is a result with isError true
s4:timeouts | 460-461 464-469 483 | connecting and calling end after a time that can be set
s4:timeout-default | 460-461 | that time is 30 s | it is 60 s, as the official SDK has it, so that servers meet the time-out that they expect
s4:timeout-progress | 462 464-469 | progress restarts the time-out if the caller wants it
s4:token-storage | 502 | tokens outlive the process
s4:token-refresh | 503 | tokens are refreshed before they end
`);
