import type { Tournament } from '../../tournaments/tournaments/types.ts'

export const entryKinds = ['tournament', 'registration', 'timeline'] as const
export type EntryKind = (typeof entryKinds)[number]

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

/** What a calendar entry is made from. */
export interface EntryFacts {
  readonly kind: EntryKind
  readonly tournament: EntryTournament
  /** Of the timeline; null for what is the tournament's own. */
  readonly event: {
    readonly guid: string
    readonly title: string
    readonly description: string | null
    readonly icon: string
    readonly startTime: Date
    readonly endTime: Date | null
    readonly updatedAt: Date
  } | null
}

/** Something in the course of a tournament that has its place in time. */
export interface Entry {
  readonly kind: EntryKind
  /** Of the timeline event, else of the tournament. */
  readonly guid: string
  readonly title: string
  /** Plain text. */
  readonly description: string | null
  readonly icon: string | null
  readonly startsAt: Date
  /** null for an instant. */
  readonly endsAt: Date | null
  readonly tournament: Pick<Tournament, 'guid' | 'id' | 'name' | 'status' | 'timezone'>
  /** When any of it changed last. */
  readonly changedAt: Date
}

/** Both ends included: what touches one of them is in it. */
export interface Window {
  readonly from: Date
  readonly to: Date
}
