import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { statement, type Tx } from '../db/database.ts'
import { commandResults as results } from './tables.ts'
import type { Kept, Sending } from './types.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** How long a key is known. (RT25) */
const kept = sql.raw(`interval '24 hours'`)

const claiming = statement('idempotency.claim', (orm) =>
  orm
    .insert(results)
    .values({
      userGuid: sql.placeholder('userGuid'),
      key: sql.placeholder('key'),
      digest: sql.placeholder('digest'),
    })
    .onConflictDoUpdate({
      target: [results.userGuid, results.key],
      set: {
        digest: sql`excluded.digest`,
        createdAt: sql`now()`,
        status: sql`null`,
        headers: sql`null`,
        body: sql`null`,
        problem: sql`null`,
      },
      setWhere: sql`${results.createdAt} < now() - ${kept}`,
    })
    .returning({ key: results.key }),
)

/**
 * Takes the key for this transaction, after waiting for a transaction that holds it; false when the key has been used.
 */
export async function claim(tx: Tx, { userGuid, key, digest }: Sending): Promise<boolean> {
  return (await claiming(tx, { userGuid, key, digest })).length > 0
}

const thisKey = and(eq(results.userGuid, sql.placeholder('userGuid')), eq(results.key, sql.placeholder('key')))

const finding = statement('idempotency.find', (orm) =>
  orm
    .select({
      digest: results.digest,
      status: results.status,
      headers: results.headers,
      body: results.body,
      problem: results.problem,
    })
    .from(results)
    .where(thisKey),
)

/** The result saved under the key; undefined where the key belongs to another command. */
export async function findKept(tx: Tx, { userGuid, key, digest }: Sending): Promise<Kept | undefined> {
  const [row] = await finding(tx, { userGuid, key })
  if (row === undefined || !digest.equals(row.digest)) return undefined
  if (row.problem !== null) return { problem: row.problem }
  if (row.status === null) throw new Error('a key was taken and nothing was kept under it')
  return { status: row.status, headers: row.headers ?? {}, body: row.body && (await inflate(row.body)) }
}

export async function keep(tx: Tx, { userGuid, key }: Sending, what: Kept): Promise<void> {
  const values =
    'problem' in what
      ? { problem: what.problem }
      : { status: what.status, headers: what.headers, body: what.body && (await deflate(what.body)) }
  await tx.session.orm
    .update(results)
    .set(values)
    .where(and(eq(results.userGuid, userGuid), eq(results.key, key)))
}

/** Deletes at most `limit` expired keys; returns how many it deleted. */
export async function deleteOld(tx: Tx, limit: number): Promise<number> {
  const { orm } = tx.session
  const old = orm
    .select({ userGuid: results.userGuid, key: results.key })
    .from(results)
    .where(lt(results.createdAt, sql`now() - ${kept}`))
    .limit(limit)
  const { rowCount } = await orm.delete(results).where(inArray(sql`(${results.userGuid}, ${results.key})`, old))
  return rowCount ?? 0
}
