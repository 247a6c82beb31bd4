import { randomBytes } from 'node:crypto'
import { normaliseGuid } from '../../../core/ids.ts'
import { conflict, invalid, missing } from '../../../core/problem.ts'
import { readInstant } from '../../../core/time.ts'
import { drawsOf, purposes } from '../../../engine/estimate/draws.ts'
import { unlessGiven } from '../../../infra/outbox/rules.ts'
import { type Fault, type Faults, outboxKinds } from '../../../infra/outbox/types.ts'
import { minEntrants } from '../../brackets/brackets/rules/entrants.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'

export const maxRehearsals = 3

export const unknownRehearsal = () => missing('rehearsal.unknown', 'There is no such rehearsal.')

/**
 * A tournament has at most 3 rehearsals. (R1)
 * @throws Problem `rehearsal.too_many`
 */
export function checkRoom(count: number): void {
  if (count < maxRehearsals) return
  throw conflict(
    'rehearsal.too_many',
    `A tournament has at most ${maxRehearsals} rehearsals; delete one of them first.`,
  )
}

/**
 * A rehearsal is not rehearsed. (R1)
 * @throws Problem `rehearsal.nested`
 */
export function checkNotNested({ rehearsalOf }: Pick<Tournament, 'rehearsalOf'>): void {
  if (rehearsalOf === null) return
  throw conflict('rehearsal.nested', 'This is a rehearsal itself; make another one of the real tournament.')
}

const keptMs = 14 * 86_400_000

/** A rehearsal is deleted 14 days after its last use, which is the last change of anything in it. (R1) */
export const expiryOf = (lastUsedAt: Date): Date => new Date(lastUsedAt.getTime() + keptMs)

/** The newest last use of a rehearsal that is deleted now. */
export const lastUseOfExpired = (now: Date): Date => new Date(now.getTime() - keptMs)

/** A short id that cannot be guessed. */
export const newShortId = (): string => `rehearsal-${randomBytes(10).toString('hex')}`

/** A seed of draws for a rehearsal for which none is given. */
export const newSeed = (): string => randomBytes(8).toString('hex')

/** A rehearsal is one evening, so it draws as the first of several would. */
const onlyRun = 0

/**
 * The teams that do not appear: those that are named, or as many as are asked for, drawn by the seed. At least two teams
 * appear. (R1)
 * @param teams GUIDs of the teams that take part, in an order that does not depend on their GUIDs
 * @returns some of them, in the same order
 * @throws Problem `rehearsal.no_shows_invalid`
 */
export function chooseNoShows(
  teams: readonly string[],
  noShows: number | readonly string[],
  seed: string,
): readonly string[] {
  const named = typeof noShows === 'number' ? drawNoShows(teams.length, noShows, seed).map((at) => teams[at]) : noShows
  const absent = new Set(named.map((guid) => normaliseGuid(guid ?? '')))
  const chosen = teams.filter((guid) => absent.has(guid))
  if (chosen.length < absent.size) {
    throw invalid(
      'rehearsal.no_shows_invalid',
      '`noShows` must name teams that are registered in the tournament that is copied.',
    )
  }
  const count = typeof noShows === 'number' ? noShows : absent.size
  if (count > 0 && teams.length - count < minEntrants) {
    throw invalid('rehearsal.no_shows_invalid', `At least ${minEntrants} of the ${teams.length} teams must appear.`)
  }
  return chosen
}

/**
 * Teams are as strong as the qualifier says, where they played it, else as the best rank of a member says, else as their
 * seeds say. (R4)
 * @param teams GUIDs, in the order of their seeds
 * @param places ranks in the qualifier
 * @param ranks on the ranking platform
 * @returns the teams with a place or a rank, the strongest first
 */
export function strongestOf(
  teams: readonly string[],
  places: ReadonlyMap<string, number>,
  ranks: ReadonlyMap<string, number>,
): readonly string[] {
  const orders = [places, ranks].map((by) => (team: string) => by.get(team) ?? Number.MAX_SAFE_INTEGER)
  return teams
    .filter((team) => places.has(team) || ranks.has(team))
    .toSorted((one, other) => orders.reduce((order, by) => order || by(one) - by(other), 0))
}

/** The no-shows that are asked for, by the GUIDs that named teams have in the copy. */
export function namedIn(
  guids: Readonly<Record<string, string>>,
  noShows: number | readonly string[],
): number | readonly string[] {
  if (typeof noShows === 'number') return noShows
  return noShows.map((guid) => guids[normaliseGuid(guid)] ?? guid)
}

/** @returns the places of the teams in their order */
function drawNoShows(teams: number, count: number, seed: string): readonly number[] {
  const draw = drawsOf(seed)
  return Array.from({ length: teams }, (_, team) => ({ team, drawn: draw(onlyRun, team, purposes.absence) }))
    .toSorted((one, other) => one.drawn - other.drawn)
    .slice(0, count)
    .map(({ team }) => team)
}

const maxAheadMs = 400 * 86_400_000

/**
 * The clock of a rehearsal never goes back, and at most 400 days on at once. (R2)
 * @throws Problem `clock.backwards`, `clock.too_far`
 */
export function checkAdvance(now: Date, to: Date): void {
  if (to < now) throw conflict('clock.backwards', 'The clock of a rehearsal does not go back; give a later instant.')
  if (to.getTime() - now.getTime() > maxAheadMs) {
    throw invalid('clock.too_far', 'Move the clock of a rehearsal by 400 days at most.')
  }
}

/**
 * The instant at which work is due next, on the way to another one.
 * @param nextMs milliseconds until then; null for none
 */
export function nextStop(from: Date, nextMs: number | null, to: Date): Date {
  if (nextMs === null) return to
  return new Date(Math.min(from.getTime() + Math.max(1, Math.ceil(nextMs)), to.getTime()))
}

/** The faults that are given, whole; kinds that are not named are answered without one. (R3) */
export function faultsOf(given: { readonly [Kind in keyof Faults]?: Partial<Fault> | undefined }): Faults {
  return Object.fromEntries(
    outboxKinds.flatMap((kind) => (given[kind] === undefined ? [] : [[kind, { ...unlessGiven, ...given[kind] }]])),
  )
}

/** @throws Problem `request.invalid` */
export function advanceOf(text: string | undefined): Date | null {
  return readInstant(text, (reason) => invalid('request.invalid', `The body's member "advanceTo" ${reason}.`))
}

/**
 * Where the clock of a rehearsal begins. (R1)
 * @throws Problem `request.invalid`
 */
export function startOf(text: string | undefined, now: Date): Date {
  return readInstant(text, (reason) => invalid('request.invalid', `The body's member "startsAt" ${reason}.`)) ?? now
}
