import type { PosixPath } from "../paths/posix-path.ts";

/** Names of files in any folder. */
const NAMES = new RegExp(
  [
    // Environments, also `prod.env` and `prod.env.local`.
    String.raw`^\.env`,
    String.raw`\.env(\.(local|dev|development|prod|production|staging|test|bak|backup|old))?$`,
    String.raw`^\.(dev\.vars|renviron|flaskenv)$`,
    // Keys and certificates with keys.
    "^(.*[-_.])?id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk)?$|^(deploy|private|ssh)[-_]?key$",
    "^(deploy[-_](rsa|dsa|ecdsa|ed25519)|ssh_host_.+_key)$",
    String.raw`\.(pem|key|p8|p12|pfx|pkcs12|ppk|jks|keystore|jceks|keytab|kdbx?|ovpn|agekey)$`,
    String.raw`^secring\.|^(.*[-_.])?private([-_]?key)?\.(asc|gpg|pgp)$|^wallet\.dat$`,
    // Package managers, databases, mail, version control, web servers.
    String.raw`^\.(npmrc|yarnrc(\.ya?ml)?|pypirc|pgpass|my\.cnf|mylogin\.cnf|git-credentials|dockercfg)$|^\.?ht(passwd|digest)$`,
    String.raw`^[._]netrc$|^pgpass\.conf$|^\.(authinfo(\.gpg)?|msmtprc|fetchmailrc|s3cfg|boto|passwd-s3fs|databrickscfg)$`,
    String.raw`^\.(vault-token|erlang\.cookie|terraformrc|ftpconfig)$|^terraform\.rc$|^\.?(ansible[-_])?vault[-_]pass(word)?(\.txt)?$`,
    String.raw`^sftp(-config)?\.json$|^\.remote-sync\.json$|^(filezilla|sitemanager|recentservers)\.xml$|^\.?rclone\.conf$`,
    String.raw`^(.*[-_.])?kubeconfig(\.ya?ml)?$|^passwords?\.(csv|txt)$|^\.?api[-_]?keys?\.(json|txt)$`,
    String.raw`^\.(sentryclirc|pg_service\.conf)$|^settings-security\.xml$|^ngrok\.ya?ml$|^wg\d+\.conf$|\.keychain(-db)?$`,
    // Credentials of clouds and services.
    String.raw`^\.?credentials(\.(json|ya?ml|toml|ini|csv|xml|properties|db))?$|^credentials\.tfrc\.json$`,
    String.raw`^.+[-_.]credentials\.json$|^oauth_creds\.json$`,
    String.raw`^\.?secrets?\.(json|ya?ml|toml|ini|txt|properties|xml)$|^local\.settings\.json$`,
    String.raw`^(.*[-_.])?(service[-_]?account([-_]?key)?|client[-_]?secrets?)([-_.].*)?\.json$|firebase-adminsdk.*\.json$`,
    String.raw`^application_default_credentials\.json$|^kaggle\.json$|^(.*_)?(accesskeys|rootkey|credentials)\.csv$`,
    String.raw`^\.claude\.json$`,
    // States and variables of Terraform, in which passwords are plain text.
    String.raw`\.tfstate(\.[\w.-]+)?$|\.(tfvars(\.json)?|tfplan)$`,
    // What was typed into shells and databases.
    String.raw`^\.(bash|zsh|sh|fish|psql|mysql|sqlite|python|node_repl|rediscli|irb)_history$`,
  ].join("|"),
  "i",
);

/** Names of folders, with everything in them. `.env`, `.env.d` and `.envs` match, `.environments` does not. */
const FOLDERS =
  /^\.git$|^\.envs?$|^\.env[^a-z]|^\.(ssh|aws|azure|gnupg|kube|minikube|oci|aliyun|bluemix|ibmcloud|password-store|pulumi|secrets?|snowflake|snowsql|databricks|gcloud)$/i;

/** The end of the name of a copy, which editors and people make. */
const COPY = /(\.(bak|backup|old|orig|save|swp|tmp)|~)$/i;

/** Files that are secret in these folders only. */
const IN_FOLDERS = new RegExp(
  [
    String.raw`/\.config/(gcloud|gh|op|doctl|rclone|github-copilot|containers|sops|age|configstore)/|/\.config/hub$`,
    String.raw`/\.(docker|composer|codex|config/composer|fly|netlify|vercel|twilio-cli)/(config|auth)\.(json|ya?ml)$`,
    String.raw`/\.m2/settings(-security)?\.xml$|/\.gradle/gradle\.properties$|/\.local/share/keyrings/`,
    String.raw`/\.?pip/pip\.(conf|ini)$|/\.bundle/config$|/\.wrangler/config/|/\.subversion/auth/|/\.electrum/wallets/`,
    String.raw`/kubernetes/[\w-]+\.conf$|/(\.mozilla|firefox)/(.*/)?(key[34]\.db|logins\.json)$`,
    String.raw`/\.dbt/profiles\.ya?ml$|/\.circleci/cli\.yml$|/\.?huggingface/token$|/opencode/auth\.json$`,
  ].join("|"),
  "i",
);

/**
 * Whether a path is one of Git's own files, an `.env*` file, a key, a credential or a state in plain
 * text, or in a folder of such files. It judges the name alone: for a path that may be a link, check its
 * target as well.
 */
export function isSecretPath(path: PosixPath): boolean {
  const names = path.split("/");
  const isSecret = (name: string, at: number) =>
    FOLDERS.test(name) || (at === names.length - 1 && NAMES.test(name.replace(COPY, "")));
  const plain = names.map(plainName);
  return (
    names.some((name, at) => isSecret(name, at) || isSecret(plain[at] ?? "", at)) ||
    IN_FOLDERS.test(plain.join("/"))
  );
}

/** Windows opens the same file by `name:stream` and with trailing dots and spaces. */
function plainName(name: string): string {
  const colon = name.indexOf(":");
  let end = colon < 0 ? name.length : colon;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end -= 1;
  return name.slice(0, end);
}
