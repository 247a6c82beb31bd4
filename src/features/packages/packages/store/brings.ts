import type { MediaKind } from '../../../../core/media.ts'

/** How the rows of a kind are written by an import. (P6) */

export type Row = Readonly<Record<string, unknown>>

/** What rows are written into. */
export interface Here {
  /** GUID. */
  readonly tournament: string
  /** The map of this service that a row names by its hash, characteristic and difficulty. */
  readonly mapOf: (row: Row) => string
}

/** How rows are written, where the decisions about their columns do not say it. (P6) */
export interface Bringing {
  /** Columns that are no members, and those that have another form, by their names. */
  readonly columns?: (row: Row, here: Here) => Row
  /** Members that name rows of other kinds and are no columns, with the kind. */
  readonly names?: Readonly<Record<string, string>>
  /** Columns that name rows of the same kind: written once all rows are. */
  readonly late?: readonly string[]
  /** Rows that are not written: each begins anew, or follows. */
  readonly without?: (row: Row) => boolean
  /**
   * What members are that a package lacks, because not everybody may read them or because they came with a later version.
   * undefined where nothing tells it: such a row is left out. Members without an entry are null, or what their column has by
   * default.
   */
  readonly lacks?: Readonly<Record<string, (row: Row, hints: Hints) => unknown>>
  /**
   * Members that stay as the package says, although they may be GUIDs that lead to none of its rows.
   * @param row as the package has it
   */
  readonly kept?: (row: Row, how: { readonly isCopy: boolean }) => Row
  /** Members that name the caller where a package lacks them. */
  readonly byCaller?: readonly string[]
  /** The row in the form of a full package. */
  readonly form?: (row: Row, hints: Hints) => Row
}

/** What other rows of a package say about rows that lack members. */
export interface Hints {
  readonly now: Date
  /** GUID in the package. */
  readonly tournament: string
  /** The seeds that the logs of sessions reveal, in hex digits. */
  readonly seeds: ReadonlyMap<string, string>
  /** The newest session of each match, and all that are of no match. */
  readonly currentSessions: ReadonlySet<string>
  readonly matches: ReadonlyMap<string, { readonly bracketGuid: string; readonly number: number }>
  /** What media are used for. */
  readonly media: ReadonlyMap<string, { readonly kind: MediaKind; readonly teamGuid: string | null }>
}
