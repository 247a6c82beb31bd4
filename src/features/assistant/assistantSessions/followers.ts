import { followerOf } from '../../../infra/events/follow.ts'
import { freeControl } from './commands/freeing.ts'
import { listLostControls } from './store/operators.ts'

/**
 * Ends control after the controller has lost a role, the account, or the sign-in or grant by which control was taken.
 * The right is checked at each use, so control cannot be used from the commit of that change on. This follower saves
 * the end, so that followers of the session are notified and other operators can take control. (AS5, D76)
 */
export const assistantControlFreer = followerOf({
  name: 'assistant_control',
  from: 'now',
  types: [
    ...(['access.revoked', 'tournament.handed_over', 'user.roles_changed', 'user.banned'] as const),
    ...(['session.ended', 'token.revoked', 'token.reused', 'grant.revoked'] as const),
    ...(['application.revoked', 'application.deleted'] as const),
  ],
  gatherMs: 50,
  async handle(tx, events) {
    const now = events.at(-1)?.at
    if (now === undefined) return
    for (const guid of await listLostControls(tx, now)) await freeControl(tx, guid)
  },
})
