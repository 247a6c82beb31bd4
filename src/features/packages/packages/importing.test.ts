import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type Forgery, giveRealFiles, importInto, sourceOf, takePackage } from '../../../../test/package-imports.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import type { World } from '../../../../test/world.ts'

let first: Harness
let second: Harness
let world: World
let original: Buffer
let texts: ReadonlyMap<string, string>
let caller: Caller
/** The captain's, on the second service. */
let account: Caller
beforeAll(async () => {
  ;[first, second] = await Promise.all([startHarness(), startHarness()])
  world = await makePackageWorld(first)
  await giveRealFiles(first)
  original = await takePackage(first, world.tournament.guid, world.organiser)
  texts = await textsOf(original)
  caller = await second.user({ globalRoles: ['role:owner'] })
  // Before any copy: later, a placeholder of the copy would have the chat ID.
  const { username: name, chatPlatformId } = world.captain
  account = await second.user({ name, chatPlatformId })
})
afterAll(async () => {
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()))
})

/** How many rows each table has. */
async function counted(api: Harness): Promise<Readonly<Record<string, number>>> {
  const tables = await api.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    // Leases, followers and jobs of the service itself.
    if (['leases', 'followers', 'connection_processes'].includes(name)) continue
    const [row] = await api.sql<{ count: string }>(`select count(*) from "${name}"`)
    counts[name] = Number(row?.count)
  }
  return counts
}

async function refusal(forgery: Forgery, wish: object = {}) {
  const source = await sourceOf(original, forgery)
  return importInto(second, source, { caller: caller.guid, ...wish }).then(
    () => null,
    ({ code, data }) => [code, data],
  )
}

const nowhere = '00000000-0000-4000-8000-00000000abcd'
const changed =
  (members: Record<string, unknown>) =>
  ([row, ...others]: Record<string, unknown>[]) => [{ ...row, ...members }, ...others]
/** The first row, and another one like it. */
const twice =
  (both: Record<string, unknown>, second: Record<string, unknown> = {}) =>
  ([row]: Record<string, unknown>[]) => [
    { ...row, ...both },
    { ...row, ...both, ...second, guid: nowhere },
  ]
const at = '2026-05-01T12:00:00.000Z'
const ties = [{ group: null, places: [1], teams: [nowhere] }]
const drawn = { ties, decidedBy: 'draw', reason: null, commitment: '0'.repeat(64), seed: '0'.repeat(64) }
const atRow = (kind: string, member: string | null) => [
  'package.row',
  { path: `data/${kind}.ndjson`, line: expect.anything(), member },
]

describe('a refused package', () => {
  test.each<readonly [string, Forgery, readonly unknown[]]>([
    ['a value of another form', { teams: changed({ seed: 'first' }) }, atRow('teams', 'seed')],
    ['a text with a control character', { teams: changed({ name: 'A\u0000B' }) }, atRow('teams', 'name')],
    ['a member of no team of the package', { members: changed({ teamGuid: nowhere }) }, atRow('members', 'teamGuid')],
    [
      'a captain who is not among the people',
      { teams: changed({ captainGuid: nowhere }) },
      atRow('teams', 'captainGuid'),
    ],
    [
      'a match whose teams are in another bracket',
      { entrants: () => [], matches: (rows) => rows.map((row) => ({ ...row, team1Guid: world.team })) },
      atRow('matches', 'team1Guid'),
    ],
    ['a game of no match', { games: changed({ matchGuid: nowhere }) }, atRow('games', 'matchGuid')],
    ['a row that is there twice', { divisions: ([row]) => [row ?? {}, row ?? {}] }, atRow('divisions', 'guid')],
    [
      'an address that runs a script',
      { teams: changed({ imageUrl: 'javascript:alert(1)' }) },
      atRow('teams', 'imageUrl'),
    ],
    ['a name that is too long', { teams: changed({ name: 'x'.repeat(300) }) }, atRow('teams', 'name')],
    [
      'settings that no bracket can have',
      { brackets: (rows) => rows.map((row) => ({ ...row, settings: { ...(row.settings as object), bestOf: 2 } })) },
      atRow('brackets', 'settings'),
    ],
    ['a medium of another size than its file', { media: changed({ bytes: 1 }) }, atRow('media', 'bytes')],
    ['a second vote of a person on a map', { votes: twice({}) }, atRow('votes', 'userGuid')],
    ['a vote on nothing', { votes: changed({ poolMapGuid: null }) }, atRow('votes', 'poolMapGuid')],
    [
      'an event that ends before it begins',
      { timeline: changed({ endTime: '2020-01-01T00:00:00.000Z' }) },
      atRow('timeline', 'endTime'),
    ],
    ['an attempt that was reported twice', { attempts: twice({ externalId: '1' }) }, atRow('attempts', 'externalId')],
    [
      'a placeholder that counts beside its attempt',
      { attempts: twice({ externalId: '1' }, { completion: 'placeholder' }) },
      atRow('attempts', 'voidedAt'),
    ],
    [
      'a placeholder of another player',
      {
        attempts: (rows) =>
          twice({ externalId: '1' }, { completion: 'placeholder', userGuid: world.captain.guid, voidedAt: at })(rows),
      },
      atRow('attempts', 'externalId'),
    ],
    [
      'an attempt that is void without a time',
      { attempts: changed({ voidReason: 'Late' }) },
      atRow('attempts', 'voidedAt'),
    ],
    [
      'a draw among tied teams by another seed',
      { brackets: (rows) => rows.map((row) => ({ ...row, ruling: drawn })) },
      atRow('brackets', 'ruling'),
    ],
    ['such a draw in the qualifier', { qualifier: changed({ ruling: drawn }) }, atRow('qualifier', 'ruling')],
    [
      'a draw with fewer seeds than ties',
      { qualifier: changed({ ruling: { ...drawn, ties: [...drawn.ties, ...drawn.ties] } }) },
      atRow('qualifier', 'ruling'),
    ],
    [
      'an order with a seed',
      { qualifier: changed({ ruling: { ...drawn, decidedBy: 'order' } }) },
      atRow('qualifier', 'ruling'),
    ],
    ['a flow that cannot be played', { flows: changed({ definition: { steps: [] } }) }, atRow('flows', 'definition')],
  ])('%s', async (_what, forgery, problem) => {
    expect(await refusal(forgery)).toEqual(problem)
  })

  test('leaves no trace', async () => {
    const before = await counted(second)
    expect(await refusal({ overlayVersions: changed({ document: { schemaVersion: 1 } }) })).toMatchObject([
      'package.row',
      {},
    ])
    expect(await refusal({ audit: changed({ number: 0 }) })).toMatchObject(['package.row', {}])
    expect(await counted(second)).toEqual(before)
    // Stored files are deleted again.
    await expect
      .poll(async () => {
        const objects: string[] = []
        for await (const { name } of second.app.services.storage.list('objects/')) objects.push(name)
        return objects
      })
      .toEqual([])
  })
})

describe('a copy', () => {
  let copied: Awaited<ReturnType<typeof importInto>>
  let organiser: Caller
  beforeAll(async () => {
    organiser = await second.user()
    const wish = { caller: organiser.guid, mode: 'copy', id: 'second-cup' } as const
    copied = await importInto(second, await sourceOf(original), wish)
  })

  test('is a draft of the caller with new GUIDs, and brings no rights (P6)', async () => {
    const { body } = await second.get('/tournaments/second-cup', organiser)
    expect(body).toMatchObject({ guid: copied.tournamentGuid, id: 'second-cup', status: 'draft' })
    expect((await second.get('/tournaments/second-cup', null)).status).toBe(404)
    expect(copied.guids[world.tournament.guid]).toBe(copied.tournamentGuid)
    expect(copied.notTaken.toSorted()).toEqual([
      'audit',
      'badgeGrants',
      'badges',
      'overlayEditors',
      'placements',
      'roles',
    ])
    const bytes = await takePackage(second, copied.tournamentGuid, organiser)
    const again = await textsOf(bytes)
    const data = [...again].filter(([path]) => path.startsWith('data/') && path !== 'data/maps.ndjson')
    const old = Object.keys(copied.guids).filter((guid) => data.some(([, text]) => text.includes(guid)))
    // Draws go on naming the session that they were made in, and nothing else does.
    const drawnAs = rowsIn(again, 'sessions').flatMap((session) => session.drawnAs ?? [])
    expect(drawnAs.length).toBeGreaterThan(0)
    expect(old.toSorted()).toEqual(drawnAs.toSorted())
    for (const kind of ['teams', 'matches', 'games', 'attempts', 'poolMaps', 'overlayVersions', 'sessionRows']) {
      expect([kind, rowsIn(again, kind).length]).toEqual([kind, rowsIn(texts, kind).length])
    }
  })

  test('has placeholders for all others (P6)', async () => {
    expect(copied.people.length).toBe(rowsIn(texts, 'people').length)
    expect(copied.people.every(({ state }) => state === 'placeholder')).toBe(true)
    const [row] = await second.sql<{ count: string }>(
      'select count(*) from users where made_by_tournament_guid = $1 and is_placeholder',
      [copied.tournamentGuid],
    )
    expect(Number(row?.count)).toBe(copied.people.length)
  })

  test('sends nothing (P6)', async () => {
    const counts = await counted(second)
    const told = ['notifications', 'announcements', 'announcement_matters', 'chat_deliveries', 'webhook_deliveries']
    expect(told.map((table) => counts[table])).toEqual(told.map(() => 0))
    const events = await second.sql('select type, after from event_log where tournament = $1', [copied.tournamentGuid])
    expect(events).toEqual([
      { type: 'users.placed', after: { userGuids: expect.any(Array) } },
      { type: 'tournament.imported', after: { mode: 'copy' } },
    ])
  })

  test('has a short id of its own, and as a setup nobody else in it (P6)', async () => {
    const wish = { mode: 'copy', id: 'second-cup', parts: 'setup', caller: organiser.guid } as const
    expect(await refusal({}, wish)).toEqual(['tournament.id_taken', undefined])
    const setup = await importInto(second, await sourceOf(original), { ...wish, id: 'third-cup' })
    expect(setup.people).toEqual([])
    const bytes = await takePackage(second, setup.tournamentGuid, organiser)
    const again = await textsOf(bytes)
    expect(rowsIn(again, 'people').map(({ guid }) => guid)).toEqual([organiser.guid])
    expect(rowsIn(again, 'teams')).toEqual([])
    expect(rowsIn(again, 'pools').length).toBe(rowsIn(texts, 'pools').length)
    expect(rowsIn(again, 'overlays').length).toBe(rowsIn(texts, 'overlays').length)
  })
})

test('a restored tournament knows its people by their chat IDs, and is there once (P6, P7)', async () => {
  const restored = await importInto(second, await sourceOf(original), { caller: caller.guid })
  expect(restored.people.find(({ guid }) => guid === world.captain.guid)).toEqual({
    ...{ guid: world.captain.guid, user: account.guid, state: 'account' },
  })
  const { body } = await second.get(`/tournaments/${world.tournament.guid}/teams`, caller)
  expect(JSON.stringify(body)).toContain(account.guid)
  const again = await textsOf(await takePackage(second, world.tournament.guid, caller))
  for (const kind of ['members', 'teams', 'people', 'roles', 'audit']) {
    expect([kind, rowsIn(again, kind)]).toEqual([kind, rowsIn(texts, kind)])
  }
  const [code, data] = (await refusal({})) ?? []
  expect([code, data.kinds.includes('teams'), data.kinds.includes('tournament')]).toEqual([
    'package.exists',
    true,
    true,
  ])
  const audit = await second.get(`/tournaments/${world.tournament.guid}/audit`, caller)
  expect(audit.body.entries.length).toBeGreaterThan(1)
})
