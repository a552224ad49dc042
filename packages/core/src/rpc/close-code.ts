// The close codes that we send or synthesise (RFC 6455 section 7.4.1). They are constants of a module,
// so that a bundle contains only those in use.

export const Normal = 1000;
export const GoingAway = 1001;
export const UnsupportedData = 1003;
export const NoStatus = 1005;
export const Abnormal = 1006;
export const InvalidPayload = 1007;
export const PolicyViolation = 1008;
export const MessageTooBig = 1009;
export const InternalError = 1011;
export const TryAgainLater = 1013;
