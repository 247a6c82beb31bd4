import type { Database } from '../db/database.ts'
import { ImportGate } from './gate.ts'
import { Workshop } from './workshop.ts'

/** What packages of tournaments are made and taken in with. */
export interface PackageMaking {
  readonly workshop: Workshop
  readonly imports: ImportGate
  /** All rows of a package are of one moment. */
  readonly snapshot: Database['snapshot']
  /** Who took a package is written by a read, and is no event: else no two packages would be equal. (P1) */
  readonly transaction: Database['transaction']
  /** The version of the service. */
  readonly release: string
}

/** @param folder for the files that are being made */
export function packageMaking({ snapshot, transaction }: Database, folder: string, release: string): PackageMaking {
  return { workshop: new Workshop(folder), imports: new ImportGate(), snapshot, transaction, release }
}
