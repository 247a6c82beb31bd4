import { Answer } from '../core/operation.ts'
import { Problem, type ProblemKind } from '../core/problem.ts'
import { oauthError, oauthHeaders } from '../infra/http/errors.ts'

/** Refusals of the authorization server, in the terms of its protocols. */

/** The error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'

/**
 * A refusal; where the operation declares `errors: 'oauth'`, the kernel sends `error` and the message as RFC 6749 JSON.
 */
export function refusal(error: OAuthError, code: string, message: string, kind: ProblemKind = 'invalid'): Problem {
  return new Problem(kind, code, message, { data: { error } })
}

/** The client could not authenticate. The challenge names the only supported method. (RFC 6749 §5.2) */
export function clientRefused(code: string, message: string): Problem {
  return new Problem('unauthenticated', code, message, {
    data: { error: 'invalid_client' satisfies OAuthError },
    headers: { 'www-authenticate': 'Basic realm="Downbeat", charset="UTF-8"' },
  })
}

/** A refusal as an answer, so that earlier changes of the transaction are committed. */
export function refusalAnswer(problem: Problem): Answer {
  return new Answer(400, { body: oauthError(problem), headers: { ...oauthHeaders, 'problem-code': problem.code } })
}

export function isRefusal(error: unknown): error is Problem & { data: { error: OAuthError } } {
  return error instanceof Problem && error.data?.error !== undefined
}

export type StolenKind = 'code' | 'refresh_token' | 'device_code'

/**
 * The second use of a single-use code or token: the handler ends the grant and commits that, although the answer is an
 * error.
 */
export class Stolen extends Problem {
  readonly grantGuid: string
  readonly stolen: StolenKind

  constructor(grantGuid: string, stolen: StolenKind) {
    super('invalid', 'grant.reused', 'The code or token was used before; all that it gave is revoked.', {
      data: { error: 'invalid_grant' satisfies OAuthError },
    })
    this.grantGuid = grantGuid
    this.stolen = stolen
  }
}
