import { Type } from 'typebox'
import { anyone, everybody } from '../../../core/actor.ts'
import { query } from '../../../core/operation.ts'
import { listedMapView } from '../../maps/archive/views.ts'
import { userCard } from '../../people/users/views.ts'
import { findAll } from './queries.ts'
import { maxFound } from './types.ts'
import { Found, foundTournamentView } from './views.ts'

const all = query({
  name: 'search.all',
  method: 'GET',
  path: '/search',
  scope: 'public',
  allow: anyone,
  summary: `Users, tournaments, teams and maps that a text finds, at most ${maxFound} of each.`,
  description:
    'For suggestions while somebody types; the lists of users, tournaments and maps find all, page by page. Users: the start of a name in any case, or a whole ID, as in the list of users. Tournaments, by name and short id, and maps, by name, artist and mapper: all words, of which the last may be a beginning. Teams of listed tournaments, by name and short id, likewise. What a list does not show to everybody is not found here either, whoever asks.',
  query: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Start of a user’s name, or a whole ID; words of anything else.',
      examples: ['qua'],
    }),
  }),
  reply: { 200: Found },
  audience: everybody,
  run: async ({ db, query: { q } }) => {
    const { users, tournaments, teams, maps } = await findAll(db, q)
    return {
      users: users.map(userCard),
      tournaments: tournaments.map(foundTournamentView),
      teams: [...teams],
      maps: maps.map(listedMapView),
    }
  },
})

export const searchOperations = [all]
