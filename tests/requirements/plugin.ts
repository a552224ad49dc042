import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What the Obsidian plugin does, by the nine points of its plan, and what it bears. Each line is
 * proven by the built plugin in the app of `tests/obsidian-host`.
 */
export const plugin: readonly Statement[] = parseStatements(`
plugin:1:starts-light | 1, connection | it holds the app up for less than 20 ms when it starts
plugin:1:lock | 1, connection | one private lock file with the vault's real path
plugin:1:handshake | 1, connection | an agent in the vault or below it connects and finds no fault
plugin:1:no-setup | 1, connection | the default case needs no setup
plugin:1:several-vaults | 1, connection | several vaults at once, each with its own agents
plugin:1:others-untouched | 1, connection | lock files of other editors are left alone
plugin:1:quit | 1, connection | closing the window takes the lock file at once
plugin:1:crash | 1, connection | what a crash leaves goes at the next start
plugin:1:agent-crash | 1, connection | an agent that disappears leaves nothing pending
plugin:1:unload | 1, connection | a plugin that is disabled leaves nothing in the app
plugin:1:doors | 1, connection | nobody gets in without the token, from a web page, or by another name
plugin:peers:segments | peers, vault-code | a request that comes in several TCP segments is answered
plugin:peers:large | peers, vault-code | so is one of 200 kB
plugin:peers:continued | peers, vault-code | so is one in continuation frames
plugin:peers:head | peers, vault-code | so is one that comes with the upgrade
plugin:peers:own-answers | peers, vault-code | an answer goes to nobody but who asked
plugin:peers:version | peers, vault-code | the version that it says is its own
plugin:peers:loopback | peers, claude-code-mcp | it listens on loopback only
plugin:peers:no-code | peers, claude-code-mcp | no tool runs code
plugin:peers:config-dir | peers, claude-code-mcp | the lock file is where the CLI looks, CLAUDE_CONFIG_DIR honoured
plugin:peers:quiet | peers, claude-code-mcp | no notice at each start, no default hotkey
plugin:peers:blocks | peers, claude-code-ide | openDiff waits for the person
plugin:peers:no-deletion | peers, claude-code-ide | an empty proposal deletes nothing
plugin:peers:no-creation | peers, claude-code-ide | a proposal for a new file creates nothing
plugin:peers:schemas | peers, claude-ide | every tool has an inputSchema
plugin:peers:templates | peers, claude-ide | resources/templates/list is refused as unknown or empty
plugin:bad:read-only-disk | bad input | a vault on a read-only disk
plugin:bad:lock-directory | bad input | a lock directory that cannot be written
`);
