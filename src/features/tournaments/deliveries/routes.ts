import { Type } from 'typebox'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { command, query, tournamentPath } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, jsonBytes, type Position, toPage } from '../../../core/page.ts'
import { missing } from '../../../core/problem.ts'
import { NextCursor, oneOf, PageQuery } from '../../../core/schema.ts'
import { organisersAndStaff } from '../access/policy.ts'
import type { DeliveryStatus } from '../chatDeliveries/types.ts'
import { DeliveryView, deliveryView } from '../updates/views.ts'
import { retryDelivery } from './commands.ts'
import { listDeliveriesOf } from './store.ts'
import { ListedDelivery, listedDelivery } from './views.ts'

const states = {
  waiting: ['pending', 'sending', 'removing'],
  delivered: ['delivered'],
  failed: ['failed', 'removal_failed'],
} as const satisfies Readonly<Record<string, readonly DeliveryStatus[]>>

const stateNames = Object.keys(states) as (keyof typeof states)[]

const listName = 'deliveries'
const isPlace = (position: Position): position is readonly [number] =>
  position.length === 1 && typeof position[0] === 'number'

/** How often the states are read again, in milliseconds, while the list is followed: attempts have no event. */
const deliveryMs = 2_000

const list = query({
  name: 'deliveries.list',
  method: 'GET',
  path: `${tournamentPath}/deliveries`,
  scope: 'rest:read',
  allow: organisersAndStaff,
  summary: 'What was, or is to be, sent to the tournament’s chat channels, newest first.',
  description:
    'Updates and announcements, with their messages and what became of each. Announcements are forgotten after 30 days. A webhook’s address is never told.',
  query: Type.Object({
    state: Type.Optional(
      oneOf(stateNames, { description: '`failed` is what needs somebody; deliveries of all states unless given.' }),
    ),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ deliveries: Type.Array(ListedDelivery), nextCursor: NextCursor }) },
  live: { query: ['state'] },
  run: async ({ db, tournament, query: { state, limit = defaultPageSize, before }, depends, now }) => {
    depends(tournament.guid)
    depends.until(new Date(now.getTime() + deliveryMs))
    const [place = Number.MAX_SAFE_INTEGER] = decodeCursor(listName, before, isPlace) ?? []
    const statuses = state === undefined ? Object.values(states).flat() : states[state]
    const rows = await listDeliveriesOf(db, tournament.guid, { statuses, before: place, limit })
    const shown = rows.map((row) => ({ place: row.place, view: listedDelivery(row) }))
    const page = toPage(listName, shown, limit, (row) => [row.place], shown.map(jsonBytes))
    return { deliveries: page.items.map(({ view }) => view), nextCursor: page.nextCursor }
  },
})

const retry = command({
  name: 'deliveries.retry',
  method: 'POST',
  path: `${tournamentPath}/deliveries/:chatDelivery/retry`,
  scope: 'rest:write',
  allow: organisersAndStaff,
  summary: 'Take up a delivery of an update or an announcement that failed.',
  description: 'Parts that were delivered are not sent again. One that is under way goes on as it is.',
  reply: { 200: DeliveryView },
  problems: { 'delivery.unknown': 404 },
  run: async ({ tx, tournament, chatDelivery, now }) => {
    if (!isGuid(chatDelivery)) throw missing('delivery.unknown', 'There is no such delivery.')
    return deliveryView(await retryDelivery(tx, tournament.guid, normaliseGuid(chatDelivery), now))
  },
})

export const deliveriesOperations = [list, retry]
