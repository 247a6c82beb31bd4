import { Type } from 'typebox'
import { signedIn } from '../../../core/actor.ts'
import { query } from '../../../core/operation.ts'
import { Instant } from '../../../core/schema.ts'
import { findRankingsOf } from '../../teams/registration/queries.ts'
import { maxWindowDays } from '../calendar/rules/windows.ts'
import { entriesOf, readAgenda } from './queries.ts'
import { readAsked } from './rules.ts'
import { listPlaces } from './store.ts'
import { AgendaView } from './views.ts'

const read = query({
  name: 'users.agenda',
  method: 'GET',
  path: '/users/@me/agenda',
  scope: 'rest:user:read',
  allow: signedIn,
  summary: 'What the signed-in user has to do: matches, duties, invitations, sheets, deadlines, roster problems.',
  description:
    'Of tournaments that are not over and that the user may see. Without `from` and `to`, the next 30 days, beginning with the present hour; matches that run, and those without a time that are ready or wait for a side, are in every period with the present in it. Matches of one’s teams are told of in time, whatever the delay of their stream. Invitations, open sheets and roster problems do not depend on the period, but for sheets that close before it. Roster problems are judged by the rules of registration, with what is stored here of ranking platforms.',
  query: Type.Object({
    from: Type.Optional({ ...Instant, description: 'Matters at this instant or later.' }),
    to: Type.Optional({
      ...Instant,
      description: `Matters at this instant or earlier; at most ${maxWindowDays} days after \`from\`.`,
    }),
  }),
  reply: { 200: AgendaView },
  problems: { 'calendar.window_invalid': 400 },
  live: { query: ['from', 'to'], paceMs: 1_000 },
  prepare: async ({ db, clients, actor, query: asked, now }) => {
    const wanted = readAsked(asked, now)
    const places = await listPlaces(db, actor.guid, wanted)
    return { wanted, places, findings: await findRankingsOf(db, clients.rankingCache, entriesOf(places, now), 0) }
  },
  run: async ({ db, present, actor, prepared: { wanted, places, findings }, depends, now }) =>
    readAgenda(db, wanted, { present, actor, places, findings, now, depends }),
})

export const agendaOperations = [read]
