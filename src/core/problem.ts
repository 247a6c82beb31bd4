/** Errors in terms of the domain. Only infra/http knows status numbers. (D10) */

export type ProblemKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'limited'
  | 'too_large'
  | 'headers_too_large'
  | 'unsupported_type'
  | 'unmet_expectation'
  | 'timeout'
  | 'unavailable'

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  /** Stable `noun.reason`, sent as the `Problem-Code` header. */
  readonly code: string
  /** Data in the refusal besides its message, such as an eligibility object. Makes the answer JSON. */
  readonly data: Readonly<Record<string, unknown>> | undefined
  /** Headers that belong to this refusal, such as `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    kind: ProblemKind,
    code: string,
    message: string,
    extra: { data?: Readonly<Record<string, unknown>>; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message)
    this.kind = kind
    this.code = code
    this.data = extra.data
    this.headers = extra.headers ?? {}
  }
}

/** The caller's input cannot be used; `message` says how to fix it. */
export function invalid(code: string, message: string, data?: Readonly<Record<string, unknown>>): Problem {
  return new Problem('invalid', code, message, data === undefined ? {} : { data })
}

/** The caller is known, and may not do this. */
export function forbidden(code: string, message: string): Problem {
  return new Problem('forbidden', code, message)
}

/** The record does not exist, or the caller may not know of it. Both cases have the same wording on purpose. */
export function missing(code: string, message: string): Problem {
  return new Problem('missing', code, message)
}

/** The request is sound, but the record's present state rules it out. */
export function conflict(code: string, message: string, data?: Readonly<Record<string, unknown>>): Problem {
  return new Problem('conflict', code, message, data === undefined ? {} : { data })
}

/** Another service that the request needs cannot be reached; nothing was changed. */
export function unavailable(code: string, message: string): Problem {
  return new Problem('unavailable', code, message)
}

/** The service is overloaded or about to stop; a retry may succeed. */
export function busy(message: string): Problem {
  return new Problem('unavailable', 'service.busy', message, { headers: { 'retry-after': '1' } })
}

/** The service itself cannot answer now; a retry after a few seconds may succeed. */
export function notReady(message = 'The service is not ready; try again in a few seconds.'): Problem {
  return new Problem('unavailable', 'service.unavailable', message, { headers: { 'retry-after': '5' } })
}

/** A bearer token is needed, or the given one cannot be used. Carries the RFC 6750 challenge. (D3, D42) */
export function unauthenticated(code: string, message: string, challenge: BearerChallenge = {}): Problem {
  const parts = Object.entries(challenge).map(([name, value]) => `${name}="${value}"`)
  return new Problem('unauthenticated', code, message, {
    headers: { 'www-authenticate': parts.length === 0 ? 'Bearer' : `Bearer ${parts.join(', ')}` },
  })
}

export interface BearerChallenge {
  readonly error?: 'invalid_token' | 'insufficient_scope'
  readonly error_description?: string
  readonly scope?: string
}
