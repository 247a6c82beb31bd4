import type { Tx } from '../../../infra/db/database.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import { findAssignment } from '../streamAssignments/store/assignments.ts'
import { type EndingOrder, endStreams } from './commands/ending.ts'
import { judgeAssigned } from './commands/judging.ts'

const over = ['completed', 'cancelled']

/** Matches are made anew, or go: their assignments go with them, without a word of their own. */
const unmaking = ['bracket.generated', 'bracket.deleted', 'division.deleted'] as const

/** Whatever takes from somebody what their stream was let in by ends it. (S3, S9, S11) */
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

/** An assignment may have begun to let in what was a test, or to hold what another did. (S4) */
async function judgeUser(tx: Tx, assignment: string, now: Date): Promise<void> {
  const user = (await findAssignment(tx, assignment))?.userGuid
  if (user !== undefined) await judgeAssigned(tx, { user }, now)
}

/** With the key go the streams that came by it; with the last key, also those that were found on servers. (S3, S8) */
async function endOfKey(
  tx: Tx,
  { subject, after }: { readonly subject: string; readonly after: { readonly user: string } },
  order: EndingOrder,
): Promise<void> {
  await endStreams(tx, { key: subject }, order)
  await endStreams(tx, { keylessOf: after.user }, order)
}
