import type { Database } from '../db/database.ts'
import { Workshop } from './workshop.ts'

/** What packages of tournaments are made with. */
export interface PackageMaking {
  readonly workshop: Workshop
  /** All rows of a package are of one moment. */
  readonly snapshot: Database['snapshot']
  /** Who took a package is written by a read, and is no event: else no two packages would be equal. (P1) */
  readonly transaction: Database['transaction']
  /** The version of the service. */
  readonly release: string
}

/** @param folder for the files that are being made */
export function packageMaking({ snapshot, transaction }: Database, folder: string, release: string): PackageMaking {
  return { workshop: new Workshop(folder), snapshot, transaction, release }
}
