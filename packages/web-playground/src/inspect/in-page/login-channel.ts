/** The channel on which the tab of a login reports the address that it was redirected to. */
export const LOGIN_CHANNEL = "idewire.login";
