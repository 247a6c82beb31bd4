import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { notifications } from '../tables.ts'

/** The service's messages to a user. */
export const notificationsPersonalData = {
  sections: { notifications: listNotificationsOf },
  forget: deleteNotificationsOf,
}

async function listNotificationsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: notifications.guid,
      type: notifications.type,
      title: notifications.title,
      body: notifications.body,
      data: notifications.data,
      readAt: notifications.readAt,
      createdAt: notifications.createdAt,
    })
    .from(notifications)
    .where(eq(notifications.userGuid, userGuid))
    .orderBy(desc(notifications.createdAt), desc(notifications.guid))
    .limit(limit)
}

async function deleteNotificationsOf(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(notifications).where(eq(notifications.userGuid, guid))
}
