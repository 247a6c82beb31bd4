import type { SignedIn } from '../../core/actor.ts'
import type { MediaSubject } from '../../core/media.ts'
import type { Effects } from '../../core/operation.ts'
import type { Db, Tx } from '../db/database.ts'
import type { MediaColumn } from './store.ts'

/** A field of records that may hold addresses of media, as its owner declares it for whoever manages media. */
export interface MediaField {
  readonly subject: MediaSubject
  /** The member of the record. */
  readonly field: string
  /** Where the addresses are, which follow when the origin of media changes; null where media are named by their GUIDs. */
  readonly kept: MediaColumn | null
  /** What the records are called that somebody finds, by GUID; those that are gone or hidden from them are left out. */
  readonly names: (db: Db, guids: readonly string[], actor: SignedIn) => Promise<ReadonlyMap<string, string>>
  /** Whether somebody may unset the field of a record. */
  readonly mayDetach: (db: Db, actor: SignedIn, guid: string, now: Date) => Promise<boolean>
  /**
   * Takes the medium out of the record with its usage, whoever asks, and tells of that; nothing where the record does not use
   * it. It locks the record, as every change of that does: call it before locking media.
   * @returns whether the record used it
   */
  readonly detach: (tx: Tx, guid: string, detaching: Detaching) => Promise<boolean>
}

export function fieldOf(
  fields: readonly MediaField[],
  usage: { readonly subject: string; readonly field: string },
): MediaField | undefined {
  return fields.find(({ subject, field }) => subject === usage.subject && field === usage.field)
}

export interface Detaching {
  readonly mediaGuid: string
  readonly actorGuid: string
  readonly services: Effects['services']
  readonly now: Date
}
