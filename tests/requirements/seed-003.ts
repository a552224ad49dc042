import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What seed 003 states about a server of paired comments, in our own words. The source column has the seed's
 * lines. Errors are as it has them with `errors: "seed"`, and by default for clients before 2025-11-25.
 */
export const seed003: readonly Statement[] = parseStatements(`
s3:capabilities | 25-40 | tools, resources with subscriptions and changes of the list, and prompts are offered
s3:server-info | 44-51 | the server is paired-comments-mcp-server, with a version
s3:server-info-vendor | 44-51 | serverInfo has a vendor and a protocolVersion | MCP's Implementation has neither, and 1.0.0 is no revision of it
s3:add-schema | 62-108 | add_comment takes filePath, line, text and tag, and author and aiMeta with their limits and defaults
s3:add-call | 111-132 | a comment is added at the line, with its author and the model's data about itself
s3:add-success | 135-149 | its ids, place, tag and anchor are returned
s3:add-success-is-error | 145 | a success has isError false | it is left out, as the specification allows: absent is false
s3:add-invalid-line | 152-167 931-941 | a line past the end is refused with the line, the number of lines and the valid range
s3:add-invalid-line-code | 156 | its code is -32602 | the seed has -32005 for it in its list of errors and in its second example
s3:edit-schema | 176-202 | edit_comment takes filePath, commentId and text
s3:edit-call | 205-219 | the text of the comment is replaced
s3:edit-success | 222-235 | its id, file and time are returned
s3:delete-schema | 244-264 | delete_comment takes filePath and commentId
s3:delete-call | 267-280 | the comment and its marker are removed
s3:delete-success | 283-296 | its id and file are returned
s3:search-schema | 305-355 | search_comments takes query, filters and limit, 100 by default and 1000 at most
s3:search-call | 358-375 | filters restrict the results: tag, author, path or glob, metadata, time
s3:search-success | 378-399 | each comment is returned with place, tag, text, author, time and model, and their number
s3:file-schema | 408-428 | get_file_comments takes filePath and includeOrphaned, true by default
s3:file-call | 431-444 | orphans are left out only on request
s3:file-success | 447-465 | a summary by tag, then each comment with line, id, text, author and anchor
s3:move-schema | 474-502 | move_comment takes sourceFile, targetFile, commentId and targetLine
s3:move-call | 505-520 | the comment is in the other file afterwards
s3:move-success | 523-536 | both places and its new anchor are returned
s3:export-schema | 545-582 | export_comments takes format, filePath and options, with 0 to 20 lines of context, 3 by default
s3:export-call | 585-601 | JSONL has the code around each comment
s3:export-success | 604-626 | the export is an embedded resource, with its type, beside the numbers of its comments and bytes
s3:result-metadata | 389-396 459-463 619-623 | results have metadata beside content | MCP has structuredContent for it, which has the same members
s3:workspace-resource | 643-652 655-669 | all comments by file, and their number
s3:file-resource | 671-677 | the comments of a file
s3:tag-resource | 679-685 | the comments with a tag
s3:orphaned-resource | 687-691 | the comments whose code is gone
s3:ai-resource | 693-697 | the comments with AI metadata
s3:subscribe | 703-712 716-724 | a subscriber is notified of a change of the resource by its URI
s3:review-prompt | 736-755 758-771 774-790 | review_code has the source, and what to look for by focus
s3:complexity-prompt | 796-814 | explain_complexity has the functions above a threshold, 10 by default
s3:training-prompt | 820-833 | training_export has the comments as training data, with context by default
s3:orphans-prompt | 839-851 | fix_orphans has the orphans of a file, or of all, with where they may belong
s3:prompt-argument-keys | 748-751 808-811 827-830 | arguments of prompts have enum and default | MCP's PromptArgument has neither; the description states them, and completion offers them
s3:standard-codes | 859-867 | unknown methods and arguments have the codes of JSON-RPC
s3:own-codes | 871-881 885-899 | errors about comments have the codes -32001 to -32007, with data and a suggestion
s3:workspace-root | 893 | data has the path of the workspace | it would reveal paths of the machine to clients: data has the path as it was requested
s3:not-found | 904-914 | an unknown id is -32002, with the way to the known ones
s3:parse-error | 917-928 | code that cannot be parsed is -32006 | it is followed as far as it can be, and as text where no grammar is; nothing is refused
s3:request | 949-956 | a request has jsonrpc, id, method and params
s3:success | 960-978 | its answer has the same id and a result with content
s3:error | 982-992 | or an error with code, message and data
s3:notification | 996-1002 | a notification has no id
`);
