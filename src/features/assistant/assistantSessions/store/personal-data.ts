import { desc, eq, getTableColumns } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { tellControlEnded } from '../commands/freeing.ts'
import { noControl } from '../rules/control.ts'
import { assistantCommands, assistantSessions } from '../tables.ts'

/**
 * Sessions that users opened, and what they asked of them. By which account of a platform somebody is found stands in open
 * sessions alone.
 */
export const assistantSessionsPersonalData = {
  sections: { assistantSessionsOpened: listOpenedBy, assistantCommands: listCommandsOf },
  forget: forgetOperator,
}

async function listOpenedBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: assistantSessions.guid,
      tournamentGuid: assistantSessions.tournamentGuid,
      matchGuid: assistantSessions.matchGuid,
      openedAt: assistantSessions.openedAt,
      closedAt: assistantSessions.closedAt,
    })
    .from(assistantSessions)
    .where(eq(assistantSessions.openedBy, userGuid))
    .orderBy(desc(assistantSessions.openedAt), desc(assistantSessions.guid))
    .limit(limit)
}

async function listCommandsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      sessionGuid: assistantCommands.sessionGuid,
      name: assistantCommands.name,
      body: assistantCommands.body,
      at: assistantCommands.at,
    })
    .from(assistantCommands)
    .where(eq(assistantCommands.userGuid, userGuid))
    .orderBy(desc(assistantCommands.at), desc(assistantCommands.guid))
    .limit(limit)
}

async function forgetOperator(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  const { orm } = tx.session
  await orm.delete(assistantCommands).where(eq(assistantCommands.userGuid, guid))
  const freed = await orm
    .update(assistantSessions)
    .set(noControl)
    .where(eq(assistantSessions.controllerGuid, guid))
    .returning(getTableColumns(assistantSessions))
  // Whoever follows them is told. (D76)
  for (const session of freed) if (session.closedAt === null) tellControlEnded(tx, session, guid)
}
