import { type Actor, type Audience, isSignedIn, playersAudience, publicAudience } from '../../../core/actor.ts'
import { maySeeEarly } from '../../maps/pools/policy.ts'
import { isPooler, mayReferee, poolerAudience, withPools } from '../../tournaments/access/policy.ts'
import type { PoolStanding, SessionRecord, SessionViewer } from './types.ts'

export function isCaster({ roles }: Actor): boolean {
  return roles.has('role:caster') || roles.has('role:hcaster')
}

/** The seats that the actor is a speaker of. (match-flows: Flow) */
function seatsOf({ guid }: Actor, { speakers }: Pick<SessionRecord, 'speakers'>): readonly number[] {
  return guid === null ? [] : speakers.flatMap((users, index) => (users.includes(guid) ? [index + 1] : []))
}

export function viewerOf(actor: Actor, session: Pick<SessionRecord, 'speakers'>): SessionViewer {
  return { isReferee: mayReferee(actor), isCaster: isCaster(actor), seats: seatsOf(actor, session) }
}

/**
 * Referees, casters and speakers see a session without delay; outsiders see it after its view delay. (match-flows:
 * Spectators)
 */
export function seesNow({ isReferee, isCaster: casts, seats }: SessionViewer): boolean {
  return isReferee || casts || seats.length > 0
}

/**
 * Whether the actor sees the play of a match without delay, according to its current session. Everybody does if the
 * match has no session. Everything else that would reveal the play follows this rule too. (match-flows: Spectators,
 * rule 1; D55)
 */
export function seesMatchNow(actor: Actor, current: SessionRecord | undefined): boolean {
  return current === undefined || current.viewDelaySeconds === 0 || seesNow(viewerOf(actor, current))
}

/** The position up to which the actor sees the log; 0 if nothing is visible. */
export function seenPosition(viewer: SessionViewer, session: SessionRecord): number {
  return session.viewDelaySeconds === 0 || seesNow(viewer) ? session.position : session.shownPosition
}

/**
 * A session is visible to everybody who sees the tournament. A free session that is not public is visible to referees
 * and its speakers. A free session with a draft pool is visible to users who may read the pool. (match-flows: FFA;
 * Spectators)
 * @param pool the pool of a free session; null if it has none, or if it was deleted, as drafts may be
 */
export function maySeeSession(
  actor: Actor,
  session: SessionRecord,
  pool: PoolStanding | null,
  viewer = viewerOf(actor, session),
): boolean {
  const { isReferee, seats } = viewer
  if (!session.isPublic && !isReferee && seats.length === 0) return false
  const isOfPool = session.matchGuid === null && session.poolGuid !== null
  const mayRead = pool === null ? isPooler(actor) : pool.isOpen || isPooler(actor) || maySeeEarly(actor, pool)
  return seenPosition(viewer, session) > 0 && (!isOfPool || mayRead)
}

const refereesAudience = 'referees'
const castersAudience = 'casters'

/**
 * The audience of a session: viewers with the same rank and the same seats see the same. Users who may not see the
 * session at all get no answer, so they need no audience.
 */
export function audienceTo(actor: Actor, session: Pick<SessionRecord, 'speakers'>): string {
  const { isReferee, isCaster: casts, seats } = viewerOf(actor, session)
  const rank = isReferee ? refereesAudience : casts ? castersAudience : null
  if (seats.length === 0) return rank ?? publicAudience
  const seated = `${playersAudience}${seats.join('+')}`
  return rank === null ? seated : `${rank}+${seated}`
}

/** The audience of the session that the address names or that was found for its match. */
export const sessionAudience: Audience = (actor, { flowSession }) =>
  audienceTo(actor, (flowSession as SessionRecord | undefined) ?? { speakers: [] })

/**
 * The audience of a match's session. If the match has no session yet, poolers see the planned pool, so they have an
 * audience of their own.
 */
export const matchAudience: Audience = (actor, records) => {
  const audience = sessionAudience(actor, records)
  if (records.flowSession !== undefined || !isPooler(actor)) return audience
  return audience === publicAudience ? poolerAudience : `${audience}${withPools}`
}

/**
 * The audience of a list. Referees see all sessions except those with a draft pool, which depend on their roles. Other
 * signed-in users get an answer of their own, since each may be a speaker in some sessions.
 */
export const listAudience: Audience = (actor) => {
  if (!isSignedIn(actor)) return publicAudience
  if (!mayReferee(actor)) return null
  if (isPooler(actor)) return `${refereesAudience}${withPools}`
  return [refereesAudience, ...[...actor.roles].toSorted()].join('+')
}
