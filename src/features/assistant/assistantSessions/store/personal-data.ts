import { eq, getTableColumns } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { emitControlEnded } from '../commands/freeing.ts'
import { noControl } from '../rules/control.ts'
import { assistantCommands, assistantSessions } from '../tables.ts'

/**
 * Sessions that a user opened, and the commands that the user gave in them. Only open sessions name the platform account
 * by which a player is found.
 */
export const assistantSessionsPersonalData = declarePersonalData({
  sections: {
    assistantSessionsOpened: rowsOf(assistantSessions, 'openedBy', {
      shows: ['guid', 'tournamentGuid', 'matchGuid', 'openedAt', 'closedAt'],
      order: ['openedAt', 'guid'],
    }),
    assistantCommands: rowsOf(assistantCommands, 'userGuid', {
      shows: ['sessionGuid', 'name', 'body', 'at'],
      order: ['at', 'guid'],
    }),
  },
  forget: [deleteRows(assistantCommands, 'userGuid'), endControl],
})

async function endControl(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  const freed = await tx.session.orm
    .update(assistantSessions)
    .set(noControl)
    .where(eq(assistantSessions.controllerGuid, guid))
    .returning(getTableColumns(assistantSessions))
  // Followers of the session get an event. (D76)
  for (const session of freed) if (session.closedAt === null) emitControlEnded(tx, session, guid)
}
