import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { Player, Standing } from '../registration/types.ts'
import type { FieldAnswer, Team } from '../teams/types.ts'

/** A person as a sheet names them: by an account, or by a name alone. */
export interface SheetPerson {
  readonly chatPlatformId: string | null
  readonly rankingIdA: string | null
  readonly rankingIdB: string | null
  readonly name: string | null
}

export interface SheetAnswer {
  readonly fieldGuid: string
  readonly response: string
}

/** A row whose cells could be read. */
export interface SheetRow {
  readonly line: number
  readonly externalId: string | null
  readonly teamName: string
  readonly teamId: string | null
  readonly seed: number | null
  readonly register: boolean
  readonly waiver: string | null
  readonly captain: SheetPerson
  /** Without the captain. */
  readonly members: readonly SheetPerson[]
  readonly answers: readonly SheetAnswer[]
}

/** A row that cannot be used. */
export interface RowFault {
  readonly line: number
  readonly teamName: string
  readonly reason: string
}

export interface ReadSheet {
  readonly rows: readonly SheetRow[]
  readonly faults: readonly RowFault[]
}

export const rowOutcomes = ['created', 'updated', 'same', 'rejected'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export interface RowResult {
  readonly line: number
  readonly teamName: string
  readonly outcome: RowOutcome
  readonly reason: string | null
  readonly team: { readonly guid: string; readonly id: string; readonly name: string } | null
  readonly placeholders: number
  readonly invited: number
  readonly joined: number
  readonly registered: boolean
  readonly notes: readonly string[]
}

export type ImportTotals = Readonly<Record<RowOutcome | 'placeholders' | 'invited' | 'joined' | 'registered', number>>

export interface ImportResult {
  readonly rows: readonly RowResult[]
  readonly totals: ImportTotals
}

/** A team of the tournament before the import, with what rows are compared with. */
export interface ExistingTeam
  extends Pick<Team, 'guid' | 'id' | 'name' | 'captainGuid' | 'status' | 'seed' | 'withdrawnAt'> {
  readonly externalId: string | null
  /** A digest of its name in the sheet that was imported last; null if none was. */
  readonly sheetName: string | null
  readonly members: readonly { readonly userGuid: string; readonly name: string; readonly isActive: boolean }[]
  /** Users with a pending invitation. */
  readonly invited: ReadonlySet<string>
}

/** A user whose ID is in a sheet. */
export interface KnownPerson {
  readonly guid: string
  readonly name: string
  readonly isPlaceholder: boolean
  readonly isBanned: boolean
}

/** What decides what a sheet changes. */
export interface Existing {
  readonly tournament: Tournament
  readonly standing: Standing
  readonly actorGuid: string
  readonly now: Date
  readonly registered: number
  readonly teams: readonly ExistingTeam[]
  readonly answers: ReadonlyMap<string, readonly FieldAnswer[]>
  /** Members of teams, with the data that requirements check. */
  readonly players: ReadonlyMap<string, Player>
  /** By kind and ID, such as `chat:210987654321098765`. */
  readonly people: ReadonlyMap<string, KnownPerson>
  /** Team and digest of the mentions that an earlier import has read. */
  readonly mentions: ReadonlySet<string>
}

export interface PlannedTeam {
  readonly guid: string
  /** null for a new team. */
  readonly found: ExistingTeam | null
  readonly id: string
  readonly name: string
  /** null if it does not change. */
  readonly seed: number | null
  readonly externalId: string | null
  readonly sheetName: string
  readonly captainGuid: string
  readonly placeholders: readonly { readonly guid: string; readonly name: string; readonly person: SheetPerson }[]
  /** Users who become members at once. */
  readonly joins: readonly string[]
  readonly invites: readonly { readonly userGuid: string; readonly standInGuid: string | null }[]
  readonly mentions: readonly { readonly mention: string; readonly userGuid: string }[]
  readonly answers: readonly FieldAnswer[]
  readonly registers: boolean
  readonly waiver: string | null
  readonly isNamedAfterPerson: boolean
  readonly notes: readonly string[]
}

export interface PlannedRow {
  readonly line: number
  readonly teamName: string
  readonly team: PlannedTeam | null
  readonly reason: string | null
}
