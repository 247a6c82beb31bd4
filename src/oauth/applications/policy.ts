import { policy } from '../../core/actor.ts'

/** Whoever may act for a user may not decide what else may: an application's token manages no applications. (D40) */
export const firstParty = policy(
  'users themselves, with a token that was not given to an application,',
  (actor) => actor.guid !== null && actor.token?.clientId === null,
)
