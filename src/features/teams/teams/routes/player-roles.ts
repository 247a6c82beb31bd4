import { Type } from 'typebox'
import { signedIn } from '../../../../core/actor.ts'
import { query } from '../../../../core/operation.ts'
import { forbidden } from '../../../../core/problem.ts'
import { listOwnPlayerRoles, listPlayerRoles } from '../store/player-roles.ts'
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
  description:
    'Those that are approved or ongoing, and those that are over, the newest start first. With `unlisted=true` users read all teams of their own, also in drafts, in cancelled tournaments and in those that are not listed, as far as they may see them.',
  query: Type.Object({
    unlisted: Type.Optional(
      Type.Boolean({ description: 'Also those of tournaments that are not on the main listing; for the user alone.' }),
    ),
  }),
  reply: { 200: UserWithTournaments },
  problems: { 'role.missing': 403 },
  run: async ({ db, user, actor, query: { unlisted = false } }) => {
    if (!unlisted) return userWithTournaments(user, await listPlayerRoles(db, user.guid))
    if (user.guid !== actor.guid) {
      throw forbidden('role.missing', 'Only the users themselves may do this.')
    }
    return userWithTournaments(user, await listOwnPlayerRoles(db, user.guid))
  },
})
