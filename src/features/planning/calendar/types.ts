import type { MatchStatus, Outcome } from '../../../engine/types.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'

export const entryKinds = ['tournament', 'registration', 'timeline', 'match', 'qualifier', 'award'] as const
export type EntryKind = (typeof entryKinds)[number]

/** The phases of an edition of awards. Each is an entry with the edition's GUID. */
export const awardPhases = ['nominations', 'voting', 'results'] as const
export type AwardPhase = (typeof awardPhases)[number]

/** Distinguishes entries with the same GUID: the kind and, for awards, the phase. */
export type EntryKey = Exclude<EntryKind, 'award'> | `award-${AwardPhase}`
export const entryKeys: readonly EntryKey[] = entryKinds.flatMap((kind) =>
  kind === 'award' ? awardPhases.map((phase) => `award-${phase}` as const) : [kind],
)

type EntryTournament = Pick<
  Tournament,
  | 'guid'
  | 'id'
  | 'name'
  | 'summary'
  | 'status'
  | 'timezone'
  | 'startsAt'
  | 'endsAt'
  | 'registrationOpensAt'
  | 'registrationClosesAt'
  | 'updatedAt'
>

/** A side of a match, as its title names it. */
export interface EntrySide {
  /** The team's name; null while the team is not known. */
  readonly name: string | null
  /** The match whose winner or loser plays on this side. */
  readonly from: { readonly match: number; readonly outcome: 'winner' | 'loser' } | null
  /** Whether this side stays empty, so that the other side has no opponent. */
  readonly isBye: boolean
  readonly hasWon: boolean
}

/** The course of a match, as far as its entry shows it. */
export interface EntryCourse {
  readonly sides: readonly [EntrySide, EntrySide]
  readonly bestOf: number
  readonly status: MatchStatus
  readonly outcome: Outcome | null
  /** Whether the match is played only if it is needed. */
  readonly conditional: boolean
  /** The number of games with a result. */
  readonly games: number
  readonly startedAt: Date | null
  readonly completedAt: Date | null
}

export interface EntryMatch extends EntryCourse {
  readonly guid: string
  readonly scheduledAt: Date
  /** When the match or one of its teams last changed. */
  readonly updatedAt: Date
}

/** The facts from which a calendar entry is made. */
export type EntryFacts =
  | { readonly key: 'tournament' | 'registration'; readonly tournament: EntryTournament }
  | {
      readonly key: 'timeline'
      readonly tournament: EntryTournament
      readonly event: {
        readonly guid: string
        readonly title: string
        readonly description: string | null
        readonly icon: string
        readonly startTime: Date
        readonly endTime: Date | null
        readonly updatedAt: Date
      }
    }
  | { readonly key: 'match'; readonly tournament: EntryTournament; readonly match: EntryMatch }
  | {
      readonly key: 'qualifier'
      readonly tournament: EntryTournament
      readonly qualifier: {
        readonly guid: string
        readonly opensAt: Date | null
        readonly closesAt: Date | null
        readonly updatedAt: Date
      }
    }
  | {
      readonly key: `award-${AwardPhase}`
      readonly award: {
        readonly guid: string
        readonly id: string
        readonly title: string
        readonly nominationsOpenAt: Date
        readonly nominationsCloseAt: Date
        readonly votingOpensAt: Date
        readonly votingClosesAt: Date
        readonly publishAt: Date | null
        readonly publishedAt: Date | null
        readonly updatedAt: Date
      }
    }

/** Further kinds of entries, only in a user's own calendar. */
export const ownKinds = ['duty', 'stream', 'sheet'] as const
export type OwnKind = (typeof ownKinds)[number]

/** A calendar entry. */
export interface Entry<Kind extends string = EntryKind> {
  readonly kind: Kind
  /** Distinguishes entries with the same GUID. */
  readonly key: string
  /** The GUID of the timeline event, match, qualifier or edition of awards, else of the tournament. */
  readonly guid: string
  readonly title: string
  /** Plain text. */
  readonly description: string | null
  readonly icon: string | null
  readonly startsAt: Date
  /** null for an instant. */
  readonly endsAt: Date | null
  /** Whether the entry is cancelled although its tournament is not. */
  readonly isCancelled: boolean
  /** Whether the entry marks its user as busy. */
  readonly isBusy: boolean
  /** null for awards. */
  readonly tournament: Pick<Tournament, 'guid' | 'id' | 'name' | 'status' | 'timezone'> | null
  /** The edition of awards; null for everything else. */
  readonly award: { readonly guid: string; readonly id: string; readonly title: string } | null
  /** When any part of the entry last changed. */
  readonly changedAt: Date
}

/** A match, duty or deadline of a user in a tournament. */
export interface OwnFacts {
  readonly kind: 'match' | OwnKind
  /** The GUID of the match, the assignment or the sheet. */
  readonly guid: string
  /** The user's role of the tournament or of a stream; empty if they play or answer a sheet. */
  readonly role: string
  /** The title of the sheet. */
  readonly title: string | null
  readonly startsAt: Date
  readonly endsAt: Date | null
  /** Of a match, the time for which it is scheduled; else the start. */
  readonly plannedAt: Date
  /** The match; null if the entry is not about one. */
  readonly match: EntryCourse | null
  /** Its GUID. */
  readonly matchGuid: string | null
  readonly updatedAt: Date
  readonly tournament: EntryTournament
}

/** Both ends are inclusive: an entry that only touches one of them is in the window. */
export interface Window {
  readonly from: Date
  readonly to: Date
}
