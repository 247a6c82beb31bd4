import type { Scope } from '../../core/scopes.ts'
import { type SealedForm, sealedForm } from '../../infra/sealed.ts'
import { checkGivenOnce, given } from '../checks/parameters.ts'
import { checkChallenge } from '../checks/pkce.ts'
import { checkRequestLength, checkResponseType } from '../checks/request.ts'
import { checkScope } from '../checks/scope.ts'
import type { Client } from '../types.ts'

/** The parameters of an authorization request. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  readonly state: string | null
  readonly challenge: string | null
}

/**
 * Reads a request. Every refusal is sent to the application, whose redirect address has already been checked. (RFC 6749
 * §4.1.2.1)
 */
export function readRequest(client: Client, redirectUri: string, parameters: URLSearchParams): AuthorizationRequest {
  checkGivenOnce(parameters)
  checkRequestLength(parameters)
  checkResponseType(parameters)
  return {
    clientId: client.clientId,
    redirectUri,
    scopes: checkScope(given(parameters, 'scope'), client.scopes),
    state: stateOf(parameters),
    challenge: checkChallenge(client, parameters),
  }
}

export function stateOf(parameters: URLSearchParams): string | null {
  return given(parameters, 'state') ?? null
}

/** Seconds that a user has to decide. */
const decisionLifetime = 1_800

/** A request in the consent page: its sender has been shown that page, in that session. */
export interface ShownRequest extends AuthorizationRequest {
  readonly sessionGuid: string
}
export const shownRequests: SealedForm<ShownRequest> = sealedForm('consent', decisionLifetime)

/** The redirect address with the answer added to its registered query. (RFC 6749 §3.1.2, §4.1.2) */
export function answerAddress(redirectUri: string, answer: Readonly<Record<string, string | null>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== null) parameters.append(name, value)
  const joint = !redirectUri.includes('?') ? '?' : /^[^?]*\?$|&$/.test(redirectUri) ? '' : '&'
  return `${redirectUri}${joint}${parameters}`
}
