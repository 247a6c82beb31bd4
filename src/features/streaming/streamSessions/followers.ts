import type { Tx } from '../../../infra/db/database.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import { findAssignment } from '../streamAssignments/store.ts'
import { type EndingOrder, endStreams } from './commands/ending.ts'
import { judgeAssigned } from './commands/judging.ts'

const over = ['completed', 'cancelled']

/** Events that delete matches, and with them their assignments, for which no event is emitted. */
const unmaking = ['bracket.generated', 'bracket.deleted', 'division.deleted'] as const

/** Ends streams when the key, server, account or assignment that let them in is no longer valid. (S3, S9, S11) */
export const streamEnder = followerOf({
  name: 'stream_sessions',
  from: 'now',
  types: [
    'stream_key.revoked',
    'stream_key.expired',
    'stream_server.updated',
    'user.banned',
    'assignment.changed',
    'tournament.status_changed',
    ...unmaking,
  ],
  gatherMs: 0,
  async handle(tx, events) {
    for (const event of events) {
      const { subject, actor, at: now } = event
      switch (event.type) {
        case 'stream_key.revoked':
          await endOfKey(tx, event, { reason: 'key_revoked', actor, now })
          break
        case 'stream_key.expired':
          await endOfKey(tx, event, { reason: 'key_expired', actor, now })
          break
        case 'user.banned':
          await endStreams(tx, { user: subject }, { reason: 'banned', actor, now })
          break
        case 'stream_server.updated':
          if (event.after.enabled === false)
            await endStreams(tx, { server: subject }, { reason: 'server_disabled', actor, now })
          break
        case 'assignment.changed':
          await judgeUser(tx, subject, now)
          break
        case 'tournament.status_changed':
          if (over.includes(event.after.status)) await judgeAssigned(tx, { tournament: subject }, now)
          break
        default:
          await judgeAssigned(tx, { tournament: event.tournament }, now)
      }
    }
  },
})

/** Checks the user's streams again: the assignment may turn a test into a stream, or replace another one. (S4) */
async function judgeUser(tx: Tx, assignment: string, now: Date): Promise<void> {
  const user = (await findAssignment(tx, assignment))?.userGuid
  if (user !== undefined) await judgeAssigned(tx, { user }, now)
}

/**
 * A key ends the streams that it let in. The last key of a user also ends streams that were found on servers. (S3, S8)
 */
async function endOfKey(
  tx: Tx,
  { subject, after }: { readonly subject: string; readonly after: { readonly user: string } },
  order: EndingOrder,
): Promise<void> {
  await endStreams(tx, { key: subject }, order)
  await endStreams(tx, { keylessOf: after.user }, order)
}
