import type { Choice, Difficulty, ImportedMap, Reference, Wish } from '../catalogue/types.ts'
import type { MapSettingsInput } from '../pools/rules/maps.ts'

/** Imports of many maps into a pool. (pools: Adding and importing) */

export const importStatuses = ['running', 'done', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]

export const rowOutcomes = ['added', 'present', 'choice', 'missing', 'pending', 'rejected'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export const sourceKinds = ['text', 'playlist', 'pool'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Settings that a map keeps when it is imported from another pool. */
export type CopiedSettings = Pick<MapSettingsInput, 'modifiers' | 'playerOptions' | 'options'> & {
  /** Name of the flair: another tournament has its own flairs. */
  readonly flairName: string | null
}

/** One requested map, or a playlist, as read from the source. */
export interface ImportItem extends Wish {
  readonly input: string
  /** null if nothing could be read. */
  readonly reference: Reference | null
  /** The problem code if the item cannot be imported. */
  readonly fault: string | null
  readonly settings: CopiedSettings | null
  /**
   * Data from a playlist, or from another pool for a map that the catalogue does not publish. Kept for such maps. (D71)
   */
  readonly told?: ImportedMap | null
}

/** One row of an import: the reference as written, and its outcome. */
export interface ImportRow {
  readonly index: number
  readonly input: string
  readonly outcome: RowOutcome
  /** The code of a problem. */
  readonly reason: string | null
  readonly mapGuid: string | null
  readonly poolMapGuid: string | null
  readonly choices: readonly Choice[]
}

export type DifficultyRule = 'ask' | 'highest' | Difficulty

export interface ImportRequest {
  readonly source: { readonly kind: SourceKind; readonly label: string | null }
  /** The items that are still to be looked up and added; empty once the import is finished. */
  readonly content: readonly ImportItem[]
  readonly difficulty: DifficultyRule
  readonly flairGuid: string | null
  readonly keepMissing: boolean
  readonly reason: string | null
}

export interface ImportJob {
  readonly guid: string
  readonly tournamentGuid: string
  readonly poolGuid: string
  readonly request: ImportRequest
  readonly dryRun: boolean
  readonly status: ImportStatus
  readonly rows: readonly ImportRow[]
  /** The problem code if the whole import failed. */
  readonly reason: string | null
  readonly startedByGuid: string
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export type Counts = Readonly<Record<RowOutcome, number>>

/** An import without its requested content and its rows, which may be hundreds. */
export interface ListedImport extends Omit<ImportJob, 'request' | 'rows'> {
  readonly source: ImportRequest['source']
  readonly poolName: string
  readonly counts: Counts
}
