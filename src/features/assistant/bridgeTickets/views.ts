import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { exampleTicket } from './bodies.ts'
import { ticketAddress } from './rules.ts'
import { listTeamNames } from './store.ts'
import type { BridgeTicket, MadeTicket } from './types.ts'

export const MadeTicketView = Type.Object(
  {
    ticket: Type.String({ description: 'Shown this once.', examples: [exampleTicket] }),
    address: Type.String({
      description: 'What the player opens on the machine of their game.',
      examples: [ticketAddress('https://downbeat.example.org', exampleTicket)],
    }),
    user: UserCard,
    expiresAt: Instant,
  },
  { title: 'BridgeTicket' },
)

export async function madeTicketView(
  db: Db,
  { ticket, userGuid, expiresAt }: MadeTicket,
  publicUrl: string,
): Promise<Static<typeof MadeTicketView>> {
  const facts = (await listUserFacts(db, [userGuid])).get(userGuid)
  if (facts === undefined) throw new Error('a ticket was made for nobody')
  return {
    ticket,
    address: ticketAddress(publicUrl, ticket),
    user: userCard(facts),
    expiresAt: formatInstant(expiresAt),
  }
}

const Name = Type.String({ examples: ['Spring Cup'] })

export const OpenedTicketView = Type.Object(
  {
    user: Type.Object({ guid: Guid, preferredName: Type.String({ examples: ['Quaver'] }) }),
    accounts: Type.Array(Type.String({ examples: ['76561198000000001'] }), {
      description: 'By which the player’s game is known: their verified accounts on the ranking platforms.',
    }),
    tournament: Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }), name: Name }),
    match: Type.Object({
      guid: Guid,
      number: Type.Integer({ examples: [12] }),
      sides: Type.Array(
        Type.Object({
          team: nullable(Type.Object({ name: Type.String({ examples: ['Team One'] }) }, { title: 'TeamName' })),
        }),
        { minItems: 2, maxItems: 2 },
      ),
    }),
    expiresAt: Instant,
  },
  { title: 'OpenedBridgeTicket' },
)

/** Everything that the bridge page shows and reads. */
export async function openedTicketView(
  db: Db,
  { user, tournament, match, expiresAt }: BridgeTicket,
): Promise<Static<typeof OpenedTicketView>> {
  const sides = [match.team1Guid, match.team2Guid]
  const [facts, names] = await Promise.all([
    listUserFacts(db, [user.guid]),
    listTeamNames(
      db,
      sides.filter((team) => team !== null),
    ),
  ])
  const accounts = [facts.get(user.guid)?.rankingIdA, facts.get(user.guid)?.rankingIdB].filter((id) => id != null)
  const { guid, id, name } = tournament
  return {
    user,
    accounts: [...new Set(accounts)],
    tournament: { guid, id, name },
    expiresAt: formatInstant(expiresAt),
    match: {
      guid: match.guid,
      number: match.number,
      sides: sides.map((team) => {
        const called = names.get(team ?? '')
        return { team: called === undefined ? null : { name: called } }
      }),
    },
  }
}
