import { Type } from 'typebox'
import { anonymous, anyone, signedIn } from '../../../../core/actor.ts'
import type { EventType } from '../../../../core/events.ts'
import { command, query } from '../../../../core/operation.ts'
import {
  decodeCursor,
  defaultPageSize,
  isMakingPosition,
  jsonBytes,
  makingPosition,
  toPage,
} from '../../../../core/page.ts'
import { exampleGuid, NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import { cardBytes } from '../../../people/users/views.ts'
import { isAnyStaff } from '../../../tournaments/access/policy.ts'
import type { Include } from '../../../tournaments/tournaments/rules/includes.ts'
import { createTeam, deleteTeam, updateTeam } from '../commands/teams.ts'
import { captainAndOrganisers } from '../policy.ts'
import { maxPronunciationCharacters } from '../rules/details.ts'
import { maxNameCharacters, readStatuses } from '../rules/teams.ts'
import { listTeams } from '../store/teams.ts'
import { listTeamViews, readTeamView, TeamView, teamsAudience, teamsDepend } from '../views/teams.ts'
import { teamsCsv } from './csv.ts'
import { invitationOperations } from './invitations.ts'
import { memberOperations } from './members.ts'
import { ongoing } from './player-roles.ts'
import { ranks } from './ranks.ts'

const captainProblems = { 'tournament.over': 409, 'team.roster_locked': 403 } as const

const TeamName = Type.String({ minLength: 1, maxLength: maxNameCharacters, examples: ['The Quavers'] })
const TeamId = Type.String({ minLength: 1, maxLength: 32, examples: ['the-quavers'] })

const Pronunciation = Type.String({
  maxLength: maxPronunciationCharacters,
  description: 'How the name is spoken.',
  examples: ['the KWAY-verz'],
})

const create = command({
  name: 'teams.create',
  method: 'POST',
  path: '/tournaments/:tournament/teams',
  scope: 'rest:write',
  allow: signedIn,
  forbidden: 401,
  unknown: 400,
  summary: 'Make a team, with its captain as first member.',
  description:
    'Users make teams for themselves while the tournament is approved; its organiser and admins for anybody, also while it is a draft or ongoing. The team is not registered by this. A name or id that is not given is made of the captain’s, and numbered where it is taken.',
  body: Type.Object({
    captainId: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'GUID or chat-platform ID of the captain.',
      examples: ['210987654321098765'],
    }),
    teamName: Type.Optional(TeamName),
    teamId: Type.Optional(TeamId),
    pronunciation: Type.Optional(Pronunciation),
  }),
  reply: { 200: Type.Object({ success: Type.String(), newTeam: TeamView }) },
  problems: {
    'user.unknown': 400,
    'team.not_for_others': 401,
    'team.invalid': 400,
    'team.name_taken': 400,
    'team.id_taken': 400,
    'team.entries_closed': 403,
    'user.has_team': 403,
  },
  run: async ({ tx, actor, tournament, body, now }) => {
    const made = await createTeam(tx, actor, tournament.guid, body)
    return { success: 'Team created.', newTeam: await readTeamView(tx, made.tournament, made.team, actor, now) }
  },
})

const remove = command({
  name: 'teams.delete',
  method: 'DELETE',
  path: '/tournaments/:tournament/teams',
  scope: 'rest:write',
  allow: signedIn,
  forbidden: 401,
  unknown: 400,
  inRehearsals: true,
  summary: 'Delete a team with its members, invitations and registration, for good.',
  description:
    'The captain can do so until the tournament starts, its organiser and admins at any time. A team that stands in a bracket is withdrawn instead.',
  body: Type.Object({
    teamGuid: Type.String({ maxLength: 64, description: 'GUID of the team.', examples: [exampleGuid] }),
  }),
  reply: { 200: Type.Object({ success: Type.String() }) },
  problems: { 'team.unknown': 400, 'role.missing': 401, 'team.deletion_closed': 401, 'team.in_bracket': 409 },
  run: async ({ tx, actor, tournament, body, now }) => {
    await deleteTeam(tx, actor, tournament.guid, body.teamGuid, now)
    return { success: 'Team deleted.' }
  },
})

/** The events about teams that everybody may receive. */
export const teamFacts: readonly EventType[] = [
  'team.created',
  'team.registered',
  'team.unregistered',
  'team.qualified',
  'team.disqualified',
  'team.withdrawn',
  'team.returned',
]

const teamsList = 'teams'

function bytesOf({ members, additionalFields }: TeamView): number {
  return jsonBytes(additionalFields) + members.length * cardBytes
}

const list = query({
  name: 'teams.list',
  method: 'GET',
  path: '/tournaments/:tournament/teams',
  scope: 'public',
  allow: anyone,
  summary: 'Teams of a tournament, in the order in which they were made.',
  description:
    'Give `status=registered,qualified` for those that take part. Answers to registration fields are shown to those who may read them.',
  query: Type.Object({
    status: Type.Optional(
      Type.String({ maxLength: 100, description: 'Comma list of statuses.', examples: ['registered,qualified'] }),
    ),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Start of the name, or a whole id.' })),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ teams: Type.Array(TeamView), nextCursor: NextCursor }) },
  problems: { 'team.status_unknown': 400 },
  audience: teamsAudience,
  live: { query: ['status'], sends: teamFacts },
  run: async ({ db, actor, tournament, query: { status, q, limit = defaultPageSize, before }, depends, now }) => {
    const after = decodeCursor(teamsList, before, isMakingPosition)
    const rows = await listTeams(db, tournament.guid, { statuses: readStatuses(status), q, after, limit })
    const views = await listTeamViews(db, tournament, rows, actor, now)
    const { items, nextCursor } = toPage(teamsList, rows, limit, makingPosition, views.map(bytesOf))
    const teams = views.slice(0, items.length)
    // Answers to searches are not cached, as there are too many different ones.
    if (q === undefined) teamsDepend(depends, tournament, teams, now)
    return { teams, nextCursor }
  },
})

const read = query({
  name: 'teams.read',
  method: 'GET',
  path: '/tournaments/:tournament/teams/:team',
  scope: 'public',
  allow: anyone,
  summary: 'A team, by GUID or short id.',
  description: 'With its members. Answers to registration fields are shown to those who may read them.',
  reply: { 200: TeamView },
  audience: teamsAudience,
  live: { sends: teamFacts },
  run: async ({ db, actor, tournament, team, depends, now }) => {
    const view = await readTeamView(db, tournament, team, actor, now)
    teamsDepend(depends, tournament, [view], now)
    return view
  },
})

const update = command({
  name: 'teams.update',
  method: 'PATCH',
  path: '/tournaments/:tournament/teams/:team',
  scope: 'rest:write',
  allow: captainAndOrganisers,
  inRehearsals: true,
  summary: 'Change a team’s name, id, looks or captain.',
  description: 'The captain can do so until the roster is locked, the organiser and admins at any time.',
  body: Type.Object(
    {
      name: Type.Optional(TeamName),
      id: Type.Optional(TeamId),
      pronunciation: Type.Optional(
        nullable(Pronunciation, 'How the name is spoken; null or an empty text removes it.'),
      ),
      imageUrl: Type.Optional(nullable(Type.String({ maxLength: 2_000 }), 'null or an empty text removes it.')),
      color: Type.Optional(
        nullable(Type.String({ maxLength: 7, examples: ['#ff8800'] }), '`#rrggbb`; null or an empty text removes it.'),
      ),
      captain: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier of a member, who becomes captain.' }),
      ),
    },
    {
      examples: [
        {
          name: 'The Quavers',
          id: 'the-quavers',
          pronunciation: 'the KWAY-verz',
          imageUrl: 'https://cdn.example.org/teams/quavers.png',
          color: '#ff8800',
        },
      ],
    },
  ),
  reply: { 200: TeamView },
  problems: {
    'user.unknown': 404,
    ...captainProblems,
    'team.nothing_to_change': 400,
    'team.invalid': 400,
    'team.captain_not_member': 400,
    'media.reference_invalid': 400,
    'team.name_taken': 409,
    'team.id_taken': 409,
  },
  run: async ({ tx, actor, tournament, team, body, services: { config }, now }) => {
    const around = { mediaUrl: config.media.url, now }
    const changed = await updateTeam(tx, actor, tournament.guid, team.guid, body, around)
    return readTeamView(tx, changed.tournament, changed.team, actor, now)
  },
})

const teamsIncluded = 100

/** The first teams of a tournament; the list of teams has all of them. */
export const teamsInclude: Include = {
  schema: Type.Array(TeamView, { description: `The first ${teamsIncluded} teams, in the order of their making.` }),
  load: async ({ db, actor, tournament, now, depends }) => {
    const rows = await listTeams(db, tournament.guid, { limit: teamsIncluded })
    // All viewers who are not staff share one cached record, so it shows no private answers. (D74)
    const viewer = isAnyStaff(actor) ? actor : anonymous
    const teams = await listTeamViews(db, tournament, rows.slice(0, teamsIncluded), viewer, now)
    teamsDepend(depends, tournament, teams, now)
    return teams
  },
}

export const teamsOperations = [
  create,
  remove,
  list,
  teamsCsv,
  ranks,
  read,
  update,
  ...invitationOperations,
  ...memberOperations,
  ongoing,
]
