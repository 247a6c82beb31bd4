import { operations } from '../../src/app.ts'
import type { Operation } from '../../src/core/operation.ts'
import { addressOf } from '../world.ts'
import type { Evening } from './playing.ts'

/** What outsiders get of an evening: every read that the description has, at every record of the evening. */

/** They answer with a new secret, differ each second, or list the connections of the caller. */
const everNew: ReadonlySet<string> = new Set([
  'streamKeys.settings',
  'sceneReference.sample',
  'sessions.signIn',
  'realtime.connections',
  'accounts.export',
])
const reads = operations.filter(
  ({ kind, scope, name }) => kind === 'query' && scope !== 'session' && scope !== 'browser' && !everNew.has(name),
)

/** Queries that ask for what may be hidden; every read is asked without one as well. */
const queries: Readonly<Record<string, readonly string[]>> = {
  'tournaments.read': ['?include=staff,teams,timeline,divisions,matches,html'],
  'tournaments.list': ['?status=ongoing', '?status=completed', '?participant=@me'],
  'platforms.tournaments': ['?status=completed'],
  'matches.list': ['?status=completed', '?status=running', '?delayed=true', '?limit=1'],
  'matches.listAll': ['?status=completed', '?status=running', '?limit=1'],
  'search.all': ['?q=cup', '?q=team', '?q=cadenza'],
  'calendar.list': ['?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z'],
  'brackets.read': ['?delayed=true'],
}

export interface Asked {
  readonly name: string
  readonly address: string
  readonly operation: Operation
}

/** The addresses of all reads in both tournaments of an evening. */
export function addressesOf({ world, made, swiss, channel, overlay, assignment }: Evening): readonly Asked[] {
  const [captain] = made.captains
  const cup = {
    ...{ tournament: made.cup.guid, division: 'main', bracket: made.bracket.guid, match: made.bracket.matches[0].guid },
    ...{ team: made.teams[0]?.guid ?? '', user: captain?.guid ?? '', member: captain?.guid ?? '' },
    ...{ channel, overlay, assignment, pool: made.pool.guid, poolMap: made.poolMaps[0] ?? '' },
  }
  const [, , final] = made.bracket.matches
  const worlds = [
    {},
    cup,
    { ...cup, division: 'second', bracket: swiss, match: final.guid, team: made.teams[1]?.guid ?? '' },
  ]
  const found = new Map<string, Asked>()
  for (const operation of reads) {
    for (const names of worlds) {
      for (const query of ['', ...(queries[operation.name] ?? [])]) {
        const address = addressOf(operation, world, names) + query
        found.set(address, { name: operation.name, address, operation })
      }
    }
  }
  return [...found.values()]
}
