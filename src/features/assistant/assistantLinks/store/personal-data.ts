import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { assistantLinks, assistantTokenDays as days } from '../tables.ts'

/** Which links act in a user's name, without anything secret, and how many tokens they were given. */
export const assistantLinksPersonalData = {
  sections: { assistantLinks: listLinksOf, assistantTokens: listDaysOf },
  forget: forgetUser,
}

async function listLinksOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      tournamentGuid: assistantLinks.tournamentGuid,
      host: assistantLinks.host,
      updatedAt: assistantLinks.updatedAt,
    })
    .from(assistantLinks)
    .where(eq(assistantLinks.actsAs, userGuid))
    .orderBy(desc(assistantLinks.updatedAt), desc(assistantLinks.tournamentGuid))
    .limit(limit)
}

async function listDaysOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({ day: days.day, issued: days.issued })
    .from(days)
    .where(eq(days.userGuid, userGuid))
    .orderBy(desc(days.day))
    .limit(limit)
}

/** A link that acted in the user's name acts in nobody's, and fails until another manager sets it. (AS2) */
async function forgetUser(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.update(assistantLinks).set({ actsAs: null }).where(eq(assistantLinks.actsAs, guid))
  await tx.session.orm.delete(days).where(eq(days.userGuid, guid))
}
