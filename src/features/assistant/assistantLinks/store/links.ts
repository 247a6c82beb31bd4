import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { assistantSessions } from '../../assistantSessions/tables.ts'
import { assistantLinks } from '../tables.ts'
import type { AssistantLink, LinkError } from '../types.ts'

const ofTournament = statement('assistant_links.of_tournament', (orm) =>
  orm
    .select()
    .from(assistantLinks)
    .where(eq(assistantLinks.tournamentGuid, sql.placeholder('tournamentGuid'))),
)

export async function findLink(db: Db, tournamentGuid: string): Promise<AssistantLink | undefined> {
  return (await ofTournament(db, { tournamentGuid }))[0]
}

const bannedOf = statement('assistant_links.banned_mods', (orm) =>
  orm
    .select({ bannedMods: assistantLinks.bannedMods })
    .from(assistantLinks)
    .where(eq(assistantLinks.tournamentGuid, sql.placeholder('tournamentGuid'))),
)

/** The banned mods of a tournament. They come from the link, even if it is disabled; empty if there is no link. */
export async function listBannedMods(db: Db, tournamentGuid: string): Promise<readonly string[]> {
  return (await bannedOf(db, { tournamentGuid }))[0]?.bannedMods ?? []
}

/** Locks the link until the transaction ends, for an update or a deletion. */
export async function lockLink(tx: Tx, tournamentGuid: string): Promise<AssistantLink | undefined> {
  const [row] = await tx.session.orm
    .select()
    .from(assistantLinks)
    .where(eq(assistantLinks.tournamentGuid, tournamentGuid))
    .for('update')
  return row
}

/**
 * Locks the link in share mode until the transaction ends: it cannot be changed or deleted, for example while a session
 * is opened.
 */
export async function lockLinkForShare(tx: Tx, tournamentGuid: string): Promise<AssistantLink | undefined> {
  const [row] = await tx.session.orm
    .select()
    .from(assistantLinks)
    .where(eq(assistantLinks.tournamentGuid, tournamentGuid))
    .for('share')
  return row
}

export type StoredLink = Omit<AssistantLink, 'updatedAt'>

/** Inserts a tournament's link, or replaces the present one. */
export async function writeLink(tx: Tx, link: StoredLink, now: Date): Promise<AssistantLink> {
  const { qualifierEvents, bannedMods, permissions, ...rest } = link
  const lists = {
    qualifierEvents: [...qualifierEvents],
    bannedMods: [...bannedMods],
    permissions: [...permissions],
  }
  const values = { ...rest, ...lists, updatedAt: now }
  const [row] = await tx.session.orm
    .insert(assistantLinks)
    .values(values)
    .onConflictDoUpdate({ target: assistantLinks.tournamentGuid, set: values })
    .returning()
  if (row === undefined) throw new Error('a written link was not returned')
  return row
}

export async function deleteLink(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm.delete(assistantLinks).where(eq(assistantLinks.tournamentGuid, tournamentGuid))
}

export interface LinkStatus {
  readonly state: AssistantLink['state']
  readonly lastConnectedAt: Date | null
  readonly serverVersion: number | null
  readonly permissions: readonly string[]
  readonly lastError: LinkError | null
}

export async function setStatus(tx: Tx, tournamentGuid: string, status: LinkStatus): Promise<void> {
  await tx.session.orm
    .update(assistantLinks)
    .set({ ...status, permissions: [...status.permissions] })
    .where(eq(assistantLinks.tournamentGuid, tournamentGuid))
}

/** The number of a tournament's open sessions. */
export async function countOpenSessions(db: Db, tournamentGuid: string): Promise<number> {
  return db.session.orm.$count(
    assistantSessions,
    and(eq(assistantSessions.tournamentGuid, tournamentGuid), isNull(assistantSessions.closedAt)),
  )
}
