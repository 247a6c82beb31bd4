import type { EventOf } from '../../../core/events.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import { notifyAll } from '../../people/notifications/commands.ts'
import { reopenedNotice } from './rules.ts'
import { listHonoured } from './store/honoured.ts'

/** Notifies the organiser when a tournament is reopened after its badges were granted. (B6) */
export const reopeningFollower = followerOf({
  name: 'badge_requests',
  from: 'now',
  types: ['tournament.status_changed'],
  gatherMs: 250,
  async handle(tx, events) {
    const reopened = events.filter(isReopening)
    if (reopened.length === 0) return
    const honoured = await listHonoured(
      tx,
      reopened.map(({ tournament }) => tournament),
    )
    const notices = reopened.flatMap(({ tournament, at }) => {
      const named = honoured.get(tournament)
      return named === undefined ? [] : { ...reopenedNotice(named), userGuid: named.organiserGuid, createdAt: at }
    })
    await notifyAll(tx, notices)
  },
})

function isReopening({ before, after }: EventOf<'tournament.status_changed'>): boolean {
  return before.status === 'completed' && after.status === 'ongoing'
}
