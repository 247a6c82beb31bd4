import { type BadgeKind, badgeLimits } from '../../badges/types.ts'
import type { FinalRoster, RequestedRecipient } from '../types.ts'
import { mostRecipients } from './asking.ts'

/** What is proposed to an organiser: a request whose pictures are still to be chosen. */
export interface DraftBadge {
  readonly name: string
  readonly description: string
  readonly kind: BadgeKind
  readonly recipients: readonly RequestedRecipient[]
}

/** Places that have a badge each. */
const ownBadges = 3

/** 1st, 2nd, 3rd, 11th, 22nd, … */
export function ordinal(place: number): string {
  const isTeen = Math.floor(place / 10) % 10 === 1
  const ending = isTeen ? undefined : ({ 1: 'st', 2: 'nd', 3: 'rd' } as Readonly<Record<number, string>>)[place % 10]
  return `${place}${ending ?? 'th'}`
}

/**
 * A badge for each of the first three places, and one for all others who were placed; for those who were on the rosters, the best
 * first, as many as a request may name. (B5)
 */
export function draftOf(tournamentName: string, rosters: readonly FinalRoster[]): readonly DraftBadge[] {
  const placed = rosters
    .toSorted((one, other) => one.place - other.place)
    .flatMap(({ place, userGuids }) =>
      userGuids.map((userGuid) => ({ userGuid, place, label: `${ordinal(place)} place` })),
    )
    .slice(0, mostRecipients)
  const best = Array.from({ length: ownBadges }, (_, index) => index + 1).map(
    (place): DraftBadge => ({
      name: named(tournamentName, `${ordinal(place)} place`),
      description: `Took the ${ordinal(place)} place in ${tournamentName}.`.slice(0, 280),
      kind: 'placement',
      recipients: placed.filter((one) => one.place === place),
    }),
  )
  const others: DraftBadge = {
    name: named(tournamentName, 'participant'),
    description: `Played in ${tournamentName}.`.slice(0, 280),
    kind: 'participation',
    recipients: placed.filter((one) => one.place > ownBadges),
  }
  return [...best, others].filter(({ recipients }) => recipients.length > 0)
}

/** The name of the tournament is cut where both together are too long. */
function named(tournamentName: string, what: string): string {
  const room = badgeLimits.name - what.length - 2
  const name = [...tournamentName]
  const cut =
    name.length <= room
      ? tournamentName
      : `${name
          .slice(0, room - 1)
          .join('')
          .trimEnd()}…`
  return `${cut}: ${what}`
}
