import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { identities, users } from '../../people/users/tables.ts'
import { gameProofs } from './tables.ts'

const knownProof = statement('game_tokens.known_proof', (orm) =>
  orm
    .select({ one: sql`1` })
    .from(gameProofs)
    .where(and(eq(gameProofs.digest, sql.placeholder('digest')), gt(gameProofs.at, sql.placeholder('since')))),
)

/** Whether the proof was used since that time. */
export async function isProofKnown(db: Db, digest: Buffer, since: Date): Promise<boolean> {
  return (await knownProof(db, { digest, since })).length > 0
}

/** Marks a proof as used. Returns whether it was unused; of concurrent requests only one gets true. */
export async function takeProof(tx: Tx, digest: Buffer, now: Date, since: Date): Promise<boolean> {
  const taken = await tx.session.orm
    .insert(gameProofs)
    .values({ digest, at: now })
    .onConflictDoUpdate({ target: gameProofs.digest, set: { at: now }, setWhere: lte(gameProofs.at, since) })
    .returning({ one: sql`1` })
  return taken.length > 0
}

/** Returns the number of deleted proofs. */
export async function deleteProofs(tx: Tx, until: Date, limit: number): Promise<number> {
  const old = tx.session.orm
    .select({ digest: gameProofs.digest })
    .from(gameProofs)
    .where(lte(gameProofs.at, until))
    .limit(limit)
  const { rowCount } = await tx.session.orm.delete(gameProofs).where(sql`${gameProofs.digest} in ${old}`)
  return rowCount ?? 0
}

export interface LinkedUser {
  readonly guid: string
  readonly chatPlatformId: string
  readonly bannedAt: Date | null
}

/** The user who has this verified link. (AS28) */
export async function findLinkedUser(
  tx: Tx,
  platform: 'ranking-a' | 'ranking-b',
  externalId: string,
): Promise<LinkedUser | undefined> {
  const [user] = await tx.session.orm
    .select({ guid: users.guid, chatPlatformId: users.chatPlatformId, bannedAt: users.bannedAt })
    .from(identities)
    .innerJoin(users, eq(users.guid, identities.userGuid))
    .where(
      and(
        eq(identities.platform, platform),
        eq(identities.externalId, externalId),
        sql`${identities.verifiedAt} is not null`,
        sql`${users.anonymisedAt} is null`,
      ),
    )
  return user
}
