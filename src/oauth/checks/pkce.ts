import { challengeOf, isSame } from '../../infra/secrets.ts'
import { refusal } from '../problems.ts'
import type { Client } from '../types.ts'
import { given } from './parameters.ts'

/** Proves that a code is redeemed by the client that requested it. */

/**
 * Public clients must send a challenge, and S256 is the only method. With `plain`, which is the default without a
 * method, anybody who reads the request could redeem the code. (RFC 7636 §4.2, §4.3; RFC 9700 §2.1.1)
 */
export function checkChallenge(client: Client, parameters: URLSearchParams): string | null {
  const challenge = given(parameters, 'code_challenge')
  const method = given(parameters, 'code_challenge_method')
  if (challenge === undefined) {
    if (method === undefined && client.type === 'confidential') return null
    throw refusal('invalid_request', 'challenge.missing', 'The request lacks code_challenge.')
  }
  if (method !== 'S256') {
    throw refusal('invalid_request', 'challenge.method_unsupported', 'code_challenge_method must be S256.')
  }
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw refusal(
      'invalid_request',
      'challenge.malformed',
      'code_challenge must be a SHA-256 in base64url: 43 characters.',
    )
  }
  return challenge
}

/**
 * The verifier must match the challenge. A challenge without a verifier is refused, and so is a verifier without a
 * challenge: otherwise an attacker could omit the one that they lack. (RFC 7636 §4.6; RFC 9700 §4.8.2)
 */
export function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null && verifier === undefined) return
  const isProven =
    challenge !== null &&
    verifier !== undefined &&
    /^[\w.~-]{43,128}$/.test(verifier) &&
    isSame(challengeOf(verifier), challenge)
  if (!isProven) {
    throw refusal(
      'invalid_grant',
      'verifier.wrong',
      'code_verifier does not belong to the code_challenge of the request.',
    )
  }
}
