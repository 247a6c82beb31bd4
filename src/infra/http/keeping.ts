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

/**
 * What commands come to is kept under their keys, refusals too, whatever refuses them: rights, a record that is not there, a body that
 * cannot be used, what was found out before the transaction, and the transaction itself. Whoever sends the same again is refused
 * alike, whatever has become of the reason. (RT25, D57)
 *
 * These are not kept: 429 and 503, since another try may not meet them; 401, which says that the token does not count, so that
 * nobody is known to whom a key could belong; and what is refused before its content has come (413, a malformed Content-Type, uploads
 * that are written to disk): a key stands for a content.
 */

export interface Keeping {
  readonly operation: Operation
  readonly database: Database
  readonly problemOf: (error: unknown) => unknown
  readonly readQuery: (query: unknown) => unknown
  /** As it was read before, where it was. */
  readonly readBody: (asking: Asking) => Promise<ReadBody>
}

/** All that an operation reads of a request. */
export function contentOf(
  operation: Operation,
  { params, headers, body: raw }: Asking,
  { query, body, file }: Pick<Asked, 'query' | 'body' | 'file'>,
): Asked {
  const bytes = bytesOf(operation, raw)
  const names = Object.keys(operation.headers?.properties ?? {})
  return {
    ...{ operation: operation.name, params, query, body },
    file: file ?? (bytes.length === 0 ? null : hash('sha256', bytes, 'hex')),
    headers: names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, headers[name]])),
  }
}

export class Keeper {
  readonly #keeping: Keeping
  readonly #canKeep: boolean

  constructor(keeping: Keeping) {
    const { operation } = keeping
    this.#keeping = keeping
    this.#canKeep = takesKey(operation) && operation.kind === 'command' && !goesToDisk(operation)
  }

  /** Whether a refusal of somebody who was not let through is kept once the content has come. */
  isToBeKept(asking: Asking, error: unknown): boolean {
    return error instanceof Problem && !isPassing(error) && this.#senderOf(asking, error) !== null
  }

  /**
   * Keeps what was refused before its transaction. Where its key stands for something already, that is answered instead.
   * @param isPreparing a refusal that passes is told only where the key is new
   * @throws whatever is not kept
   */
  async refuse(asking: Asking, error: unknown, isPreparing = false): Promise<Rendered | Refused> {
    const { database, problemOf } = this.#keeping
    const problem = problemOf(error)
    const sender = problem instanceof Problem ? this.#senderOf(asking, problem) : null
    if (sender === null || (isPassing(problem as Problem) && !isPreparing)) throw problem
    const sending = sendingOf(sender.user, sender.key, await this.#contentOf(asking))
    return database.transaction((tx) => this.once(tx, sending, () => Promise.reject(problem)))
  }

  /** What was sent before with its key is answered as it was. */
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
      operation.kind === 'command' && operation.tellsSecret === true,
    )
    if ('refused' in outcome) return outcome
    return { answer: new Answer(outcome.status, { headers: outcome.headers }), body: outcome.body }
  }

  /** null where there is no key, or nobody is known whose it is. */
  #senderOf({ state: { actor }, headers }: Asking, { kind, code }: Problem): { user: string; key: string } | null {
    if (!this.#canKeep || !isSignedIn(actor) || kind === 'unauthenticated' || code === 'command.key_reused') return null
    try {
      const key = readKey(headers)
      return key === null ? null : { user: actor.guid, key }
    } catch {
      return null
    }
  }

  /** As a command that is carried out has it; what cannot be read stands for itself. */
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
