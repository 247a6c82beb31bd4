import type { TSchema } from 'typebox'
import { Answer, type Operation, parametersOf } from '../../core/operation.ts'
import type { Tx } from '../db/database.ts'
import type { Lane } from '../held/held.ts'
import { findSeconds, readShownWithin } from '../held/store.ts'
import type { Rendered } from './answer.ts'
import { askedAgain, delayedBy } from './lanes.ts'
import type { Asking } from './request.ts'
import type { Life } from './route.ts'

/**
 * Answers to commands of outsiders of a held tournament. What a command answers of a record may be hidden; where a read
 * answers the same record, outsiders get what that read shows them. (V3)
 */

export interface ShownBy {
  readonly read: Operation
  /** The member of the command's answer that the read answers; null for the whole answer. */
  readonly member: string | null
}

/** The read that answers the record that a command answers, or a member of it; null if there is none. */
export function shownByOf(command: Operation, operations: readonly Operation[]): ShownBy | null {
  const names = parametersOf(command.path)
  const reads = operations
    .filter(({ kind, path, query, prepare }) => {
      const isPlain = kind === 'query' && prepare === undefined && (query?.required ?? []).length === 0
      return isPlain && parametersOf(path).every((name) => names.includes(name))
    })
    .toSorted((one, other) => parametersOf(other.path).length - parametersOf(one.path).length)
  const answers = Object.entries(command.reply).flatMap(([status, schema]) => (Number(status) < 300 ? [schema] : []))
  for (const [member, schema] of answers.flatMap(partsOf)) {
    const read = reads.find(({ reply }) => reply[200] === schema)
    if (read !== undefined) return { read, member }
  }
  return null
}

/** A schema, its alternatives, and its members by name. */
function partsOf(schema: TSchema): [member: string | null, schema: TSchema][] {
  const { anyOf = [], properties = {} } = schema as {
    readonly anyOf?: readonly TSchema[]
    readonly properties?: Readonly<Record<string, TSchema>>
  }
  return [[null, schema], ...anyOf.map((one): [null, TSchema] => [null, one]), ...Object.entries(properties)]
}

interface Showing {
  readonly tx: Tx
  readonly lane: Lane
  readonly asking: Asking
  readonly life: Pick<Life, 'judge' | 'read'>
  readonly real: Date
}

/**
 * The answer of a command that was carried out in `tx`, as an outsider may see it.
 * @throws Problem where the outsider may not see the record
 */
export async function answerShown(
  { answer, body, ...rest }: Rendered,
  { read, member }: ShownBy,
  { tx, lane, asking, life, real }: Showing,
): Promise<Rendered> {
  const { actor, bare } = asking.state
  return readShownWithin(tx, lane, async (db) => {
    const again: Asking = { ...askedAgain(asking, read), query: {}, method: 'GET' }
    Object.assign(again.state, { actor, bare })
    await life.judge(again, db)
    const [shown, seconds] = await Promise.all([life.read(again, db, real), findSeconds(db, asking.state.tournament)])
    const headers = { ...answer.headers, ...shown.answer.headers }
    const told = new Answer(answer.status, { headers, cookies: answer.cookies })
    const late = seconds === null ? told : delayedBy(told, seconds)
    return { ...rest, answer: late, body: member === null ? shown.body : withMember(body, member, shown.body) }
  })
}

function withMember(body: Buffer | null, member: string, shown: Buffer | null): Buffer {
  const [whole, part] = [body, shown].map((json) => JSON.parse(String(json)))
  return Buffer.from(JSON.stringify({ ...whole, [member]: part }))
}
