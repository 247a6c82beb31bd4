import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import { encodeCursor, type Position } from '../../src/core/page.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { someMaps } from '../qualifiers.ts'
import { addressOf, makeWorld, type World } from '../world.ts'
import { outcome } from './refusal.ts'

/** Forged cursors in the right form: values that the database would refuse are refused before. */

let api: Harness
let world: World
let owner: Caller
beforeAll(async () => {
  api = await startHarness()
  world = await makeWorld(api)
  owner = await api.user({ globalRoles: ['role:owner'] })
  await api.put(`/tournaments/${world.tournament.guid}/qualifier`, world.organiser, { maps: someMaps(1) })
})
afterAll(() => api[Symbol.asyncDispose]())

const at = '2026-05-01T18:00:00.000Z'
const guid = '01234567-89ab-4cde-8f01-23456789abcd'
const making: Position = [at, guid]

/** For each list: its name, a valid position, and the rest of its query. */
const lists: Readonly<Record<string, readonly [name: string, position: Position, query?: string]>> = {
  'users.list': ['users', making],
  'sessions.list': ['sessions', making],
  'notifications.list': ['notifications', making],
  'tournaments.list': ['tournaments', making],
  'platforms.tournaments': ['tournaments', making],
  'tournaments.audit': ['tournaments.audit', [7]],
  'notices.listAll': ['notices.all', making],
  'calendar.list': ['calendar', [at, guid, 'tournament'], '&from=2026-05-01T00:00:00Z&to=2026-05-20T00:00:00Z'],
  'visibility.listRequests': ['visibility.requests', making],
  'visibility.listDecisions': ['visibility.decisions', [7]],
  'webhooks.listDeliveries': ['webhooks.deliveries', [7, guid]],
  'updates.list': ['updates', making],
  'deliveries.list': ['deliveries', [7]],
  'packages.list': ['packages', making],
  'rehearsals.outbox': ['rehearsals.outbox', [at, 'chat', 7]],
  'teams.list': ['teams', making],
  'registration.desk': ['registrations', making],
  'matches.list': ['matches', [at, 1, guid]],
  'matches.listAll': ['matches:all', making],
  'corrections.list': ['corrections', making],
  'qualifiers.attempts': ['qualifiers.attempts', making],
  'admin.listUsers': ['accounts', making],
  'suggestions.list': ['suggestions', making],
  'suggestions.comments': ['pool_comments', making],
  'poolMaps.comments': ['pool_comments', making],
  'imports.list': ['imports', making],
  'archive.maps': ['maps:newest', making],
  'archive.pools': ['pools:newest', making],
  'flowSessions.list': ['flowSessions', making],
  'media.list': ['media', making],
  'media.listOfTournament': ['media', making],
  'admin.listMedia': ['media', making],
  'streamAssignments.list': ['streamAssignments', making],
  'scenes.listVersions': ['scenes.versions', [7]],
  'streamSessions.list': ['streamSessions', making],
  'admin.listStreamSessions': ['streamSessions', making],
  'proposals.list': ['game-proposals', making],
  'awards.list': ['awards.list', making],
  'awards.nominations': ['awards.nominations', making],
  'awards.exclusions': ['awards.exclusions', making],
  'badges.list': ['badges', making],
  'badges.holders': ['badges.holders', making],
  'badges.held': ['badges.held', [0, at, guid]],
  'badgeRequests.list': ['badgeRequests', making],
  'badgeRequests.listAll': ['badgeRequests.all', [0, at, guid]],
}

const hostileTexts = [
  '0000-01-01T00:00:00.000Z',
  '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '-000001-01-01T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '+010000-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-05-01T18:00:00.000+99',
  '1970-01-01T00:00:00.000Z',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{01234567-89ab-4cde-8f01-23456789abcd}',
  '01234567-89ab-4cde-8f01-23456789abcg',
  '\u0000',
  '\ud800',
  'x'.repeat(100),
  '',
]
const hostileNumbers = [
  -0,
  0,
  -1,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
]
const hostileValues = [...hostileTexts, ...hostileNumbers]

const paged = operations.filter((operation) => 'before' in (operation.query?.properties ?? {}))

test.each(paged.map((operation) => [operation.name, operation] as const))(
  '%s reads a cursor of its own, and refuses every other that the database would',
  async (operationName, operation) => {
    const [name, position, query = ''] = lists[operationName] ?? []
    if (name === undefined || position === undefined) throw new Error('the list is missing from this test')
    const ask = async (forged: Position) => {
      const cursor = encodeCursor(name, forged)
      const reply = await api.get(`${addressOf(operation, world)}?before=${cursor}${query}`, owner)
      return [JSON.stringify(forged).slice(0, 100), ...outcome(reply)] as const
    }
    // Proves that the forged cursors below reach the rule that reads positions.
    expect((await ask(position))[1]).toBe(200)

    const forgeries = position.flatMap((_, index) => hostileValues.map((value) => position.with(index, value)))
    const others = [[], position.slice(1), position.slice(0, -1), [...position, 'more'], [...position, 1]]
    const answers = await Promise.all([...forgeries, ...others].map(ask))
    const wrong = answers.filter(([, status, code]) => status !== 200 && code !== 'cursor.invalid')
    expect(wrong).toEqual([])
    expect(answers.at(-1)?.slice(1)).toEqual([400, 'cursor.invalid'])
  },
)
