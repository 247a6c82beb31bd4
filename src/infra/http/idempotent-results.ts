import { hash } from 'node:crypto'
import { isSignedIn } from '../../core/actor.ts'
import { Answer, type Operation, takesKey } from '../../core/operation.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Tx } from '../db/database.ts'
import { isPassing, once, type Refused } from '../idempotency/once.ts'
import { type Asked, readKey, sendingOf } from '../idempotency/sending.ts'
import type { Sending } from '../idempotency/types.ts'
import type { Rendered } from './answer.ts'
import { bytesOf, goesToDisk, type RawBody, type ReadBody } from './body.ts'
import type { Asking } from './request.ts'
import { AnnouncedUpload } from './upload-form.ts'

/**
 * Saves the results of commands under their idempotency keys. Refusals are saved too, whatever their reason: rights, a
 * missing record, an unusable body, the preparation, or the transaction itself. A repetition gets the same refusal,
 * even if the reason no longer exists. (RT25, D57)
 *
 * Not saved are: 429 and 503, since a retry may succeed; 401, since without a valid token the key has no owner; and
 * refusals before the content has arrived (413, a malformed Content-Type, uploads that are written to disk), since a
 * key stands for a content.
 */

export interface Keeping {
  readonly operation: Operation
  readonly database: Database
  readonly problemOf: (error: unknown) => unknown
  readonly readQuery: (query: unknown) => unknown
  /** The result of an earlier read, if there was one. */
  readonly readBody: (asking: Asking) => Promise<ReadBody>
}

export function digestOfFile({ file, upload }: ReadBody): string | null {
  if (upload != null) return upload.digest
  return file === null ? null : hash('sha256', file.bytes, 'hex')
}

/** Everything that the operation reads of a request. */
export function contentOf(
  operation: Operation,
  { params, headers, body: raw }: Asking,
  { query, body, file }: Pick<Asked, 'query' | 'body' | 'file'>,
): Asked {
  const bytes = bytesOf(operation, raw)
  const names = Object.keys(operation.headers?.properties ?? {})
  return {
    operation: operation.name,
    params,
    query,
    body,
    file: file ?? (bytes.length === 0 ? null : hash('sha256', bytes, 'hex')),
    headers: names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, headers[name]])),
  }
}

export class ResultSaver {
  readonly #keeping: Keeping
  readonly #canKeep: boolean

  constructor(keeping: Keeping) {
    const { operation } = keeping
    this.#keeping = keeping
    this.#canKeep = takesKey(operation) && operation.kind === 'command' && !goesToDisk(operation)
  }

  /** Whether a refusal by admission is saved once the content has arrived. */
  isToBeKept(asking: Asking, error: unknown): boolean {
    return error instanceof Problem && !isPassing(error) && this.#senderOf(asking, error) !== null
  }

  /**
   * Saves a refusal from before the transaction. If the key already has a result, that one is returned.
   * @param isPreparing whether the preparation failed: then a passing refusal is returned only if the key is new
   * @throws any error that is not saved
   */
  async refuse(asking: Asking, error: unknown, isPreparing = false): Promise<Rendered | Refused> {
    const { database, problemOf } = this.#keeping
    const problem = problemOf(error)
    const sender = problem instanceof Problem ? this.#senderOf(asking, problem) : null
    if (sender === null || (isPassing(problem as Problem) && !isPreparing)) throw problem
    const sending = sendingOf(sender.user, sender.key, await this.#contentOf(asking))
    return database.transaction((tx) => this.once(tx, sending, () => Promise.reject(problem)))
  }

  /** A repetition with the same key gets the first result. */
  async once(tx: Tx, sending: Sending, work: (tx: Tx) => Promise<Rendered | Refused>): Promise<Rendered | Refused> {
    const { operation, problemOf } = this.#keeping
    const keptOf = ({ answer, body }: Rendered) => ({ status: answer.status, headers: answer.headers, body })
    const outcome = await once(
      tx,
      sending,
      async (part) => {
        const told = await work(part)
        return 'refused' in told ? told : keptOf(told)
      },
      problemOf,
      operation.kind === 'command' && operation.returnsSecret === true,
    )
    if ('refused' in outcome) return outcome
    return { answer: new Answer(outcome.status, { headers: outcome.headers }), body: outcome.body }
  }

  /** null without a key, or without a known owner of the key. */
  #senderOf({ state: { actor }, headers, body }: Asking, problem: Problem): { user: string; key: string } | null {
    const { kind, code } = problem
    const canKeep = this.#canKeep && !(body instanceof AnnouncedUpload)
    if (!canKeep || !isSignedIn(actor) || kind === 'unauthenticated' || code === 'command.key_reused') return null
    try {
      const key = readKey(headers)
      return key === null ? null : { user: actor.guid, key }
    } catch {
      return null
    }
  }

  /**
   * The content as the command itself would read it; unreadable parts are represented by their raw value or its digest.
   */
  async #contentOf(asking: Asking): Promise<Asked> {
    const { operation, readQuery, readBody } = this.#keeping
    const query = await attempt(() => readQuery(asking.query), asking.query)
    const { type = '', bytes = Buffer.alloc(0) } = (asking.body ?? {}) as Partial<RawBody>
    const unreadable = { body: { type, unreadable: hash('sha256', bytes, 'hex') }, file: null }
    const { body, file } = await attempt<Pick<ReadBody, 'body' | 'file'>>(() => readBody(asking), unreadable)
    return contentOf(operation, asking, { query, body, file: file && hash('sha256', file.bytes, 'hex') })
  }
}

async function attempt<T>(read: () => T | Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read()
  } catch {
    return otherwise
  }
}
