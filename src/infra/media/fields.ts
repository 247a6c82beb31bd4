import type { SignedIn } from '../../core/actor.ts'
import type { NewEvent } from '../../core/events.ts'
import type { MediaSubject } from '../../core/media.ts'
import type { Effects } from '../../core/operation.ts'
import type { Db, Tx } from '../db/database.ts'
import { emit } from '../events/emit.ts'
import { withoutMedia } from './references.ts'
import type { MediaColumn } from './store.ts'
import { endUsage } from './usages.ts'

/**
 * A field of records that may hold addresses of media. The slice that owns the field declares it for the media slice.
 */
export interface MediaField {
  readonly subject: MediaSubject
  /** The member of the record. */
  readonly field: string
  /**
   * The column with the addresses, which are rewritten when the origin of media changes; null where media are named by
   * GUID.
   */
  readonly kept: MediaColumn | null
  /** The names of records, by GUID, for the actor; records that are deleted or hidden from the actor are left out. */
  readonly names: (db: Db, guids: readonly string[], actor: SignedIn) => Promise<ReadonlyMap<string, string>>
  /** Whether the actor may unset the field of a record. */
  readonly mayDetach: (db: Db, actor: SignedIn, guid: string, now: Date) => Promise<boolean>
  /**
   * Removes the medium from the record together with its usage, without a check of rights, and emits that change. Does
   * nothing where the record does not use the medium. It locks the record, as every change of the record does: call it
   * before locking media.
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

/** A field as its slice declares it. */
interface DeclaredField<R> extends Omit<MediaField, 'detach'> {
  /** Locks the record, as every change of it does; undefined where there is none that can be changed. */
  readonly lock: (tx: Tx, guid: string) => Promise<R | undefined>
  /**
   * Writes the record without the medium, whose usage has ended.
   * @returns the event of that; null where the writing has emitted it
   */
  readonly update: (tx: Tx, record: R, detaching: DetachingFrom) => Promise<NewEvent | null>
}

interface DetachingFrom extends Detaching {
  /** Of the record. */
  readonly guid: string
  /** A text of the record without the addresses of the medium. */
  readonly without: (text: string | null) => string
}

/** Makes the field: detaching locks the record, ends its usage of the medium, writes the record and emits the event. */
export function mediaField<R>({ lock, update, ...declared }: DeclaredField<R>): MediaField {
  const { subject, field } = declared
  return {
    ...declared,
    detach: async (tx, guid, detaching) => {
      const { mediaGuid, services, now } = detaching
      const record = await lock(tx, guid)
      if (record === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      const without = (text: string | null) => withoutMedia(services.config.media.url, text ?? '', mediaGuid)
      const event = await update(tx, record, { ...detaching, guid, without })
      if (event !== null) emit(tx, event)
      return true
    },
  }
}
