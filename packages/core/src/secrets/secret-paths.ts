import type { PosixPath } from "../paths/posix-path.ts";

/** Names of files in any folder. */
const NAMES = new RegExp(
  [
    // Environments, also `prod.env` and `prod.env.local`.
    String.raw`^\.env(rc)?(?![a-z])`,
    String.raw`\.env(\.(local|dev|development|prod|production|staging|test|bak|backup|old))?$`,
    String.raw`^\.(dev\.vars|renviron|flaskenv)$`,
    // Keys and certificates with keys.
    "^(.*[-_.])?id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk)?$|^(deploy|private|ssh)[-_]?key([.]txt)?$",
    "^(deploy[-_](rsa|dsa|ecdsa|ed25519)|ssh_host_.+_key)$",
    String.raw`\.(pem|key|p8|p12|pfx|pkcs12|ppk|jks|keystore|jceks|keytab|kdbx?|ovpn|agekey)$`,
    String.raw`^secring\.|^(.*[-_.])?private([-_]?key)?\.(asc|gpg|pgp)$|^wallet\.dat$|^UTC--\d{4}-.*--[\da-f]{40}$|^\.?mnemonic(\.txt)?$`,
    String.raw`^(key|keystore|signing)\.properties$`,
    // Package managers, databases, mail, version control, web servers.
    String.raw`^\.(npmrc|yarnrc(\.ya?ml)?|pypirc|pgpass|my\.cnf|mylogin\.cnf|git-credentials|dockercfg)$|^\.?ht(passwd|digest)$`,
    String.raw`^[._]netrc$|^pgpass\.conf$|^\.(authinfo(\.gpg)?|msmtprc|esmtprc|mbsyncrc|offlineimaprc|fetchmailrc|s3cfg|boto|passwd-s3fs|databrickscfg)$`,
    String.raw`^\.(vault-token|erlang\.cookie|terraformrc|ftpconfig)$|^terraform\.rc$|^\.?(ansible[-_])?vault[-_]pass(word)?(\.txt)?$`,
    String.raw`^sftp(-config)?\.json$|^\.remote-sync\.json$|^(filezilla|sitemanager|recentservers|webservers)\.xml$|^\.?rclone\.conf$`,
    String.raw`^(.*[-_.])?kubeconfig(\.ya?ml)?$|^passwords?\.(csv|txt)$|^\.?api[-_]?keys?\.(json|txt)$`,
    String.raw`^\.(sentryclirc|pg_service\.conf)$|^settings-security\.xml$|^ngrok\.ya?ml$|^wg\d+\.conf$|^proftpdpasswd$|^k3s\.yaml$|^\.dockerconfigjson$|\.keychain(-db)?$`,
    // Applications whose settings contain the password of a database or a session, and files of browsers.
    String.raw`^(wp-config|LocalSettings)\.php$|^connectionstrings\.config$|^secret_token\.rb$|^(robomongo|credentials-config)\.json$`,
    String.raw`^cookies\.(sqlite|txt)$|^login data$`,
    // Credentials of clouds and services.
    String.raw`^(auth|token)\.json$|^(gcp|gcloud|google|sa)[-_]?key\.json$`,
    String.raw`^\.?credentials(\.(json|ya?ml|toml|ini|csv|xml|properties|db))?$|^credentials\.tfrc\.json$`,
    String.raw`^.+[-_.]credentials\.json$|^oauth_creds\.json$`,
    String.raw`^\.?secrets?([-_.](local|dev|development|prod|production|staging|test))?\.(json|ya?ml|toml|ini|txt|properties|xml)$`,
    String.raw`^.+\.secrets?\.json$|^local\.settings\.json$`,
    String.raw`^(.*[-_.])?(service[-_]?account([-_]?key)?|client[-_]?secrets?)([-_.].*)?\.json$|firebase-adminsdk.*\.json$`,
    String.raw`^application_default_credentials\.json$|^kaggle\.json$|^(.*_)?(accesskeys|rootkey|credentials)\.csv$`,
    String.raw`^\.claude\.json$`,
    // States and variables of Terraform, in which passwords are plain text.
    String.raw`\.tfstate(\.(?!md$)[\w.-]+)?$|\.(tfvars(\.json)?|tfplan)$`,
    // Histories of shells and databases.
    String.raw`^\.(bash|zsh|sh|fish|psql|mysql|sqlite|python|node_repl|rediscli|irb)_history$|^\.rhistory$`,
  ].join("|"),
  "i",
);

/** Names of folders, with everything in them. `.env`, `.env.d` and `.envs` match, `.environments` does not. */
const FOLDERS =
  /^\.git$|^\.envs?$|^\.env[^a-z]|^\.(ssh|aws|azure|gnupg|kube|minikube|oci|aliyun|bluemix|ibmcloud|password-store|pulumi|secrets?|snowflake|snowsql|databricks|gcloud)$/i;

/** Files beside the real one that show its form without its values. */
const TEMPLATE =
  /(^|[-_.])(example|sample|template|tmpl)(\.(env|json|ya?ml|toml|ini|properties|php|tfvars|xml|txt|conf))?$|\.(dist|defaults?|schema)$/i;

/** Files of a folder of translations that are named by their subject. */
const SUBJECT = /^(auth|token|secrets?|credentials|passwords?)\.[a-z]+$/i;
const TRANSLATIONS = /^(locales?|langs?|i18n|l10n|translations?)$/i;

/** The end of the name of a copy, which editors and people make. */
const COPY = /(\.(bak|backup|old|orig|save|swp|tmp)|~)$/i;

/** No file system has longer names; a longer one is judged by its start, since some patterns are quadratic. */
const MAX_NAME = 255;

/** Files that are secret in these folders only. */
const IN_FOLDERS = new RegExp(
  [
    String.raw`/(\.config|AppData/(Roaming|Local)|Application Support)/(gcloud|gh|GitHub CLI|op|doctl|rclone|github-copilot|containers|sops|age|configstore|stripe|hcloud|linode-cli)/|/\.config/hub$`,
    String.raw`/\.(docker|composer|codex|config/composer|fly|netlify|vercel|twilio-cli|railway|mc|cf|okta)/(config|auth|okta)\.(json|ya?ml)$`,
    String.raw`/\.m2/settings(-security)?\.xml$|/\.gradle/gradle\.properties$|/\.local/share/keyrings/`,
    String.raw`/\.?pip/pip\.(conf|ini)$|/\.bundle/config$|/\.wrangler/config/|/\.subversion/auth/|/\.electrum/wallets/`,
    String.raw`/kubernetes/[\w-]+\.conf$|/(key[34]\.db|logins\.json)$(?<=/(\.mozilla|firefox)/.*)`,
    String.raw`/(\.nuget|AppData/Roaming)/NuGet/NuGet\.Config$|/etc/g?shadow-?$|/\.supabase/access-token$`,
    String.raw`/app/etc/(env\.php|local\.xml)$|/sites/[^/]+/settings(\.local)?\.php$|/app/config/parameters\.ya?ml$`,
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
  const names = path.split("/").map((name) => name.slice(0, MAX_NAME));
  const isTranslation = names.some((name) => TRANSLATIONS.test(name));
  const isSecret = (name: string, at: number) => {
    if (at < names.length - 1) return FOLDERS.test(name);
    const original = name.replace(COPY, "");
    if (TEMPLATE.test(original) || (isTranslation && SUBJECT.test(original))) return false;
    return FOLDERS.test(name) || NAMES.test(original);
  };
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
