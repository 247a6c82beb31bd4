import { normaliseGuid } from '../../../../core/ids.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import { type TournamentRole, tournamentRoles } from '../../../../core/roles.ts'
import { readInstant } from '../../../../core/time.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import type { ProposalBody } from '../bodies.ts'
import type { Wish } from '../types.ts'

export const maxMatches = 256
export const maxOfficials = 16
const maxMs = 62 * 24 * 60 * 60_000

/**
 * Reads the request for a proposal apart from the matches: a span of at most 62 days, distinct streams, and at most 16
 * officials per match.
 * @throws Problem `schedule.invalid`
 */
export function readRules({ sheets, rules }: ProposalBody): Omit<Wish, 'matchGuids'> {
  const earliest = readEnd('rules.earliest', rules.earliest)
  const latest = readEnd('rules.latest', rules.latest)
  if (latest <= earliest) throw fault('`rules.latest` must be after `rules.earliest`.')
  if (latest.getTime() - earliest.getTime() > maxMs) {
    throw fault('Between `rules.earliest` and `rules.latest` may be at most 62 days.')
  }
  return {
    sheetGuids: [...new Set(sheets.map(normaliseGuid))].sort(),
    minutesPerMatch: rules.minutesPerMatch,
    minRestMinutes: rules.minRestMinutes ?? 0,
    streams: readStreams(rules.streams),
    officialsPerMatch: readNeeded(rules.officialsPerMatch),
    earliest: earliest.toISOString(),
    latest: latest.toISOString(),
  }
}

function readEnd(name: string, text: string): Date {
  const instant = readInstant(text, (reason) => fault(`\`${name}\` ${reason}.`))
  if (instant === null) throw fault(`\`${name}\` must be given.`)
  return instant
}

function readStreams(streams: number | readonly string[] = 1): readonly string[] {
  if (typeof streams === 'number') return Array.from({ length: streams }, (_, index) => `Stream ${index + 1}`)
  if (new Set(streams).size < streams.length) throw fault('Name each of `rules.streams` once.')
  for (const stream of streams) {
    const reason = isLikeAddress(stream) ? webAddressFault(stream) : null
    if (reason !== null) throw fault(`An address among \`rules.streams\` ${reason}.`)
  }
  return streams
}

/** Whether a stream is given by its address rather than by a name. */
export function isLikeAddress(stream: string): boolean {
  return /^https?:/i.test(stream)
}

function readNeeded(needed: Readonly<Partial<Record<TournamentRole, number>>> = {}): Wish['officialsPerMatch'] {
  const counts = tournamentRoles.map((role) => [role, needed[role] ?? 0] as const).filter(([, count]) => count > 0)
  if (counts.reduce((sum, [, count]) => sum + count, 0) > maxOfficials) {
    throw fault(`A match may have at most ${maxOfficials} officials.`)
  }
  return Object.fromEntries(counts)
}

/**
 * Whether the match can get a time: it has not begun, is not over and has two opponents. A match without an opponent is
 * never played.
 */
export function isToBePlayed({ status, sides }: Pick<MatchRecord, 'status' | 'sides'>): boolean {
  return ['locked', 'waiting', 'ready'].includes(status) && !isAgainstNobody({ sides })
}

export function isAgainstNobody({ sides }: Pick<MatchRecord, 'sides'>): boolean {
  return sides.some(({ bye }) => bye)
}

/** @throws Problem `schedule.invalid`, `schedule.match_over` */
export function checkMatches(matches: readonly MatchRecord[]): void {
  if (matches.length === 0) throw fault('Give `matches`, or a `round` with matches that are still to be played.')
  if (matches.length > maxMatches) throw fault(`At most ${maxMatches} matches can be placed at once.`)
  const over = matches.find((match) => !isToBePlayed(match))
  if (over === undefined) return
  throw conflict(
    'schedule.match_over',
    isAgainstNobody(over)
      ? `Match ${over.number} has a bye and will not be played.`
      : `Match ${over.number} has begun, or is over.`,
  )
}

export function fault(message: string) {
  return invalid('schedule.invalid', message)
}
