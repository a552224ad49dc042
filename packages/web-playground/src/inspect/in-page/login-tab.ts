import { isObject } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { LoginEnd } from "@idewire/http/internal";
import type { RedirectTarget } from "@idewire/http/oauth";
import { LOGIN_CHANNEL } from "./login-channel.ts";

/** How long the person may take. */
const LOGIN_MS = 600_000;

/**
 * The tab in which the person logs in: the page shows the address, and the redirect leads to `login.html` beside this
 * page, which reports it.
 * @param onvisit called with the address; its result is called at the end of the login
 */
export function loginTab(onvisit: (address: string) => (end: LoginEnd) => void): RedirectTarget {
  return {
    uri: new URL("login.html", location.href).href,
    visit: async (address) => {
      const onend = onvisit(address);
      try {
        const redirect = await redirectOf(new URL(address).searchParams.get("state") ?? "");
        onend({ redirect });
        return redirect;
      } catch (error) {
        onend({ problem: String((error as Error).message) });
        throw error;
      }
    },
    close: async () => {},
  };
}

/** The redirect of a login; those of other pages are reported, too. */
async function redirectOf(state: string): Promise<string> {
  const channel = new BroadcastChannel(LOGIN_CHANNEL);
  let timer: number | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      const end = () =>
        reject(new IdewireError("timeout", "The login was not completed within ten minutes"));
      timer = window.setTimeout(end, LOGIN_MS);
      channel.onmessage = ({ data }) => {
        const { redirect } = isObject(data) ? data : {};
        if (typeof redirect !== "string" || !URL.canParse(redirect)) return;
        if (new URL(redirect).searchParams.get("state") === state) resolve(redirect);
      };
    });
  } finally {
    window.clearTimeout(timer);
    channel.close();
  }
}
