import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { teamNotes } from '../../../teams/desk/tables.ts'
import { appearances } from '../../../teams/registration/tables.ts'
import { fieldAnswers, teamInvitations, teamMembers, teams, teamWithdrawals } from '../../../teams/teams/tables.ts'
import {
  columnsOf,
  follows,
  json,
  kind,
  link,
  member,
  name,
  ofTournament,
  person,
  personal,
  plain,
  staffText,
  text,
} from './kind.ts'

const inTeamsOf = (tournament: string) => sql`(select t.guid from ${teams} t where t.tournament_guid = ${tournament})`

export const teamsKind = kind(
  'teams',
  columnsOf(teams, {
    ...{ guid: plain, tournamentGuid: ofTournament, id: name, name },
    nameKey: follows('teams.name'),
    nameLook: follows('teams.name'),
    ...{ pronunciation: name, imageUrl: link, color: plain, captainGuid: person, status: plain, seed: plain },
    ...{ rosterLocked: plain, registeredAt: plain, withdrawnAt: plain, withdrawnReason: staffText },
    ...{ changedAt: plain, createdAt: plain, updatedAt: plain },
  }),
)

const State = Type.Object({
  status: Type.String(),
  seed: nullable(Type.Integer()),
  rosterLocked: Type.Boolean(),
  registeredAt: nullable(Instant),
  activeGuids: Type.Array(personal('id', Guid)),
})
const LeftBracket = Type.Object({ bracketGuid: Guid, earlier: nullable(Type.String()) })

/** What teams that have withdrawn get back if they return. */
export const withdrawals = kind(
  'withdrawals',
  columnsOf(teamWithdrawals, {
    teamGuid: plain,
    policy: plain,
    state: json(State, { people: '$.activeGuids[*]' }),
    brackets: json(Type.Array(LeftBracket)),
  }),
  { of: (tournament) => sql`${teamWithdrawals.teamGuid} in ${inTeamsOf(tournament)}`, order: ['teamGuid'] },
)

export const members = kind(
  'members',
  columnsOf(teamMembers, {
    ...{ teamGuid: plain, tournamentGuid: ofTournament, userGuid: person, isActive: plain, joinedAt: plain },
  }),
  { order: ['teamGuid', 'userGuid'] },
)

export const invitations = kind(
  'invitations',
  columnsOf(teamInvitations, {
    ...{ guid: plain, teamGuid: plain, tournamentGuid: ofTournament, userGuid: person, invitedByGuid: person },
    ...{
      byOrganiser: plain,
      standInGuid: person,
      message: staffText,
      status: plain,
      createdAt: plain,
      decidedAt: plain,
    },
  }),
)

export const answers = kind(
  'answers',
  columnsOf(fieldAnswers, {
    ...{ guid: plain, teamGuid: plain, fieldGuid: plain, userGuid: person },
    response: member({
      personal: 'text',
      schema: Type.Unsafe<unknown>({
        anyOf: [
          Type.String(),
          Type.Number(),
          Type.Object({ hash: Type.String(), difficulty: Type.String(), characteristic: Type.String() }),
        ],
      }),
    }),
    ...{ isPrivate: plain, publicAt: plain, answeredAt: plain },
  }),
  {
    of: (tournament) => sql`${fieldAnswers.teamGuid} in ${inTeamsOf(tournament)}`,
    // Also of a field that is no longer private: its teams may still object.
    privateRows: sql`${fieldAnswers.isPrivate}`,
  },
)

/** Who was in a team when it registered. */
export const appearancesKind = kind(
  'appearances',
  columnsOf(appearances, { userGuid: person, tournamentGuid: ofTournament, firstAt: plain }),
  { order: ['userGuid'] },
)

/** What the staff note about teams. */
export const notes = kind('notes', columnsOf(teamNotes, { teamGuid: plain, note: text, updatedAt: plain }), {
  of: (tournament) => sql`${teamNotes.teamGuid} in ${inTeamsOf(tournament)}`,
  order: ['teamGuid'],
  privateRows: sql`true`,
})
