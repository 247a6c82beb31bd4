import { Type } from 'typebox'
import { Answer, command } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { removeMember, updateMember } from '../commands/members.ts'
import { captainAndOrganisers, memberCaptainAndOrganisers } from '../policy.ts'
import { readTeamView, TeamView } from '../views/teams.ts'

const update = command({
  name: 'teams.updateMember',
  method: 'PATCH',
  path: '/tournaments/:tournament/teams/:team/members/:member',
  scope: 'rest:write',
  allow: captainAndOrganisers,
  inRehearsals: true,
  summary: 'Put a member on the field, or make them a substitute.',
  description: 'The captain can do so until the roster is locked, the organiser and admins at any time.',
  body: Type.Object({ isActive: Type.Boolean() }),
  reply: { 200: TeamView },
  problems: {
    'member.unknown': 404,
    'user.unknown': 404,
    'tournament.over': 409,
    'team.roster_locked': 403,
    'team.active_full': 409,
  },
  run: async ({ tx, actor, tournament, team, member, body, now }) => {
    const changed = await updateMember(tx, actor, tournament.guid, team.guid, member.guid, body.isActive, now)
    return readTeamView(tx, changed.tournament, changed.team, actor, now)
  },
})

const remove = command({
  name: 'teams.removeMember',
  method: 'DELETE',
  path: '/tournaments/:tournament/teams/:team/members/:member',
  scope: 'rest:write',
  allow: memberCaptainAndOrganisers,
  inRehearsals: true,
  summary: 'Leave a team, or take a member out of it.',
  description:
    'Members leave, and the captain removes them, until the roster is locked; the organiser and admins at any time. The captain cannot leave.',
  reply: { 204: nullable(Type.String()) },
  problems: {
    'member.unknown': 404,
    'user.unknown': 404,
    'tournament.over': 409,
    'team.roster_locked': 403,
    'member.is_captain': 409,
  },
  run: async ({ tx, actor, tournament, team, member, now }) => {
    await removeMember(tx, actor, tournament.guid, team.guid, member.guid, now)
    return new Answer(204)
  },
})

export const memberOperations = [update, remove]
