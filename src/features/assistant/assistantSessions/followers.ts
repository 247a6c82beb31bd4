import { followerOf } from '../../../infra/events/follow.ts'
import { freeControl } from './commands/freeing.ts'
import { listLostControls } from './store/operators.ts'

/**
 * Control ends with the right to it: with the role, with the account, and with the sign-in or the grant by which it was taken. Nobody
 * can use it from the commit of that change on, since each use asks for the right anew; here it is written down, so that whoever follows
 * a session is told, and others may take it. (AS5, D76)
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
