// Of RFC 6455 section 7.4.1, as core's `CloseCode` has them; as constants of our own, so that a bundle contains
// only those in use.

export const NORMAL = 1000;
export const GOING_AWAY = 1001;
export const ABNORMAL = 1006;
