import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { nameKeysOf } from '../../../../core/names.ts'
import { Word, Work } from '../../../../core/packages/marks.ts'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { teamNotes } from '../../../teams/desk/tables.ts'
import { appearances } from '../../../teams/registration/tables.ts'
import { fieldAnswers, teamInvitations, teamMembers, teams, teamWithdrawals } from '../../../teams/teams/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
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
  word,
} from './kind.ts'

const inTeamsOf = (tournament: string) => sql`(select t.guid from ${teams} t where t.tournament_guid = ${tournament})`

export const teamsKind = kind(
  'teams',
  columnsOf(teams, {
    ...{ guid: plain, tournamentGuid: ofTournament },
    id: member({ personal: 'name', form: 'team-id' }),
    name: member({ personal: 'name', form: 'team' }),
    nameKey: follows('teams.name'),
    nameLook: follows('teams.name'),
    ...{ pronunciation: name, imageUrl: link, color: word, captainGuid: person, status: word, seed: plain },
    ...{ rosterLocked: plain, registeredAt: plain, withdrawnAt: plain, withdrawnReason: staffText },
    ...{ changedAt: plain, createdAt: plain, updatedAt: plain },
  }),
  {
    open: {
      members: [
        ...[
          'guid',
          'id',
          'name',
          'pronunciation',
          'imageUrl',
          'color',
          'captainGuid',
          'status',
          'seed',
          'registeredAt',
        ],
        ...['withdrawnAt', 'createdAt', 'updatedAt'],
      ],
    },
    brings: { columns: ({ name }) => ({ ...nameKeysOf(String(name)) }) },
  },
)

const State = Type.Object({
  status: Word,
  seed: nullable(Type.Integer()),
  rosterLocked: Type.Boolean(),
  registeredAt: nullable(Instant),
  activeGuids: Type.Array(personal('id', Guid)),
})
const LeftBracket = Type.Object({ bracketGuid: Guid, earlier: nullable(Word) })

/** What teams that have withdrawn get back if they return. */
export const withdrawals = kind(
  'withdrawals',
  columnsOf(teamWithdrawals, {
    teamGuid: plain,
    policy: word,
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
  {
    order: ['teamGuid', 'userGuid'],
    open: { members: ['teamGuid', 'userGuid', 'isActive', 'joinedAt'] },
  },
)

export const invitations = kind(
  'invitations',
  columnsOf(teamInvitations, {
    ...{ guid: plain, teamGuid: plain, tournamentGuid: ofTournament, userGuid: person, invitedByGuid: person },
    ...{
      byOrganiser: plain,
      standInGuid: person,
      message: staffText,
      status: word,
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
        anyOf: [Type.String(), Type.Number(), Type.Object({ hash: Work, difficulty: Word, characteristic: Word })],
      }),
    }),
    ...{ isPrivate: plain, publicAt: plain, answeredAt: plain },
  }),
  {
    of: (tournament) => sql`${fieldAnswers.teamGuid} in ${inTeamsOf(tournament)}`,
    // Also of a field that is no longer private: its teams may still object.
    privateRows: sql`${fieldAnswers.isPrivate}`,
    open: {
      members: ['teamGuid', 'fieldGuid', 'userGuid', 'response'],
      order: ['teamGuid', 'fieldGuid', 'userGuid'],
      // Not of fields that are gone or have become private, nor of people who have left. (additions: Tournament record)
      rows: ({ tournament }) => sql`exists (
        select from ${tournaments} t cross join lateral jsonb_array_elements(t.additional_fields) field
        where t.guid = ${tournament} and field ->> 'guid' = ${fieldAnswers.fieldGuid}::text
          and not (field ->> 'private')::boolean)
        and (${fieldAnswers.userGuid} is null or exists (select from ${teamMembers} m
          where m.team_guid = ${fieldAnswers.teamGuid} and m.user_guid = ${fieldAnswers.userGuid}))`,
    },
    // A number or a map may tell who somebody is. (P5)
    nameless: sql`jsonb_typeof(${fieldAnswers.response}) = 'string'`,
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
  nameless: 'none',
})
