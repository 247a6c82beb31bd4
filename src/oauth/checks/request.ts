import { refusal } from '../problems.ts'
import { given } from './parameters.ts'

/** Checks of an authorization request. */

/** Signing in at the chat platform stores the whole request in a cookie, whose size is limited. */
const maxRequestLength = 2_400

/** The request must fit into the cookie of the sign-in. (RFC 6749 §4.1.2.1) */
export function checkRequestLength(parameters: URLSearchParams): void {
  if (parameters.toString().length > maxRequestLength) {
    throw refusal(
      'invalid_request',
      'request.overlong',
      `The parameters may have at most ${maxRequestLength} characters together; shorten state.`,
    )
  }
}

/** Only codes are issued, and only in the query. (RFC 6749 §3.1.1) */
export function checkResponseType(parameters: URLSearchParams): void {
  const type = given(parameters, 'response_type')
  if (type === undefined) throw refusal('invalid_request', 'parameter.missing', 'The request lacks response_type.')
  if (type !== 'code') {
    throw refusal('unsupported_response_type', 'response_type.unsupported', 'response_type must be code.')
  }
  const mode = given(parameters, 'response_mode')
  if (mode !== undefined && mode !== 'query') {
    throw refusal('invalid_request', 'response_mode.unsupported', 'response_mode must be query.')
  }
}

/** The user's decision must be one of the two that the page offers. (D41) */
export function checkDecision(parameters: URLSearchParams): 'approve' | 'deny' {
  const decision = given(parameters, 'decision')
  if (decision !== 'approve' && decision !== 'deny') {
    throw refusal('invalid_request', 'decision.invalid', 'decision must be approve or deny.')
  }
  return decision
}
