// From RFC 6455 section 7.4.1, with the same values as core's `CloseCode`.

export const NORMAL = 1000;
export const GOING_AWAY = 1001;
export const ABNORMAL = 1006;
