import type { Database } from '../db/database.ts'
import type { Held } from '../held/held.ts'
import { readHeldRows } from '../held/store.ts'
import { ImportGate } from './gate.ts'
import { Workshop } from './workshop.ts'

/** What packages of tournaments are made and taken in with. */
export interface PackageMaking {
  readonly workshop: Workshop
  readonly imports: ImportGate
  /** All rows of a package are of one moment. */
  readonly snapshot: Database['snapshot']
  /** The same for a package for everybody, which shows a held tournament as outsiders see it. (V2) */
  readonly snapshotForAll: (tournament: string, ...work: Parameters<Database['snapshot']>) => Promise<unknown>
  /** Who took a package is written by a read, and is no event: else no two packages would be equal. (P1) */
  readonly transaction: Database['transaction']
  /** The version of the service. */
  readonly release: string
}

/** @param folder for the files that are being made */
export function packageMaking(database: Database, held: Held, folder: string, release: string): PackageMaking {
  const { snapshot, transaction } = database
  const snapshotForAll: PackageMaking['snapshotForAll'] = (tournament, work) =>
    held.has(tournament) ? readHeldRows(database, 'requests', { inside: [] }, work) : snapshot(work)
  return {
    ...{ workshop: new Workshop(folder), imports: new ImportGate() },
    ...{ snapshot, snapshotForAll, transaction, release },
  }
}
