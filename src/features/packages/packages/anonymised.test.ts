import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeBracket, playOut } from '../../../../test/bracket-play.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTeam } from '../../../../test/make.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { blobOf, digest, rowsIn, textsOf } from '../../../../test/packages.ts'
import { impersonalTexts, personalTexts, remaindersOf } from '../../../../test/personal-texts.ts'
import type { World } from '../../../../test/world.ts'
import { undecided } from '../../../core/packages/marks.ts'
import { verifyPackage } from '../../../core/packages/verify.ts'
import { standingsOf } from '../../brackets/brackets/rules/plan.ts'
import { toEngine } from '../../brackets/matches/rules.ts'
import { kinds } from './store/kinds.ts'
import { variants } from './types.ts'

/** Packages without names. (P5, P8) */

const week = 7 * 86_400_000
const guidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

let service: Harness
let world: World
beforeAll(async () => {
  service = await startHarness()
  world = await makePackageWorld(service)
  await nameThings()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function nameThings() {
  const { tournament, captain, member, team, named } = world
  const { guid } = tournament
  await service.sql(`update users set preferred_name = 'Quaver Zwo', country = 'CA' where guid = $1`, [captain.guid])
  await service.sql(`update users set preferred_name = 'Ölaf Þór', country = 'IS' where guid = $1`, [member.guid])
  await service.sql(`update teams set name = 'Crotchet Rockets', pronunciation = 'KROTCH-it' where guid = $1`, [team])
  await service.sql(
    `update tournaments set description = 'Run by Semibreve', timezone = 'America/Toronto', requirements = $2, links = $3,
       announcements = '{"match_called": "lobbychat"}', announcement_roles = '{"match_called": ["987654321098765432"]}',
       image_url = 'https://pictures.example/cup.png' where guid = $1`,
    [
      guid,
      JSON.stringify({ countries: ['CAN'] }),
      JSON.stringify({ chatInvite: 'https://chat.example/quavers', website: null, stream: null, rulesUrl: null }),
    ],
  )
  await service.sql(`update pool_maps set note = 'Thanks Breve' where guid = $1`, [named.poolMap])
  await service.sql(
    `update flows set definition = jsonb_set(definition, '{pairs}', '["minim"]') where tournament_guid = $1`,
    [guid],
  )
  await service.sql(
    `insert into field_answers (team_guid, field_guid, response) values
      ($1, gen_random_uuid(), '"From Semiquaver City"'), ($1, gen_random_uuid(), '123456789'), ($1, gen_random_uuid(), '""')`,
    [team],
  )
  await service.sql(`update availability_responses set runs = $2 where sheet_guid = $1`, [
    ...[named.sheet, JSON.stringify([{ start: 1_777_658_400_000, end: 1_777_662_000_000, status: 'available' }])],
  ])
}

async function take(query: string) {
  const address = `${service.url}/api/tournaments/${world.tournament.guid}/package?${query}`
  const reply = await fetch(address, { headers: { authorization: `Bearer ${world.organiser.token}` } })
  expect(reply.status).toBe(200)
  return { headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

test('of each text in each schema it is said whether it tells of people (P3)', () => {
  const open = kinds.flatMap(({ name, schema }) =>
    variants.flatMap((variant) => {
      const own = schema(variant)
      return own === null ? [] : undecided(own, name)
    }),
  )
  expect(open).toEqual([])
  expect(undecided({ type: 'object', properties: { name: { type: ['string', 'null'] } } })).toEqual(['.name'])
})

describe('a package without names', () => {
  test('has no value that tells of people, neither whole nor in part (P5, P8)', async () => {
    const whole = await textsOf((await take('variant=full&include=private')).bytes)
    const { bytes, headers } = await take('variant=anonymised')
    const { manifest } = await verifyPackage(blobOf(bytes), [], digest)
    const texts = await textsOf(bytes)
    const originals = personalTexts(whole)
    for (const expected of [
      'Quaver Zwo',
      'Crotchet Rockets',
      'Run by Semibreve',
      'minim',
      world.captain.guid,
      'America/Toronto',
    ]) {
      expect([...originals]).toContain(expected)
    }
    expect(remaindersOf(originals, texts, impersonalTexts(whole))).toEqual([])
    expect([manifest.variant, manifest.service.url, manifest.tournament]).toEqual([
      'anonymised',
      null,
      {
        guid: rowsIn(texts, 'tournament')[0].guid,
        id: expect.stringMatching(/^text-\d{4}$/),
        name: expect.stringMatching(/^Text \d{4}$/),
      },
    ])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${manifest.tournament.id}-anonymised.zip"`)
    expect(texts.get('README.txt')).toContain('Results are not hidden')
  })

  test('has other GUIDs, and the same ones in each package; times are moved by the same weeks (P5)', async () => {
    const whole = await textsOf((await take('variant=full')).bytes)
    const { bytes } = await take('variant=anonymised')
    const texts = await textsOf(bytes)
    for (const { name, schema } of kinds) {
      const own = schema('anonymised')
      const rows = rowsIn(texts, name)
      if (own === null) expect([name, rows]).toEqual([name, []])
      else expect([name, rows.flatMap((row) => [...Value.Errors(own, row)].slice(0, 2))]).toEqual([name, []])
      const guids = rows.flatMap(({ guid }) => guid ?? [])
      expect([name, guids]).toEqual([name, guids.toSorted()])
    }
    const guids = new Set([...whole.values()].flatMap((text) => text.match(guidPattern) ?? []))
    const left = [...texts].filter(([path]) => path.startsWith('data/') || path === 'manifest.json')
    expect(guids.size).toBeGreaterThan(40)
    expect(left.flatMap(([, text]) => text.match(guidPattern) ?? []).filter((guid) => guids.has(guid))).toEqual([])
    const [before] = rowsIn(whole, 'tournament')
    const [after] = rowsIn(texts, 'tournament')
    const moved = Date.parse(after.createdAt) - Date.parse(before.createdAt)
    expect([Math.abs(moved) % week, Math.abs(moved) >= 4 * week]).toEqual([0, true])
    const times = (all: ReadonlyMap<string, string>) =>
      rowsIn(all, 'teams').map(
        ({ createdAt }) => Date.parse(createdAt) - Date.parse(rowsIn(all, 'tournament')[0].createdAt),
      )
    expect(times(texts).toSorted()).toEqual(times(whole).toSorted())
    const [answered] = rowsIn(texts, 'availability')
    expect(answered.runs).toEqual([
      { start: 1_777_658_400_000 + moved, end: 1_777_662_000_000 + moved, status: 'available' },
    ])
    expect(rowsIn(texts, 'people').map(({ name }) => name)).toEqual(
      rowsIn(texts, 'people').map((_, index) => `Player ${String(index + 1).padStart(3, '0')}`),
    )
    expect(rowsIn(texts, 'teams').map(({ name, id }) => [name, id])).toEqual([
      ['Team 01', 'team-01'],
      ['Team 02', 'team-02'],
    ])
    expect(
      rowsIn(texts, 'answers')
        .map(({ response }) => response)
        .toSorted(),
    ).toEqual([...['', expect.stringMatching(/^Text \d{4}$/), expect.stringMatching(/^Text \d{4}$/)]])
    const again = await take('variant=anonymised')
    expect(again.bytes.equals(bytes)).toBe(true)
  })

  test('keeps numbers and times when people, teams and texts come and go (P5)', async () => {
    const made = await makeBracket(service, { format: 'round_robin', teams: 4 })
    const { cup, organiser } = made
    const read = async () => {
      const address = `${service.url}/api/tournaments/${cup.guid}/package?variant=anonymised`
      const replies = await Promise.all(
        [1, 2].map(() => fetch(address, { headers: { authorization: `Bearer ${organiser.token}` } })),
      )
      const [first, second] = await Promise.all(replies.map(async (reply) => Buffer.from(await reply.arrayBuffer())))
      expect(second?.equals(first as Buffer)).toBe(true)
      const texts = await textsOf(first as Buffer)
      const named = (kind: string) => new Map(rowsIn(texts, kind).map(({ guid, name }) => [guid, name]))
      const [row] = rowsIn(texts, 'tournament')
      return { teams: named('teams'), people: named('people'), name: row.name, createdAt: row.createdAt }
    }
    const leaver = await makeTeam(service, cup, await service.user())
    const before = await read()
    for (let count = 0; count < 3; count++) await makeTeam(service, cup, await service.user())
    // Older than everything else, and one team is gone.
    await service.sql(
      `update tournaments set summary = 'A text', registration_opens_at = '2020-01-02' where guid = $1`,
      [cup.guid],
    )
    await service.sql('delete from teams where guid = $1', [leaver.guid])
    const after = await read()
    expect([before.teams.size, after.teams.size]).toEqual([5, 7])
    const stayed = [...after.teams].filter(([guid]) => before.teams.has(guid))
    expect(stayed).toHaveLength(4)
    expect(stayed).toEqual(stayed.map(([guid]) => [guid, before.teams.get(guid)]))
    expect([...after.teams].flatMap(([guid, name]) => (before.teams.has(guid) ? [] : [name])).toSorted()).toEqual([
      ...['Team 06', 'Team 07', 'Team 08'],
    ])
    const known = [...after.people].filter(([guid]) => before.people.has(guid))
    expect(known.length).toBeGreaterThan(3)
    expect(known).toEqual(known.map(([guid]) => [guid, before.people.get(guid)]))
    expect(after.name).toBe(before.name)
    const kept = await service.sql(
      'select kind, count(*) from package_numbers where tournament_guid = $1 group by kind',
      [cup.guid],
    )
    expect(new Map(kept.map(({ kind, count }) => [kind, Number(count)]))).toEqual(
      new Map([
        ['person', before.people.size + 3],
        ['team', 8],
        ['text', expect.any(Number)],
        ['weeks', 1],
      ]),
    )
  })

  test('has the same standings (P5)', async () => {
    const made = await makeBracket(service, { format: 'round_robin', teams: 5 })
    await playOut([service], made, 1)
    const tables = await Promise.all(
      ['full', 'anonymised'].map(async (variant) => {
        const address = `${service.url}/api/tournaments/${made.cup.guid}/package?variant=${variant}`
        const reply = await fetch(address, { headers: { authorization: `Bearer ${made.organiser.token}` } })
        return tableOf(await textsOf(new Uint8Array(await reply.arrayBuffer())))
      }),
    )
    expect(tables[0]).toHaveLength(5)
    expect(tables[0]?.at(0)?.won).toBeGreaterThan(0)
    expect(tables[1]).toEqual(tables[0])
  })
})

/** The table of the only bracket of a package, with seeds in the place of teams. */
function tableOf(texts: ReadonlyMap<string, string>) {
  const [bracket] = rowsIn(texts, 'brackets')
  const games = Map.groupBy(rowsIn(texts, 'games'), ({ matchGuid }) => matchGuid)
  const matches = rowsIn(texts, 'matches').map((match) => toEngine({ ...match, games: games.get(match.guid) ?? [] }))
  const entrants = rowsIn(texts, 'entrants').map(({ teamGuid, ...entrant }) => ({ ...entrant, team: teamGuid }))
  return standingsOf(
    bracket,
    matches.toSorted((one, other) => one.number - other.number),
    entrants.toSorted((one, other) => one.slot - other.slot),
  ).map(({ team: _team, ...row }) => row)
}
