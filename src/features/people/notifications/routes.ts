import { Type } from 'typebox'
import { signedIn } from '../../../core/actor.ts'
import { command, query } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import { Guid, NextCursor, PageQuery } from '../../../core/schema.ts'
import type { ProfilePart } from '../users/rules/profile-parts.ts'
import { markRead } from './commands.ts'
import { notificationsTag } from './events.ts'
import { readTarget } from './rules.ts'
import { listNotifications } from './store.ts'
import { NotificationView, notificationView } from './views.ts'

const shownInProfile = 25

export const notificationsProfilePart: ProfilePart = {
  shownTo: ['user'],
  schema: Type.Array(NotificationView, { description: 'The newest 25.' }),
  load: async (db, { guid }) => {
    const notifications = await listNotifications(db, guid, { limit: shownInProfile })
    return notifications.slice(0, shownInProfile).map(notificationView)
  },
}

const listName = 'notifications'

const list = query({
  name: 'notifications.list',
  method: 'GET',
  path: '/users/@me/notifications',
  scope: 'rest:user:read',
  allow: signedIn,
  summary: 'The signed-in user’s notifications, newest first.',
  description:
    'What happened to the user, their teams and their tournaments. `GET /users/@me` carries the newest of them.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ notifications: Type.Array(NotificationView), nextCursor: NextCursor }) },
  live: {
    sends: ['notification.created', 'notification.read'],
    concerns: ({ actor }) => ({ by: { tag: notificationsTag(actor.guid ?? '') } }),
  },
  run: async ({ db, actor, query: { limit = defaultPageSize, before }, depends }) => {
    depends(notificationsTag(actor.guid))
    const after = decodeCursor(listName, before, isMakingPosition)
    const rows = await listNotifications(db, actor.guid, { after, limit })
    const page = toPage(listName, rows, limit, makingPosition)
    return { notifications: page.items.map(notificationView), nextCursor: page.nextCursor }
  },
})

const read = command({
  name: 'notifications.read',
  method: 'POST',
  path: '/users/@me/notifications/read',
  scope: 'rest:user:write',
  socket: true,
  allow: signedIn,
  summary: 'Mark some or all of the signed-in user’s notifications as read.',
  description: 'Answers how many were not read before. GUIDs of anything else are ignored.',
  body: Type.Object(
    {
      guids: Type.Optional(Type.Array(Guid, { maxItems: 100 })),
      all: Type.Optional(Type.Literal(true, { description: 'Instead of `guids`.' })),
    },
    { examples: [{ all: true }] },
  ),
  reply: { 200: Type.Object({ read: Type.Integer({ minimum: 0, examples: [3] }) }) },
  problems: { 'notification.target_unclear': 400 },
  run: async ({ tx, actor, body, now }) => ({ read: await markRead(tx, actor, readTarget(body), now) }),
})

export const notificationsOperations = [list, read]
