import type { SignedIn } from '../../../core/actor.ts'
import type { NewEvent } from '../../../core/events.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { forbidden, missing, type Problem, unauthenticated } from '../../../core/problem.ts'
import { firstPartyScopes } from '../../../core/scopes.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import type { Resealed } from '../../../infra/sealed-text.ts'
import { digestOf } from '../../../infra/secrets.ts'
import type { Services } from '../../../services.ts'
import { signInFromChat } from '../users/commands/users.ts'
import type { ChatProfile, User } from '../users/types.ts'
import {
  type Cookies,
  isNewPlace,
  maxPlaces,
  networkOf,
  sessionDigest,
  sessionLifetimeSeconds,
  shownUserAgent,
} from './rules.ts'
import * as store from './store.ts'

/** A sign-in: the chat account, the network address and the client. */
export interface Arrival {
  readonly profile: ChatProfile
  readonly address: string
  readonly userAgent: string | null
}

/** Signs a user in on the website. Its cookie will contain `secret`. */
export async function startWebsiteSession(
  tx: Tx,
  services: Services,
  arrival: Arrival,
  secret: string,
  now: Date,
): Promise<void> {
  const { events } = await signIn(tx, services, arrival, digestOf(secret), sessionLifetimeSeconds, now)
  for (const event of events) emit(tx, event)
}

/** Signs a user in at a client that has done the chat sign-in itself. Returns its access token. (D19) */
export async function startClientSession(tx: Tx, services: Services, arrival: Arrival, now: Date): Promise<string> {
  const { user, sessionGuid, events } = await signIn(tx, services, arrival, null, services.tokens.lifetimeSeconds, now)
  const token = await services.tokens.issue(tx, user, { ...firstParty, sessionGuid }, now)
  for (const event of events) emit(tx, event)
  return token
}

const firstParty = { scopes: firstPartyScopes }

async function signIn(
  tx: Tx,
  { config, seal }: Services,
  { profile, address, userAgent }: Arrival,
  secretHash: Buffer | null,
  lifetimeSeconds: number,
  now: Date,
): Promise<{ user: User; sessionGuid: string; events: readonly NewEvent[] }> {
  const isOwner = config.ownerChatIds.has(profile.id)
  const { user, events } = await signInFromChat(tx, { profile, isOwner, cdnUrl: config.chat.cdnUrl }, now)
  if (user.bannedAt !== null) throw forbidden('user.banned', 'This account is banned and cannot sign in.')
  const shown = shownUserAgent(userAgent)
  const sessionGuid = await store.insertSession(tx, {
    userGuid: user.guid,
    secretHash,
    userAgent: shown,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
  })
  const started: NewEvent = { type: 'session.started', subject: sessionGuid, actor: user.guid }
  const place = seal(`place.${user.guid}.${networkOf(address)}`)
  if (!(await arriveAt(tx, user.guid, place, now))) return { user, sessionGuid, events: [...events, started] }
  const noticed: NewEvent = {
    type: 'sign_in.new_place',
    subject: user.guid,
    actor: null,
    after: { sessionGuid, userAgent: shown },
  }
  return { user, sessionGuid, events: [...events, started, noticed] }
}

/**
 * Saves the network from which a user signs in. Returns whether the user should be notified. Call it under the user's
 * lock.
 */
async function arriveAt(tx: Tx, userGuid: string, place: string, now: Date): Promise<boolean> {
  const known = await store.listPlaces(tx, userGuid)
  await store.notePlace(tx, userGuid, place, now, maxPlaces)
  return isNewPlace(known, place)
}

/** Issues an access token for the website itself. It ends when the sign-in is ended. (D19, D40) */
export async function issueWebsiteToken(tx: Tx, services: Services, cookies: Cookies, now: Date): Promise<string> {
  const { sessionGuid, ...holder } = await lockSession(tx, cookies, now)
  return services.tokens.issue(tx, holder, { ...firstParty, sessionGuid }, now)
}

/** Ends the website's sign-in and revokes all its tokens. */
export async function signOut(tx: Tx, services: Services, cookies: Cookies, now: Date): Promise<void> {
  const { sessionGuid, guid } = await lockSession(tx, cookies, now)
  await store.endSession(tx, guid, sessionGuid, now)
  await revokeSession(tx, services, guid, sessionGuid, now)
}

/** Reads the session again under a lock: it may have ended since the request was let in. */
async function lockSession(tx: Tx, cookies: Cookies, now: Date): Promise<store.SessionHolder> {
  const digest = sessionDigest(cookies)
  const holder = digest === null ? undefined : await store.lockHolderOfSession(tx, digest, now)
  if (holder === undefined) throw signedOut()
  return holder
}

function signedOut(): Problem {
  return unauthenticated('token.missing', 'Sign in on the website first.')
}

/**
 * Ends one of the user's sign-ins, or their grant to an application, and revokes all its tokens. `id` is the sign-in's
 * GUID or the application's client id.
 */
export async function endSignIn(tx: Tx, services: Services, actor: SignedIn, id: string, now: Date): Promise<void> {
  const guid = isGuid(id) ? normaliseGuid(id) : null
  if (guid !== null && (await store.endSession(tx, actor.guid, guid, now))) {
    return revokeSession(tx, services, actor.guid, guid, now)
  }
  if (guid === null || !(await services.tokens.revokeOfApplication(tx, actor.guid, guid, now))) {
    throw missing('session.unknown', 'You have no such sign-in, and have granted nothing to such an application.')
  }
  emit(tx, {
    type: 'application.revoked',
    subject: actor.guid,
    actor: actor.guid,
    after: { clientId: guid },
    rights: true,
  })
}

async function revokeSession(tx: Tx, services: Services, userGuid: string, guid: string, now: Date): Promise<void> {
  await services.tokens.revokeOfSession(tx, guid, now)
  emit(tx, { type: 'session.ended', subject: guid, actor: userGuid, rights: true })
}

/**
 * Forgets the places of all users, which are digests by the old secret of the installation. The next sign-in of each user
 * counts as their first one, without a notification of a new place.
 */
export async function forgetPlaces(tx: Tx): Promise<Resealed> {
  await store.deleteAllPlaces(tx)
  return { resealed: 0, lost: 0 }
}
