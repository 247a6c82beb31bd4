import { type Actor, type Audience, isSignedIn, playersAudience, publicAudience } from '../../../core/actor.ts'
import { maySeeEarly } from '../../maps/pools/policy.ts'
import { isPooler, mayReferee, poolerAudience, withPools } from '../../tournaments/access/policy.ts'
import type { PoolStanding, SessionRecord, SessionViewer } from './types.ts'

export function isCaster({ roles }: Actor): boolean {
  return roles.has('role:caster') || roles.has('role:hcaster')
}

/** Seats that the actor speaks for. (match-flows: Flow) */
function seatsOf({ guid }: Actor, { speakers }: Pick<SessionRecord, 'speakers'>): readonly number[] {
  return guid === null ? [] : speakers.flatMap((users, index) => (users.includes(guid) ? [index + 1] : []))
}

export function viewerOf(actor: Actor, session: Pick<SessionRecord, 'speakers'>): SessionViewer {
  return { isReferee: mayReferee(actor), isCaster: isCaster(actor), seats: seatsOf(actor, session) }
}

/** Referees, casters and speakers see a session as it is now; all others later, where it has a delay. (match-flows: Spectators) */
export function seesNow({ isReferee, isCaster: casts, seats }: SessionViewer): boolean {
  return isReferee || casts || seats.length > 0
}

/**
 * Whether somebody sees what is played in a match now, by its current session; where there is none, everybody does. It holds for
 * whatever else tells of that, too. (match-flows: Spectators, rule 1; D55)
 */
export function seesMatchNow(actor: Actor, current: SessionRecord | undefined): boolean {
  return current === undefined || current.viewDelaySeconds === 0 || seesNow(viewerOf(actor, current))
}

/** What somebody sees of a session: the log up to this position; 0 for nothing. */
export function seenPosition(viewer: SessionViewer, session: SessionRecord): number {
  return session.viewDelaySeconds === 0 || seesNow(viewer) ? session.position : session.shownPosition
}

/**
 * A session is seen by whoever sees the tournament; a free one that is not public by referees and its speakers, and one with a
 * draft of a pool by those who may read that. (match-flows: FFA; Spectators)
 * @param pool of a free session that has one; null where it is gone, as drafts may be
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

/** Who sees the same of a session: they differ in what they are to it alone, as it is hidden from others altogether. */
export function audienceTo(actor: Actor, session: Pick<SessionRecord, 'speakers'>): string {
  const { isReferee, isCaster: casts, seats } = viewerOf(actor, session)
  const rank = isReferee ? refereesAudience : casts ? castersAudience : null
  if (seats.length === 0) return rank ?? publicAudience
  const seated = `${playersAudience}${seats.join('+')}`
  return rank === null ? seated : `${rank}+${seated}`
}

/** Who sees the same of the session that the address names, or that is found beside it. */
export const sessionAudience: Audience = (actor, { flowSession }) =>
  audienceTo(actor, (flowSession as SessionRecord | undefined) ?? { speakers: [] })

/** The same of a match, which may have no session yet: then poolers see of which pool it will be played. */
export const matchAudience: Audience = (actor, records) => {
  const audience = sessionAudience(actor, records)
  if (records.flowSession !== undefined || !isPooler(actor)) return audience
  return audience === publicAudience ? poolerAudience : `${audience}${withPools}`
}

/** Who sees the same of a list: referees, who see all but drafts of pools; whoever may speak in some of them is alone. */
export const listAudience: Audience = (actor) => {
  if (!isSignedIn(actor)) return publicAudience
  if (!mayReferee(actor)) return null
  if (isPooler(actor)) return `${refereesAudience}${withPools}`
  return [refereesAudience, ...[...actor.roles].toSorted()].join('+')
}
