import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { mostPastEvents } from '../../../../infra/events/past.ts'
import { eventLog } from '../../../../infra/events/tables.ts'
import { wordUpTo } from './bounds.ts'
import { anyJson, columnsOf, kind, member, never, plain, typed } from './kind.ts'

const ofLog = never('a number of the event log, or of how the service follows it')

/**
 * Who changed what and when. What it was and what it became are only in packages with what is private: they tell
 * notes and reasons.
 */
export const audit = kind(
  'audit',
  columnsOf(eventLog, {
    seq: ofLog,
    at: plain,
    clockAt: never('a rehearsal is in no package'),
    simulated: never('a rehearsal is in no package'),
    type: typed(wordUpTo(100)),
    subject: member({ personal: 'id', people: 'self' }),
    tournament: never('the tournament of the package'),
    actor: member({ personal: 'id', people: 'self' }),
    before: anyJson({ isPrivate: true }),
    after: anyJson({ isPrivate: true }),
    ...{ touches: ofLog, rights: ofLog },
  }),
  {
    // Not that it was imported: else the package of an imported tournament would differ from the one that it came by.
    of: (tournament) => sql`${eventLog.tournament} = ${tournament} and ${eventLog.type} <> 'tournament.imported'`,
    more: {
      number: {
        schema: Type.Integer({
          ...{ minimum: 1, maximum: mostPastEvents, description: 'From 1, in the order of the events.' },
        }),
        value: sql`(row_number() over (order by ${eventLog.seq}))::integer`,
      },
    },
    order: ['number'],
    nameless: 'none',
  },
)
