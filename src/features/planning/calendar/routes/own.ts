import { Type } from 'typebox'
import { anyone, firstParty } from '../../../../core/actor.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { makeToken, revokeToken } from '../commands.ts'
import { ownAddress, ownEntryOf, readFeedWindow, unknownCalendar } from '../rules.ts'
import { listOwn, maxOwnEntries } from '../store/own.ts'
import { findOwner } from '../store/tokens.ts'
import { asCalendar, contentType } from './calendars.ts'

const read = query({
  name: 'calendar.own',
  method: 'GET',
  path: '/users/@me/calendar.ics',
  scope: 'public',
  allow: anyone,
  summary: 'A user’s own matches, duties and deadlines, as a calendar that programs subscribe to.',
  description: `By the secret address that \`POST /users/@me/calendarToken\` gives; no access token is needed, and none is of use. A file of the form iCalendar (RFC 5545), with all times in UTC: matches of one’s teams, matches at which one works, assignments to streams, and when availability sheets close that ask oneself or one’s team. Matches and duties say that their time is taken. A match that was decided without play before its time is CANCELLED, and its summary says why. The last 30 days and the next eleven months; at most the first ${maxOwnEntries} entries. Who takes part in a tournament is told of it in time, whatever the delay of its stream.`,
  query: Type.Object({
    token: Type.Optional(Type.String({ maxLength: 200, description: 'As it stands in the secret address.' })),
  }),
  reply: { 200: Type.String() },
  contentType,
  problems: { 'calendar.unknown': 404 },
  run: async ({ db, query: { token }, request: { address, countGuess }, services, now }) => {
    const userGuid = token === undefined ? undefined : await findOwner(db, digestOf(token))
    if (userGuid === undefined) {
      countGuess(address)
      throw unknownCalendar()
    }
    const facts = await listOwn(db, userGuid, readFeedWindow(undefined, undefined, now))
    const answer = await asCalendar('Downbeat', facts.map(ownEntryOf), services.config.publicUrl)
    // Only holders of the secret address may read the answer, so no shared cache may store it.
    return new Answer(answer.status, {
      body: answer.body,
      contentType,
      headers: { 'cache-control': 'private, no-store' },
    })
  },
})

const make = command({
  name: 'calendar.makeToken',
  returnsSecret: true,
  method: 'POST',
  path: '/users/@me/calendarToken',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Make the secret address of one’s own calendar, or put a new one in its place.',
  description:
    'Whoever knows the address can read the calendar, and do nothing else, until another one is made or it is revoked. It is not shown again. The address before leads nowhere at once.',
  reply: {
    201: Type.Object(
      {
        address: Type.String({
          description: 'For calendar programs to subscribe to.',
          examples: ['https://downbeat.example.org/api/users/@me/calendar.ics?token=…'],
        }),
        createdAt: Instant,
      },
      { title: 'CalendarAddress' },
    ),
  },
  problems: { 'user.unknown': 404 },
  run: async ({ tx, actor, services, now }) => {
    const token = await makeToken(tx, actor, now)
    return { address: ownAddress(services.config.publicUrl, token), createdAt: formatInstant(now) }
  },
})

const revoke = command({
  name: 'calendar.revokeToken',
  method: 'DELETE',
  path: '/users/@me/calendarToken',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Revoke the secret address of one’s own calendar.',
  description: 'Where there is none, nothing happens.',
  reply: { 204: nullable(Type.String()) },
  run: async ({ tx, actor }) => {
    await revokeToken(tx, actor)
    return new Answer(204)
  },
})

export const ownCalendarOperations = [read, make, revoke]
