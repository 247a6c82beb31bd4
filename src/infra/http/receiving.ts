import type { Operation } from '../../core/operation.ts'
import type { Db } from '../db/database.ts'
import type { partsReader, ReadBody } from './body.ts'
import { senderOf } from './fair-shares.ts'
import type { Asking } from './request.ts'
import type { Uploads } from './upload.ts'
import { AnnouncedFile } from './upload-file.ts'
import { AnnouncedUpload } from './upload-form.ts'

interface Receiver {
  readonly uploads: Uploads
  readonly db: Db
  readonly services: object
}

/** Receives bodies that are too large for memory. Their files are deleted when the request has ended. */
export function receivingOf(
  operation: Operation,
  { uploads, db, services }: Receiver,
  readParts: ReturnType<typeof partsReader>,
) {
  const termsOf = async (input: object) =>
    operation.kind === 'command' ? operation.admitUpload?.(input as never) : undefined

  return {
    /** Receives an upload for as long as the operation lets it continue. (M4) */
    async parts(
      { state, ip, body: announced }: Asking,
      { query, now }: { readonly query: unknown; readonly now: Date },
    ): Promise<ReadBody> {
      const known = query as Readonly<Record<string, unknown>>
      const received = await uploads.receive(
        announced instanceof AnnouncedUpload ? announced : null,
        senderOf(state.actor.guid, ip),
        new Set(Object.keys(known)),
        async (fields, standing) => {
          const body = { ...known, ...readParts(fields, standing.isWhole) }
          return (await termsOf({ ...state.records, actor: state.actor, now, services, db, body, ...standing })) ?? null
        },
      )
      state.releaseBody = () => void received.discard()
      const { fields, file: upload, terms } = received
      return { body: { ...known, ...readParts(fields, true) }, file: null, upload, tournament: terms.tournament }
    },

    async file({ state, ip, body }: Asking, maxBytes: number): Promise<ReadBody> {
      const sender = senderOf(state.actor.guid, ip)
      const announced = body instanceof AnnouncedFile ? body : null
      const { file, discard } = await uploads.receiveFile(announced, sender, maxBytes)
      state.releaseBody = () => void discard()
      return { body: undefined, file: null, upload: file }
    },
  }
}
