import type { Static } from 'typebox'
import type { Tx } from '../../infra/db/database.ts'
import { digestOf } from '../../infra/secrets.ts'
import type { Services } from '../../services.ts'
import { gameAccountFor } from '../authorize/commands.ts'
import { checkDecided, checkDeviceFresh, checkPace, nextInterval } from '../checks/device.ts'
import {
  checkFresh,
  checkGrantKnown,
  checkGrantOfClient,
  checkGrantStanding,
  checkSubjectStanding,
  checkUnused,
  type GrantType,
} from '../checks/grant.ts'
import { checkGiven, given } from '../checks/parameters.ts'
import { checkVerifier } from '../checks/pkce.ts'
import { checkRedirectSame } from '../checks/redirect.ts'
import { checkScope, checkStillAllowed } from '../checks/scope.ts'
import { codeLifetime, deviceLifetime } from '../lifetimes.ts'
import { lockCode, lockDeviceRequest, updateDeviceRequest, useCode } from '../store/codes.ts'
import { lockRefreshToken, useRefreshToken } from '../store/grants.ts'
import type { Client } from '../types.ts'
import { openGrant, renewGrant } from './issue.ts'
import type { TokenResponse } from './views.ts'

/**
 * The three grant types: each loads and locks the code or token, checks it, uses it up, and issues tokens. Changes made
 * before a refusal are committed.
 */

interface Exchange {
  readonly tx: Tx
  readonly services: Services
  readonly client: Client
  readonly parameters: URLSearchParams
  readonly now: Date
}

type Way = (exchange: Exchange) => Promise<Static<typeof TokenResponse>>

/** Exchanges an authorization code. (RFC 6749 §4.1.3) */
const byCode: Way = async ({ tx, services, client, parameters, now }) => {
  const presented = checkGiven(parameters, 'code')
  const redirectUri = checkGiven(parameters, 'redirect_uri')
  const code = checkGrantKnown(await lockCode(tx, digestOf(presented)))
  checkGrantOfClient(code, client)
  checkUnused(code, code.guid, 'code')
  checkFresh(code, now)
  checkRedirectSame(code, redirectUri)
  checkVerifier(code.challenge, given(parameters, 'code_verifier'))
  checkSubjectStanding(code.subject, new Date(code.expiresAt.getTime() - codeLifetime * 1000))
  const scopes = checkStillAllowed(code.scopes, client)
  const game = await gameAccountFor(tx, code.subject.guid, scopes)
  const grant = { guid: code.guid, clientId: client.clientId, scopes }
  const [, response] = await Promise.all([
    useCode(tx, code.guid, now),
    openGrant(tx, services, { grant, subject: code.subject, scopes, game }, now),
  ])
  return response
}

/** Exchanges a refresh token. (RFC 6749 §6; D22) */
const byRefreshToken: Way = async ({ tx, services, client, parameters, now }) => {
  const presented = checkGiven(parameters, 'refresh_token')
  const { grant, subject, ...token } = checkGrantKnown(await lockRefreshToken(tx, digestOf(presented)))
  checkGrantOfClient(grant, client)
  checkGrantStanding(grant)
  checkUnused(token, grant.guid, 'refresh_token')
  checkFresh(token, now)
  checkSubjectStanding(subject, grant.createdAt)
  const scopes = checkScope(given(parameters, 'scope'), checkStillAllowed(grant.scopes, client))
  const game = await gameAccountFor(tx, subject.guid, scopes)
  const [, response] = await Promise.all([
    useRefreshToken(tx, token.tokenHash, now),
    renewGrant(tx, services, { grant, subject, scopes, game }, now),
  ])
  return response
}

/** Exchanges a device code. (RFC 8628 §3.4) */
const byDeviceCode: Way = async ({ tx, services, client, parameters, now }) => {
  const presented = checkGiven(parameters, 'device_code')
  const request = checkGrantKnown(await lockDeviceRequest(tx, digestOf(presented)))
  checkGrantOfClient(request, client)
  checkUnused(request, request.guid, 'device_code')
  checkDeviceFresh(request, now)
  if (request.decision === null) {
    const interval = nextInterval(request, now)
    await updateDeviceRequest(tx, request.guid, { askedAt: now, interval })
    checkPace(request, interval)
  }
  checkDecided(request)
  const subject = checkGrantKnown(request.subject ?? undefined)
  // The approval counts as being as old as the request: an approval from before a ban must not become valid again when
  // the ban ends.
  checkSubjectStanding(subject, new Date(request.expiresAt.getTime() - deviceLifetime * 1000))
  const scopes = checkStillAllowed(request.scopes, client)
  const game = await gameAccountFor(tx, subject.guid, scopes)
  const grant = { guid: request.guid, clientId: client.clientId, scopes }
  const [, response] = await Promise.all([
    updateDeviceRequest(tx, request.guid, { usedAt: now }),
    openGrant(tx, services, { grant, subject, scopes, game }, now),
  ])
  return response
}

export const ways: Readonly<Record<GrantType, Way>> = {
  authorization_code: byCode,
  refresh_token: byRefreshToken,
  'urn:ietf:params:oauth:grant-type:device_code': byDeviceCode,
}
