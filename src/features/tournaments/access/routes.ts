import { Type } from 'typebox'
import { anyone, isSignedIn, publicAudience, signedIn } from '../../../core/actor.ts'
import { command, type Depends, query, type Resources } from '../../../core/operation.ts'
import { isPossibleInRehearsals } from '../../../core/rehearsals.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { playedTag } from '../../people/users/views.ts'
import { grantRole, revokeRole } from './commands.ts'
import { granters, headPoolerAudience, isHeadPooler } from './policy.ts'
import { operationsHere, rolesHere } from './rules.ts'
import { listPlayingPoolers, listRoleHolders } from './store.ts'
import type { Unusable } from './types.ts'
import { Access, RoleCatalogue, roleCatalogue, Staff, staffView, TournamentRoleName } from './views.ts'

const RoleBody = Type.Object({ role: TournamentRoleName })
const Success = Type.Object({ success: Type.String() })

const grant = command({
  name: 'access.grant',
  method: 'POST',
  path: '/tournaments/:tournament/permissions/:user/grant',
  scope: 'rest:write',
  allow: granters,
  forbidden: 401,
  unknown: 400,
  summary: 'Give a user a role in the tournament.',
  description: 'Which roles a caller may give depends on their own; a user may hold many.',
  body: RoleBody,
  reply: { 200: Success },
  problems: { 'role.already_held': 400, 'role.limit_reached': 400 },
  run: async ({ tx, actor, tournament, user, body: { role }, now }) => {
    await grantRole(tx, actor, tournament.guid, { userGuid: user.guid, role }, now)
    return { success: `${user.preferredName} now holds ${role}.` }
  },
})

const revoke = command({
  name: 'access.revoke',
  method: 'DELETE',
  path: '/tournaments/:tournament/permissions/:user/revoke',
  scope: 'rest:write',
  allow: granters,
  forbidden: 401,
  unknown: 400,
  summary: 'Take a role in the tournament from a user.',
  description: 'Whoever may give a role may take it.',
  body: RoleBody,
  reply: { 200: Success },
  problems: { 'role.not_held': 400 },
  run: async ({ tx, actor, tournament, user, body: { role } }) => {
    await revokeRole(tx, actor, tournament.guid, { userGuid: user.guid, role })
    return { success: `${user.preferredName} no longer holds ${role}.` }
  },
})

const roles = query({
  name: 'access.roles',
  method: 'GET',
  path: '/userRoles',
  scope: 'rest:read',
  allow: signedIn,
  summary: 'All roles and permissions that there are, by where they hold.',
  description: 'For menus and checks in clients. What each role may do is told by the operations themselves.',
  reply: { 200: RoleCatalogue },
  run: () => roleCatalogue,
})

interface StaffInput {
  readonly db: Db
  readonly tournament: Resources['tournament']
  readonly depends: Depends
}

async function readStaff({ db, tournament: { guid, organiserGuid }, depends }: StaffInput, showsWhoPlays = false) {
  const holders = await listRoleHolders(db, guid)
  const users = [organiserGuid, ...holders.map(({ userGuid }) => userGuid)]
  depends(guid, playedTag, ...users)
  const [facts, playing] = await Promise.all([
    listUserFacts(db, users),
    showsWhoPlays ? listPlayingPoolers(db, guid, users) : undefined,
  ])
  return staffView(organiserGuid, holders, facts, playing)
}

const staff = query({
  name: 'access.staff',
  method: 'GET',
  path: '/tournaments/:tournament/staff',
  scope: 'public',
  allow: anyone,
  summary: 'The organiser and all who hold a role in the tournament.',
  description:
    'The organiser first, then each role that somebody holds, in a fixed order. Heads of the pools are told which poolers play.',
  reply: { 200: Staff },
  audience: (actor) => (isHeadPooler(actor) ? headPoolerAudience : publicAudience),
  live: {},
  run: (input) => readStaff(input, isHeadPooler(input.actor)),
})

/** @param unusable functions that name the operations which cannot be used in a tournament at the moment */
export function accessOverUnusable(unusable: readonly Unusable[]) {
  return [
    query({
      name: 'access.read',
      method: 'GET',
      path: '/tournaments/:tournament/access',
      scope: 'public',
      allow: anyone,
      summary: 'What the caller is, and may do, in the tournament.',
      description:
        'An operation on a record of the tournament, such as a team, is named when the caller could use it on some such record. What the match assistant is known not to let us do is left out, and in a rehearsal what is not possible there.',
      reply: { 200: Access },
      live: { sends: ['access.granted', 'access.revoked'] },
      run: async ({ db, actor, tournament, services, depends }) => {
        depends(tournament.guid, ...(isSignedIn(actor) ? [actor.guid] : []))
        const lists = isSignedIn(actor) ? await Promise.all(unusable.map((list) => list(db, tournament.guid))) : []
        const left = new Set(lists.flat())
        const possible =
          tournament.rehearsalOf === null ? services.operations : services.operations.filter(isPossibleInRehearsals)
        const names = operationsHere(actor, { tournament }, possible)
        return { roles: rolesHere(actor), operations: names.filter((name) => !left.has(name)) }
      },
    }),
  ]
}

/** The staff as a part of the tournament's record. */
export const staffInclude = { schema: Staff, load: (input: StaffInput) => readStaff(input) }

export const accessOperations = [grant, revoke, roles, staff]
