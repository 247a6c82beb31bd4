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
}
