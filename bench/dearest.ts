import type { TSchema } from 'typebox'
import { operations } from '../src/app.ts'
import type { CommandOperation, Operation } from '../src/core/operation.ts'
import { makeField } from './brackets.ts'
import { median } from './load.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer } from './world.ts'

/** The maximum time that a single request blocks the event loop, whatever the request and its body are. */

/** The maximum in milliseconds. */
const boundMs = 10
const times = 5
/** The first requests of a process compile their code, and are not measured. */
const timesBefore = 3
/** The size of a body in bytes: below the limit, so that it is read, cleaned and checked. */
const bodyBytes = 900_000

/** Texts that cost a parser more than others of their length: Markdown, links, combining marks, and text like HTML. */
const hostile: readonly string[] = [
  'plain words and more ',
  'a@b.c ',
  '<a<b',
  '*_a_*',
  '![a](b "c") ',
  '[[',
  '`a`` ',
  '|a|b\n|-|-\n',
  '> - 1. ',
  'e\u0301\u0323\u0308',
  'www.a.b/ http://a.b?c ',
  '<t:1798761600:F> ',
]

interface Cost {
  readonly ms: number
  readonly words: string
}

/**
 * Runs every operation as an owner who organises a tournament of 256 teams, each command with bodies at their limits.
 */
export async function dearestRequests(service: Service): Promise<Row[]> {
  const { runtime, process } = service
  const owner = await makePlayer(runtime)
  await runtime.database.pool.query(`update users set global_roles = '{role:owner}' where guid = $1`, [owner.guid])
  const field = await makeField(service, owner, 1)
  const { rows } = await runtime.database.pool.query<{ match: string; division: string; team: string }>(
    `select matches.guid as match, matches.division_guid as division, teams.guid as team
     from matches join teams on teams.tournament_guid = $2 where bracket_guid = $1 limit 1`,
    [field.brackets[0], field.tournament],
  )
  const records: Readonly<Record<string, string | undefined>> = {
    tournament: field.tournament,
    bracket: field.brackets[0],
    user: owner.guid,
    platform: 'main',
    ...rows[0],
  }
  const costs: Cost[] = []
  for (const operation of operations.filter(isAsked)) {
    for (const [fill, body] of bodiesOf(operation)) {
      const taken: number[] = []
      for (let turn = 0; turn < timesBefore + times; turn++) {
        const before = await process.loopMs()
        await send(service.url, operation, records, owner.token, body)
        if (turn >= timesBefore) taken.push((await process.loopMs()) - before)
      }
      costs.push({
        ms: median(taken),
        words: fill === null ? operation.name : `${operation.name} with \`${fill.trim()}\``,
      })
    }
  }
  const sorted = costs.toSorted((a, b) => b.ms - a.ms)
  const [dearest] = sorted
  if (dearest === undefined) throw new Error('no operation was asked')
  const next = sorted.slice(1, 4).map(({ ms, words }) => `${words} ${ms.toFixed(1)} ms`)
  const work = `the dearest of ${costs.length} requests to ${operations.length} operations, of the event loop`
  return [below(work, 'a target', dearest.ms, boundMs, ' ms', `${dearest.words}; then ${next.join(', ')}`)]
}

/** Leaves out streams, which do not end, and giving up the account, which would end the benchmark. */
function isAsked({ name, method, path, root }: Operation): boolean {
  return root !== true && name !== 'events.follow' && !(method === 'DELETE' && path === '/users/@me')
}

async function send(
  url: string,
  { method, path }: Operation,
  records: Readonly<Record<string, string | undefined>>,
  token: string,
  body: string | null,
): Promise<void> {
  const address = path.replace(/:(\w+)/g, (_, name) => records[name] ?? crypto.randomUUID())
  const reply = await fetch(`${url}/api${address}`, {
    method,
    redirect: 'manual',
    body,
    headers: { authorization: `Bearer ${token}`, ...(body === null ? {} : { 'content-type': 'application/json' }) },
  })
  await reply.arrayBuffer()
}

/** JSON bodies at their limits, one for each hostile text; a single null when the operation takes no such body. */
function bodiesOf(operation: Operation): [fill: string | null, body: string | null][] {
  const { body } = operation.kind === 'command' ? operation : { body: undefined }
  if (body === undefined || (operation as CommandOperation).bodyType !== undefined) return [[null, null]]
  return hostile.map((fill) => [fill, JSON.stringify(largest(body, fill, bodyBytes))])
}

type Node = TSchema & {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
}

/** @param bytes the maximum size of the value */
function largest(schema: TSchema, fill: string, bytes: number): unknown {
  const node = schema as Node
  if (node.const !== undefined) return node.const
  if (node.enum !== undefined) return node.enum[0]
  if (node.anyOf !== undefined) return largest(node.anyOf[0] as TSchema, fill, bytes)
  const type = Array.isArray(node.type) ? node.type[0] : node.type
  if (type === 'object') {
    const members = Object.entries(node.properties ?? {})
    return Object.fromEntries(members.map(([name, member]) => [name, largest(member, fill, bytes / members.length)]))
  }
  if (type === 'array' && node.items !== undefined) {
    const one = largest(node.items, fill, bytes / Math.min(node.maxItems ?? 100, 100))
    const fitting = Math.floor(bytes / (JSON.stringify(one ?? null).length + 1))
    return Array.from({ length: Math.max(0, Math.min(node.maxItems ?? 1_000, fitting)) }, () => one)
  }
  if (type === 'integer' || type === 'number') return node.minimum ?? 1
  if (type === 'boolean') return true
  if (type !== 'string') return null
  if (node.format === 'uuid') return crypto.randomUUID()
  if (node.format === 'date-time') return '2026-12-01T18:00:00Z'
  const length = Math.min(node.maxLength ?? 1_000, Math.floor(bytes / 2))
  return fill.repeat(Math.ceil(length / fill.length)).slice(0, length)
}
