/** Headers of every answer. A page that needs a less strict policy sets it in its own answer. */
export const standing = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Browsers never add a bearer token by themselves, so any origin may call. (D14) */
export const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Delayed, ETag, Idempotent-Replayed, Problem-Code, Request-Id, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Deprecation, WWW-Authenticate',
}

export const preflight = {
  ...crossOrigin,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, ChatPlatform, Idempotency-Key, If-None-Match, Last-Event-ID',
  'access-control-max-age': '7200',
}
