import { Type } from 'typebox'
import { anyone } from '../../../core/actor.ts'
import { Answer, command, tournamentPath } from '../../../core/operation.ts'
import { nullable } from '../../../core/schema.ts'
import { DivisionQuery } from '../../brackets/matches/bodies.ts'
import { referees } from '../../brackets/results/policy.ts'
import { checkPlays } from '../proposals/queries.ts'
import { FinishedSongView, finishedSongView } from '../proposals/views.ts'
import { FinishByTicketBody, LiveBody, MakeBody, OpenBody } from './bodies.ts'
import { endTicket, makeTicket, reportFinishBy } from './commands.ts'
import { proveTicket } from './prepare.ts'
import { checkIsOf } from './rules.ts'
import { MadeTicketView, madeTicketView, OpenedTicketView, openedTicketView } from './views.ts'

const cancelled = { 'tournament.cancelled': 409, 'match.cancelled': 409 } as const

/** Takes no idempotency key, because answers are stored under keys: the ticket is answered once and stored nowhere. */
const make = command({
  name: 'bridgeTickets.make',
  returnsSecret: true,
  method: 'POST',
  path: `${tournamentPath}/matches/:match/bridgeTickets`,
  scope: 'assistant',
  allow: referees,
  summary: 'Make a ticket by which a player’s game tells of a match without signing in.',
  description:
    'For the page `/bridge` on a machine that is not the player’s own, or where nobody is to sign in. It is good for 12 hours, for this player and match alone: for live scores with the source `game`, and for what songs came to, which is proposed as if they had told it themselves. A second one replaces the first. It ends at once where whoever made it may not make one any more. It is not shown again.',
  query: Type.Object(DivisionQuery),
  body: MakeBody,
  reply: { 201: MadeTicketView },
  problems: { ...cancelled, 'match.ambiguous': 409, 'user.unknown': 404, 'live.player_unknown': 400 },
  run: async ({ tx, actor, tournament, match, body, services, now }) => {
    checkIsOf({ tournament, match })
    const made = await makeTicket(tx, actor, match, body.user, now)
    return madeTicketView(tx, made, services.config.publicUrl)
  },
})

const end = command({
  name: 'bridgeTickets.end',
  method: 'DELETE',
  path: `${tournamentPath}/matches/:match/bridgeTickets/:user`,
  scope: 'assistant',
  socket: true,
  allow: referees,
  summary: 'End a player’s ticket for a match.',
  description: 'Where there is none, nothing happens.',
  query: Type.Object(DivisionQuery),
  reply: { 204: nullable(Type.String()) },
  problems: { 'match.ambiguous': 409 },
  run: async ({ tx, actor, match, user, now }) => {
    await endTicket(tx, actor, match, user.guid, now)
    return new Answer(204)
  },
})

const ticketProblems = { ...cancelled, 'bridge.ticket_invalid': 401, 'request.limited': 429 } as const

const open = command({
  name: 'bridgeTickets.open',
  method: 'POST',
  path: '/bridgeTickets/open',
  scope: 'public',
  allow: anyone,
  ownCredentials: true,
  summary: 'What a ticket is for: whose scores it tells, of which match.',
  description: 'The page `/bridge` asks this. A ticket may be opened as often as one likes, while it is good.',
  body: OpenBody,
  reply: { 200: OpenedTicketView },
  problems: ticketProblems,
  prepare: (asking) => proveTicket(asking, asking.body.ticket),
  run: ({ tx, prepared: ticket }) => {
    checkIsOf(ticket)
    return openedTicketView(tx, ticket)
  },
})

const live = command({
  name: 'bridgeTickets.live',
  method: 'POST',
  path: '/bridgeTickets/live',
  scope: 'public',
  allow: anyone,
  ownCredentials: true,
  summary: 'Tell how the player of a ticket does, by the word of their own game.',
  description:
    'It is a value of the moment in the topic `…/live` of the match, with the source `game`: nobody keeps it, and it is gone after 15 seconds unless it is told again. A ticket may be used 720 times a minute, which is ten values a second and some results.',
  body: LiveBody,
  reply: { 204: nullable(Type.String()) },
  problems: { ...ticketProblems, 'live.player_unknown': 400, 'keys.limit': 429, 'value.too_large': 413 },
  prepare: (asking) => proveTicket(asking, asking.body.ticket),
  run: async ({ tx, prepared: ticket, body: { value }, services }) => {
    checkIsOf(ticket)
    await checkPlays(tx, ticket.match, ticket.user.guid)
    const topic = `/tournaments/${ticket.tournament.guid}/matches/${ticket.match.guid}/live`
    services.realtime.ephemeral.put(topic, `player:${ticket.user.guid}`, value, 'game')
    return new Answer(204)
  },
})

const finish = command({
  name: 'bridgeTickets.finish',
  method: 'POST',
  path: '/bridgeTickets/finish',
  scope: 'public',
  allow: anyone,
  ownCredentials: true,
  summary: 'Tell what a song came to, by the word of the game of a ticket’s player.',
  description:
    'As `live.finish` does for players who are signed in: it becomes a proposal with the source `game` and the warning `unverified`. The same result told again changes nothing.',
  body: FinishByTicketBody,
  reply: { 200: FinishedSongView },
  problems: {
    ...ticketProblems,
    'match.unknown': 404,
    'live.player_unknown': 400,
    'game.player_mismatch': 403,
    'assistant.play_open': 409,
    'live.finishes_limit': 429,
  },
  prepare: (asking) => proveTicket(asking, asking.body.ticket),
  run: async ({ tx, prepared: ticket, body: { ticket: _secret, ...report }, now }) =>
    finishedSongView(await reportFinishBy(tx, ticket, report, now)),
})

export const bridgeTicketsOperations = [make, end, open, live, finish]
