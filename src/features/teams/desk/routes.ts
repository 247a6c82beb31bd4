import { Type } from 'typebox'
import { normaliseGuid } from '../../../core/ids.ts'
import { command, query } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition } from '../../../core/page.ts'
import { exampleGuid, Guid, NextCursor, nullable, oneOf, PageQuery, pageLimit } from '../../../core/schema.ts'
import { playedTag } from '../../people/users/views.ts'
import { anyStaff, organisers, organisersAndStaff, staffAudience } from '../../tournaments/access/policy.ts'
import { readCounts } from '../../tournaments/tournaments/store/tournaments.ts'
import { findRankingsOf } from '../registration/queries.ts'
import { changesUntil, stateOf } from '../registration/rules/eligibility.ts'
import { RegistrationStateView, registrationStateView } from '../registration/views.ts'
import { teamFacts } from '../teams/routes/teams.ts'
import { messageCaptains, setNote } from './commands.ts'
import { deskList, listCandidates, maxDeskTeams, readPage } from './queries.ts'
import { maxNoteCharacters } from './rules.ts'
import { deskFilters } from './types.ts'
import { DeskEntry, NoteView, noteView } from './views.ts'

/** For how many players a page asks the ranking platforms; the next reads ask for the others. */
const maxAsked = 40

const read = query({
  name: 'registration.desk',
  method: 'GET',
  path: '/tournaments/:tournament/registrations',
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'The registration desk: every team with its answers, and what stands in the way of its place.',
  description: `Teams in the order of their making. A team without a place is judged as if the organiser registered it now, one that has a place as if it asked for it again; \`registration\` tells of the public period, which does not count here. \`ready\`: without a place, and could have one. \`blocked\`: something stands in the way. \`changed\`: has a place, and roster, name, looks or captain changed since. A page with \`ready\` or \`blocked\` looks at ${maxDeskTeams} teams, so it can be short, or empty, although \`nextCursor\` leads on. Ranking platforms are asked for ${maxAsked} players at a time; \`ranking.unreachable\` stands where one was not asked for yet.`,
  query: Type.Object({
    filter: Type.Optional(oneOf(deskFilters, { description: 'Which teams are shown; all unless given.' })),
    ...PageQuery,
    limit: pageLimit(maxDeskTeams),
  }),
  reply: {
    200: Type.Object({
      registration: RegistrationStateView,
      teams: Type.Array(DeskEntry),
      nextCursor: NextCursor,
    }),
  },
  audience: staffAudience,
  live: { query: ['filter'], paceMs: 1_000, sends: [...teamFacts, 'registration.noted'] },
  inRehearsals: true,
  prepare: async ({ db, clients, tournament, query: { filter, limit = defaultPageSize, before }, request }) => {
    const wanted = { filter, after: decodeCursor(deskList, before, isMakingPosition), limit }
    const candidates = await listCandidates(db, tournament, wanted)
    const entries = candidates.rows.map(({ team }) => ({ team, tournament }))
    // A topic is read in turn with many others, which must not wait for a platform. Rehearsals ask no other service.
    const asked = request.isFollowed || tournament.rehearsalOf !== null ? 0 : maxAsked
    const findings = await findRankingsOf(db, clients.rankingCache, entries, asked)
    return { wanted, candidates, findings }
  },
  run: async ({ db, actor, tournament, prepared: { wanted, candidates, findings }, depends, now }) => {
    const { registered } = await readCounts(db, tournament.guid)
    const page = await readPage(db, candidates, wanted, { tournament, registered, findings, viewer: actor, now })
    const players = page.items.flatMap(({ members }) => members.map(({ guid }) => guid))
    depends(tournament.guid, playedTag, ...players)
    const until = changesUntil(tournament, now)
    if (until !== null) depends.until(until)
    const registration = registrationStateView(stateOf({ tournament, registered, now }))
    return { registration, teams: [...page.items], nextCursor: page.nextCursor }
  },
})

const note = command({
  name: 'registration.setNote',
  method: 'PUT',
  path: '/tournaments/:tournament/registrations/:team/note',
  scope: 'rest:write',
  allow: organisersAndStaff,
  inRehearsals: true,
  summary: 'Note something about a team’s registration, for the staff of the tournament.',
  description:
    'Nobody else sees it, the team among them. It replaces the note before; null or an empty text removes it. It stays when the team is registered, unregistered or withdrawn.',
  body: Type.Object(
    { note: nullable(Type.String({ maxLength: maxNoteCharacters })) },
    { examples: [{ note: 'Asked them for the second player.' }] },
  ),
  reply: { 200: NoteView },
  run: async ({ tx, actor, tournament, team, body, now }) =>
    noteView(await setNote(tx, actor, { tournamentGuid: tournament.guid, teamGuid: team.guid }, body.note, now)),
})

const maxMessageCharacters = 1_000

const message = command({
  name: 'registration.message',
  method: 'POST',
  path: '/tournaments/:tournament/registrations/messages',
  scope: 'rest:write',
  allow: organisers,
  summary: 'Send the captains of teams a message, as a notification.',
  description:
    'Somebody who captains several of the teams gets it once. A captain who has not signed in yet, or whose account is deleted, gets none: their teams are in `unreached`.',
  body: Type.Object(
    {
      teams: Type.Array(Guid, { minItems: 1, maxItems: maxDeskTeams, description: 'GUIDs of the teams.' }),
      text: Type.String({ minLength: 1, maxLength: maxMessageCharacters, pattern: '\\S', description: 'Plain text.' }),
    },
    { examples: [{ teams: [exampleGuid], text: 'Please answer the question about shirts until Friday.' }] },
  ),
  reply: {
    200: Type.Object({
      sent: Type.Integer({ description: 'Teams whose captain gets the message.', examples: [1] }),
      unreached: Type.Array(Guid, { description: 'GUIDs of the other teams.' }),
    }),
  },
  problems: { 'team.unknown': 404 },
  run: async ({ tx, actor, tournament, body, now }) => {
    const asked = { teams: body.teams.map(normaliseGuid), text: body.text }
    const { sent, unreached } = await messageCaptains(tx, actor, tournament.guid, asked, now)
    return { sent, unreached: [...unreached] }
  },
})

export const deskOperations = [read, note, message]
