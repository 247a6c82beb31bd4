import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { calendarTokens } from '../tables.ts'
import { deleteToken } from './tokens.ts'

/** That a user has a secret address of their calendar, and since when. The address itself is known to nobody here. */
export const calendarPersonalData = {
  sections: { calendarAddress: listTokenOf },
  forget: forgetToken,
}

async function listTokenOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({ createdAt: calendarTokens.createdAt })
    .from(calendarTokens)
    .where(eq(calendarTokens.userGuid, userGuid))
    .limit(limit)
}

async function forgetToken(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await deleteToken(tx, guid)
}
