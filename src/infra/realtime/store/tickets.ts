import { eq, inArray, lt, sql } from 'drizzle-orm'
import { isScope, type Scope } from '../../../core/scopes.ts'
import type { Tx } from '../../db/database.ts'
import { connectionTickets as tickets } from '../tables.ts'

export interface Ticket {
  readonly userGuid: string
  readonly jti: string
  readonly scopes: readonly Scope[]
  readonly topics: readonly string[] | null
}

export async function insertTicket(tx: Tx, digest: Buffer, ticket: Ticket, expiresAt: Date): Promise<void> {
  const { scopes, topics, ...rest } = ticket
  await tx.session.orm
    .insert(tickets)
    .values({ digest, ...rest, scopes: [...scopes], topics: topics === null ? null : [...topics], expiresAt })
}

/** Uses up the ticket; undefined for an unknown or expired one. */
export async function takeTicket(tx: Tx, digest: Buffer, now: Date): Promise<Ticket | undefined> {
  const [taken] = await tx.session.orm.delete(tickets).where(eq(tickets.digest, digest)).returning()
  if (taken === undefined || taken.expiresAt.getTime() <= now.getTime()) return undefined
  const { userGuid, jti, scopes, topics } = taken
  return { userGuid, jti, topics, scopes: scopes.filter(isScope) }
}

/** Deletes at most `limit` expired tickets that were never used; returns their number. */
export async function deleteOldTickets(tx: Tx, limit: number): Promise<number> {
  const { orm } = tx.session
  const old = orm.select({ digest: tickets.digest }).from(tickets).where(lt(tickets.expiresAt, sql`now()`)).limit(limit)
  return (await orm.delete(tickets).where(inArray(tickets.digest, old))).rowCount ?? 0
}
