import { signedIn } from '../../../../core/actor.ts'
import { query } from '../../../../core/operation.ts'
import { listPlayerRoles } from '../store/player-roles.ts'
import { UserWithTournaments, userWithTournaments } from '../views/player-roles.ts'

export const ongoing = query({
  name: 'users.ongoingTournaments',
  method: 'GET',
  path: '/userWithOngoingTournaments/:user',
  scope: 'rest:read',
  allow: signedIn,
  unknown: 400,
  missingTokenOfMe: 400,
  summary: 'A user with the teams that they play in, in tournaments of the main listing.',
  description: 'Those that are approved or ongoing, and those that are over, the newest start first.',
  reply: { 200: UserWithTournaments },
  run: async ({ db, user }) => userWithTournaments(user, await listPlayerRoles(db, user.guid)),
})
