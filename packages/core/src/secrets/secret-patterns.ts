import { fromBase64 } from "../text/base64.ts";
import { isPlaceholder } from "./placeholders.ts";
import { type SecretPattern, tokenFormats } from "./token-formats.ts";

/** Words that end the name of a setting, member or header whose value is a secret. */
const KEY =
  "(?:pass(?:word|wd|phrase|code)|pwd|secret|(?<!(?:progress|page|next|cursor|continuation|cancel|cancellation|" +
  "workdone|result|stop|start|end|css|design)[-_]?)token|api[-_ .]?key|access[-_ ]?key(?:[-_ ]?id)?|" +
  "(?:private|secret|account|auth|signing|encryption|shared|master|client)[-_ ]?key|authorization|cookies?|" +
  "credentials?|session[-_ ]?(?:id|key)|connection[-_ ]?string|_auth)";
const QUOTE = "[\"'`\\]]{0,2}";
const SIGN = `${QUOTE}\\s{0,8}(?:=>|:=|[:=](?!=))\\s{0,8}`;
/** Before a value; a key that follows immediately has its own value. */
const START = `(?:(?:basic|bearer|digest|negotiate|token)\\s{1,8})?(?!${KEY}${QUOTE}[:=])`;
const QUOTED = ['"', "'", "`"]
  .map((quote, at) => `${quote}${START}(?<quoted${at}>[^${quote}\\n]{3,})`)
  .join("|");
const SURE_QUOTED = `["']${START}(?<secret>[^"'\\s]{12,})["']`;
const LINE = "^[ \\t]{0,32}(?:- |export |set |\\$env:)?[\\w.$-]{0,64}";

const isSecret = (value: string): boolean => !isPlaceholder(value) && !/^\d{1,3}$/.test(value);
/** A call, or an index, names a secret without containing it. */
const isValue = (value: string, next: string): boolean =>
  isSecret(value) && !(/[([]/.test(next) && /^[A-Za-z_$][A-Za-z_$.]*$/.test(value));

/** Every pattern of a secret, for traces and comments that are shared. */
export const secretPatterns: readonly SecretPattern[] = [
  {
    name: "token of a service",
    pattern: oneOf(tokenFormats),
    example: "ghp_a1b2",
    accept: (token) => /\d|[A-Z]{16}|[A-Za-z]{30}/.test(token),
  },
  {
    name: "JSON web token",
    pattern: /(?<![\w-])e(?:y[A-L]|w[o-r0-3])[\w-]{5,}\.[\w-]+(?:\.[\w-]*){1,3}/g,
    example: "eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln",
  },
  {
    name: "private key",
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?!redacted)(?<key>[^-]{1,16384})/g,
    example: "-----BEGIN PRIVATE KEY-----\nMIIB",
  },
  {
    name: "end of a private key",
    pattern: /(?<![\w+/=\s\\])[\w+/=\s\\]+(?=-----END [A-Z ]{0,40}PRIVATE KEY)/g,
    example: "MIIB\n-----END PRIVATE KEY-----",
    accept: (key) => !/^\d{1,9}$/.test(key),
  },
  {
    name: "password in an address",
    pattern: /:\/\/[^\s"'<>:@/]{0,128}:(?!\d{1,5}\/)(?<password>[^\s"'<>]{1,256})@/g,
    example: "postgres://user:p/a55@host/db",
    accept: isSecret,
  },
  {
    name: "user of an address that is a token",
    pattern: /:\/\/(?<user>[^\s"'<>:@/]{16,256})@/g,
    example: "https://a1b2c3d4e5f6a7b8@host/x.git",
    isGuess: true,
    accept: isSecret,
  },
  {
    name: "address of a webhook",
    pattern:
      /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks\/\d+|webhook\.office\.com\/webhookb2)\/(?<path>[\w/+@-]{8,})/g,
    example: "https://hooks.slack.com/services/T0/B0/a1b2",
  },
  {
    name: "quoted value of a key",
    pattern: new RegExp(`${KEY}${SIGN}${SURE_QUOTED}`, "gi"),
    example: 'apiKey: "a1b2c3d4e5f6"',
    accept: isSecret,
  },
  {
    name: "bearer token",
    pattern: /(?<![A-Za-z0-9])bearer[ .:]{1,4}(?<token>[\w.~+/=-]{6,})/gi,
    example: "Bearer a1b2c3",
    isGuess: true,
    accept: (token) =>
      isSecret(token) &&
      !/^(?:auth|token|scheme|header|credential|format|error|realm)/i.test(token),
  },
  {
    name: "basic credentials",
    pattern: /(?<![A-Za-z0-9])basic[ .:]{1,4}(?<credentials>[\w+/=-]{4,})/gi,
    example: "Basic dXNlcjpwYXNz",
    isGuess: true,
    accept: isUserAndPassword,
  },
  {
    name: "header",
    pattern: new RegExp(
      `(?:authorization|cookies?)${SIGN}${START}(?<value>[^"'\`\\n\\r]{3,})`,
      "gi",
    ),
    example: "Cookie: a=b1; sid=c2",
    isGuess: true,
    accept: isValue,
  },
  {
    name: "value of a key, in quotes of any length",
    pattern: new RegExp(`${KEY}${SIGN}(?:${QUOTED})`, "gi"),
    example: "password = 'a b c'",
    isGuess: true,
    accept: isSecret,
  },
  {
    name: "line of settings",
    pattern: new RegExp(`${LINE}${KEY}=${START}(?<value>[^\\s"'\`][^\\n\\r]{2,})`, "gim"),
    example: "export GITHUB_TOKEN=x-y-z;1",
    isGuess: true,
    accept: isValue,
  },
  {
    name: "passphrase",
    pattern: new RegExp(
      `${LINE}${KEY}: ${START}(?<phrase>[^\\s.!?,;:(){}[\\]<>="]+(?: [^\\s.!?,;:(){}[\\]<>="]+){1,7})$`,
      "gim",
    ),
    example: "passphrase: correct horse battery",
    isGuess: true,
    accept: (phrase) => isSecret(phrase) && !isPlaceholder(phrase.split(" ", 1)[0] ?? ""),
  },
  {
    name: "value of a key",
    pattern: new RegExp(`${KEY}${SIGN}${START}(?<value>[^\\s"'\`,;&<>()[\\]{}|]{3,})`, "gi"),
    example: "password: hunter2",
    isGuess: true,
    accept: isValue,
  },
  {
    name: "option of a command",
    pattern: new RegExp(
      `(?<![\\w-])--?[\\w-]{0,64}${KEY}\\s{1,4}${START}(?<value>[^\\s"'\`,;&<>()[\\]{}|]{3,})`,
      "gi",
    ),
    example: "login --password q1w2e3",
    isGuess: true,
    accept: isValue,
  },
  {
    name: "element of XML",
    pattern: new RegExp(`<[\\w.-]{0,64}${KEY}>(?<value>[^<\\n]{3,})`, "gi"),
    example: "<password>q1w2e3</password>",
    isGuess: true,
    accept: isSecret,
  },
  {
    name: "UUID",
    pattern: /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi,
    example: "0f8fad5b-d9cb-469f-a165-70867728950e",
    isGuess: true,
  },
  {
    name: "128 bits or more in hexadecimal",
    pattern: /[0-9a-f]{32,}|[0-9A-F]{32,}/g,
    example: "4f0a".repeat(8),
    isGuess: true,
    accept: (digits) => /\d/.test(digits),
  },
  {
    name: "base64 in lines",
    pattern: /(?<![\w+/-])(?:[\w+/-]{56,}\r?\n)+[\w+/-]+={0,2}(?![^\r\n"])/g,
    example: `${"aB3+".repeat(16)}\naB3=`,
    isGuess: true,
    accept: looksRandom,
  },
  {
    name: "random base64",
    pattern: /[\w+/-]{40,}={0,2}/g,
    example: `${"aB3+/cD4".repeat(6)}==`,
    isGuess: true,
    accept: looksRandom,
  },
  {
    name: "random letters and digits",
    pattern: /[\w-]{32,}={0,2}/g,
    example: "4f0a".repeat(10),
    isGuess: true,
    // Shorter ones may be identifiers.
    accept: (run) => (run.length < 40 ? looksRandom(run) : !isWords(run)),
  },
];

const SECRET_KEY = new RegExp(`${KEY}$`, "i");

/** Whether the value of a key is a secret by the key's name. */
export function isSecretKey(key: string): boolean {
  return key.length <= 200 && SECRET_KEY.test(key);
}

/** One expression for all, since a text is read once for each. */
function oneOf(formats: readonly SecretPattern[]): RegExp {
  const sources = formats.map(({ pattern }) => pattern.source);
  // A capital after a small letter begins a word, too: `exportAKIA…`.
  return new RegExp(`(?:(?<![A-Za-z0-9])|(?<=[a-z])(?=[A-Z]))(?:${sources.join("|")})`, "g");
}

function isUserAndPassword(text: string): boolean {
  return fromBase64(text)?.includes(":".charCodeAt(0)) === true;
}

/** Whether letter case and digits alternate more often than in names and paths. */
function looksRandom(run: string): boolean {
  const beginning = run.slice(0, 4096);
  const pairs = beginning.match(/[A-Za-z0-9](?=[A-Za-z0-9])/g)?.length ?? 0;
  const changes =
    beginning.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return pairs >= 20 && changes / pairs > 0.3;
}

/** Whether it is words of one case with `-` and `_` between, as in names of files and constants. */
function isWords(run: string): boolean {
  return run.split(/[-_]+/).every((word) => /^(?:[a-z]{0,15}|[A-Z]{0,15})$/.test(word));
}
