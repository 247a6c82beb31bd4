import type { MatchStatus, Outcome } from '../../../engine/types.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'

export const entryKinds = ['tournament', 'registration', 'timeline', 'match', 'qualifier', 'award'] as const
export type EntryKind = (typeof entryKinds)[number]

/** The phases of an edition of awards, each an entry; they have the edition's GUID in common. */
export const awardPhases = ['nominations', 'voting', 'results'] as const
export type AwardPhase = (typeof awardPhases)[number]

/** What tells entries of one GUID apart: the kind, and of awards the phase. */
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
  /** Of the team; null while it is not known. */
  readonly name: string | null
  /** The match whose winner or loser it is. */
  readonly from: { readonly match: number; readonly outcome: 'winner' | 'loser' } | null
  /** Nobody plays here. */
  readonly isBye: boolean
  readonly hasWon: boolean
}

/** How a match went, as far as its entry tells it. */
export interface EntryCourse {
  readonly sides: readonly [EntrySide, EntrySide]
  readonly bestOf: number
  readonly status: MatchStatus
  readonly outcome: Outcome | null
  /** The match that is played only where it is needed. */
  readonly conditional: boolean
  /** How many games have a result. */
  readonly games: number
  readonly startedAt: Date | null
  readonly completedAt: Date | null
}

export interface EntryMatch extends EntryCourse {
  readonly guid: string
  readonly scheduledAt: Date
  /** When the match, or one of its teams, changed last. */
  readonly updatedAt: Date
}

/** What a calendar entry is made from. */
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

/** What an entry of somebody's own calendar is besides. */
export const ownKinds = ['duty', 'stream', 'sheet'] as const
export type OwnKind = (typeof ownKinds)[number]

/** Something that has its place in time. */
export interface Entry<Kind extends string = EntryKind> {
  readonly kind: Kind
  /** Tells entries of one GUID apart. */
  readonly key: string
  /** Of the timeline event, match, qualifier or edition of awards, else of the tournament. */
  readonly guid: string
  readonly title: string
  /** Plain text. */
  readonly description: string | null
  readonly icon: string | null
  readonly startsAt: Date
  /** null for an instant. */
  readonly endsAt: Date | null
  /** By which lists are ordered: a match that began earlier or later than planned keeps its place. */
  readonly plannedAt: Date
  /** It does not take place, although its tournament does. */
  readonly isCancelled: boolean
  /** Whoever has this in their calendar is not free then. */
  readonly isBusy: boolean
  /** null for awards. */
  readonly tournament: Pick<Tournament, 'guid' | 'id' | 'name' | 'status' | 'timezone'> | null
  /** Edition of awards; null for everything else. */
  readonly award: { readonly guid: string; readonly id: string; readonly title: string } | null
  /** When any of it changed last. */
  readonly changedAt: Date
}

/** What somebody has to do, or must not miss, in a tournament. */
export interface OwnFacts {
  readonly kind: 'match' | OwnKind
  /** Of the match, the assignment or the sheet. */
  readonly guid: string
  /** What they do there: a role of the tournament, or of a stream; empty where they play or answer. */
  readonly role: string
  /** Of the sheet. */
  readonly title: string | null
  readonly startsAt: Date
  readonly endsAt: Date | null
  /** Of the match; null for what is about none. */
  readonly match: EntryCourse | null
  readonly updatedAt: Date
  readonly tournament: EntryTournament
}

/** Both ends included: what touches one of them is in it. */
export interface Window {
  readonly from: Date
  readonly to: Date
}
