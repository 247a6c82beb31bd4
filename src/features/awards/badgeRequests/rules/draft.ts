import { type BadgeKind, badgeLimits } from '../../badges/types.ts'
import type { FinalRoster, RequestedRecipient } from '../types.ts'
import { maxRecipients } from './asking.ts'

/** A badge that is proposed to the organiser. Its picture must still be chosen. */
export interface DraftBadge {
  readonly name: string
  readonly description: string
  readonly kind: BadgeKind
  readonly recipients: readonly RequestedRecipient[]
}

/** The number of first places that get a badge of their own. */
const ownBadges = 3

/** 1st, 2nd, 3rd, 11th, 22nd, … */
export function ordinal(place: number): string {
  const isTeen = Math.floor(place / 10) % 10 === 1
  const ending = isTeen ? undefined : ({ 1: 'st', 2: 'nd', 3: 'rd' } as Readonly<Record<number, string>>)[place % 10]
  return `${place}${ending ?? 'th'}`
}

/**
 * Proposes a badge for each of the first three places, and one for everybody else who was placed. The recipients are
 * taken from the rosters, best places first, up to the size of a request. (B5)
 */
export function draftOf(tournamentName: string, rosters: readonly FinalRoster[]): readonly DraftBadge[] {
  const placed = rosters
    .toSorted((one, other) => one.place - other.place)
    .flatMap(({ place, userGuids }) =>
      userGuids.map((userGuid) => ({ userGuid, place, label: `${ordinal(place)} place` })),
    )
    .slice(0, maxRecipients)
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

/** The name of a badge. A long tournament name is cut to fit the limit. */
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
