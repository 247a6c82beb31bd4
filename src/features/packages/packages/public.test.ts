import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSession } from '../../../../test/flow-sessions.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder, touch } from '../../../../test/make.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { blobOf, digest, rowsIn, textsOf } from '../../../../test/packages.ts'
import { addressOf, type World } from '../../../../test/world.ts'
import { operations } from '../../../app.ts'
import { verifyPackage } from '../../../core/packages/verify.ts'
import { noticesTag } from '../../planning/notices/events.ts'
import { kinds } from './store/kinds.ts'
import { packagedOrigin } from './store/rows.ts'

/** Packages of what everybody may read. (P4) */

let service: Harness
let world: World
beforeAll(async () => {
  service = await startHarness()
  world = await makePackageWorld(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** In texts that are hidden from callers without a token. */
const mark = 'Zq9hidden'

async function take(as: Caller | null = world.organiser, query = '', headers: Record<string, string> = {}) {
  const address = `${service.url}/api/tournaments/${world.tournament.guid}/package?${query}`
  const authorization = as === null ? {} : { authorization: `Bearer ${as.token}` }
  const reply = await fetch(address, { headers: { ...authorization, ...headers } })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

type Leaf = string | number

function* leavesOf(value: unknown): Iterable<Leaf> {
  if (typeof value === 'string' || typeof value === 'number') yield value
  else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* leavesOf(each)
  }
}

const publicReads = operations.filter(
  ({ kind, scope, path, name }) =>
    kind === 'query' && scope === 'public' && !path.includes('/package') && !/^(users|notices|search)\./.test(name),
)

/** Everything that the API answers without a token about the tournament and its people. */
async function readPublicly(): Promise<ReadonlySet<Leaf>> {
  const { guid } = world.tournament
  const addresses = new Set(publicReads.map((operation) => addressOf(operation, world)))
  const list = async (path: string, guids: readonly { readonly guid: string }[], more: readonly string[] = ['']) => {
    for (const each of guids) for (const part of more) addresses.add(`${path}/${each.guid}${part}`)
  }
  const at = `/tournaments/${guid}`
  const rows = (text: string) => service.sql<{ guid: string }>(text, [guid])
  await list('/users', await service.sql<{ guid: string }>('select guid from users'))
  await list(`${at}/matches`, await rows('select guid from matches where tournament_guid = $1'), ['', '/corrections'])
  await list(`${at}/flow-sessions`, await rows('select guid from flow_sessions where tournament_guid = $1'), [
    ...['', '/log'],
  ])
  await list(`${at}/teams`, await rows('select guid from teams where tournament_guid = $1'))
  await list(`${at}/brackets`, await rows('select guid from brackets where tournament_guid = $1'))
  const known = new Set<Leaf>()
  for (const address of addresses) {
    const { status, body } = await service.get(address, null)
    expect([address, status]).toEqual([address, expect.toSatisfy((each) => each < 500)])
    if (status === 200 && typeof body === 'object') for (const leaf of leavesOf(body)) known.add(leaf)
  }
  return known
}

const aField = { help: null, type: 'text', required: false, options: [], subject: 'team' }

async function hideThings() {
  const { tournament, organiser, captain, member, named, team } = world
  const { guid } = tournament
  const [open, closed] = ['7f0c8a52-0b3e-4a0e-9c65-3d5b0f3f8a11', '7f0c8a52-0b3e-4a0e-9c65-3d5b0f3f8a12']
  const fields = [
    { ...aField, guid: open, label: 'Shirt', private: false },
    { ...aField, guid: closed, label: 'Size', private: true },
  ]
  await service.sql('update tournaments set additional_fields = $2 where guid = $1', [guid, JSON.stringify(fields)])
  await service.sql(
    `insert into field_answers (team_guid, field_guid, user_guid, response, is_private) values
      ($1, $2, null, '"Green shirts"', false), ($1, $3, null, $4, false), ($1, $2, $5, $4, false)`,
    [team, open, closed, JSON.stringify(mark), world.referee.guid],
  )
  const draft = await service.sql<{ guid: string; map: string }>(
    `with draft as (
       insert into pools (tournament_guid, name, name_key, description, kind, "order", status, revision, last_revision)
       values ($1, $2, 'draft', $2, 'match', 1, 'draft', null, 0) returning guid),
     map as (
       insert into maps (hash, characteristic, difficulty, name, state)
       values (repeat('7', 40), 'Standard', 'Hard', $2, 'known') returning guid),
     entries as (
       insert into pool_maps (pool_guid, map_guid, "order", is_tiebreaker, modifiers, player_options, options, weight, note)
       select pool, map.guid, 1, false, '{}', '{}', '{}', 1, $2
       from map, (select guid from draft union select $3::uuid) as p(pool) returning guid),
     flair as (
       insert into flairs (tournament_guid, name, color, "order") values ($1, $2, '#ff0000', 1) returning guid)
     select draft.guid, map.guid as map from draft, map`,
    [guid, mark, named.pool],
  )
  await service.sql(
    "insert into pool_covers (pool_guid, media_type, picture, small) values ($1, 'image/png', $2, 'x')",
    [...[draft[0]?.guid, mark]],
  )
  await service.sql(`insert into overlays (tournament_guid, name, access) values ($1, $2, 'token')`, [guid, mark])
  const session = { tournamentGuid: guid, by: organiser.guid, at: new Date(Date.now() - 600_000) }
  const seats = [captain, member].map((user) => ({ team: null, captain: user.guid, name: mark }))
  await makeSession(service, { ...session, seats, isPublic: false })
  await makeSession(service, { ...session, seats, at: new Date(), viewDelaySeconds: 900 })
  await touch(service, guid, team, noticesTag)
}

describe('a package of what everybody may read (P4)', () => {
  beforeAll(hideThings)

  test('has nothing that the API does not answer without a token, and much of what it answers', async () => {
    const known = await readPublicly()
    const { status, headers, bytes } = await take()
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="${world.tournament.id}-public.zip"`,
    ])
    const { manifest } = await verifyPackage(blobOf(bytes), [], digest)
    expect([manifest.variant, manifest.private]).toEqual(['public', false])
    const texts = await textsOf(bytes)
    const unknown: string[] = []
    const mine = service.app.config.media.url
    for (const { name } of kinds) {
      for (const row of rowsIn(texts, name)) {
        // Their pictures and cards are not in JSON: other tests compare them.
        const { changes: _cards, picture: _picture, mediaType: _type, ...asked } = row
        for (const leaf of leavesOf(asked)) {
          const said = typeof leaf === 'string' ? leaf.replaceAll(packagedOrigin, mine) : leaf
          if (typeof said === 'number' ? said > 9 && !known.has(said) : !known.has(said))
            unknown.push(`${name}: ${said}`)
        }
      }
    }
    expect(unknown).toEqual([])
    expect([...texts].filter(([, text]) => text.includes(mark)).map(([path]) => path)).toEqual([])
  })

  test('has rows of all kinds that everybody may read, and no others (P4)', async () => {
    const texts = await textsOf((await take()).bytes)
    for (const { name, schema } of kinds) {
      const own = schema('public')
      const rows = rowsIn(texts, name)
      expect([name, texts.has(`schemas/${name}.json`)]).toEqual([name, own !== null])
      if (own === null) expect([name, rows]).toEqual([name, []])
      else expect([name, rows.flatMap((row) => [...Value.Errors(own, row)].slice(0, 2))]).toEqual([name, []])
    }
    const counts = Object.fromEntries(kinds.map(({ name }) => [name, rowsIn(texts, name).length]))
    expect(counts).toMatchObject({
      tournament: 1,
      answers: 1,
      attempts: 1,
      pools: 1,
      poolMaps: 1,
      poolChanges: 1,
      flairs: 0,
    })
    expect(counts).toMatchObject({ sessions: 2, media: 0, poolCovers: 1, people: expect.toSatisfy((each) => each > 2) })
    expect(rowsIn(texts, 'answers')).toMatchObject([{ response: 'Green shirts' }])
    const guids = new Set(rowsIn(texts, 'people').map(({ guid }) => guid))
    expect([guids.has(world.captain.guid), guids.has(world.invited.guid)]).toEqual([true, false])
  })

  test('has the media that it shows, and no others', async () => {
    const own = `${service.app.config.media.url}/media/${world.named.media}/full.webp`
    await service.sql('update tournaments set image_url = $2 where guid = $1', [world.tournament.guid, own])
    const texts = await textsOf((await take()).bytes)
    expect(rowsIn(texts, 'media')).toMatchObject([{ guid: world.named.media, type: 'image/webp' }])
    expect(rowsIn(texts, 'media')[0]).not.toHaveProperty('ownerGuid')
    expect([...texts.keys()].filter((path) => path.startsWith('media/'))).toHaveLength(2)
  })

  test('has no scores of a qualifier that hides them, and no maps of one that is a draft', async () => {
    const of = async () => {
      const texts = await textsOf((await take()).bytes)
      return ['attempts', 'qualifierMaps'].map((kind) => rowsIn(texts, kind).length)
    }
    const set = (text: string) =>
      service.sql(`update qualifiers set ${text} where tournament_guid = $1`, [world.tournament.guid])
    await set('hide_scores = true')
    expect(await of()).toEqual([0, 1])
    await set(`status = 'final'`)
    expect(await of()).toEqual([1, 1])
    await set(`status = 'draft', opened_at = null`)
    expect(await of()).toEqual([0, 0])
    await set(`opens_at = now() - interval '1 day'`)
    expect(await of()).toEqual([0, 1])
  })
})

describe('who takes it (P4)', () => {
  const as = (caller: Caller | null, tournament: string, query = '') =>
    service.get(`/tournaments/${tournament}/package${query}`, caller)

  test('is the organiser, and everybody once the tournament is completed', async () => {
    const cup = await makeTournament(service, world.organiser, { status: 'ongoing' })
    const staff = await roleHolder(service, cup, 'role:staff')
    expect((await as(world.organiser, cup.guid)).status).toBe(200)
    for (const caller of [null, staff, world.captain]) {
      expect(outcome(await as(caller, cup.guid))).toEqual([403, 'package.not_public_yet'])
    }
    for (const variant of ['full', 'anonymised']) {
      expect(outcome(await as(null, cup.guid, `?variant=${variant}`))).toEqual([401, 'token.missing'])
      expect(outcome(await as(staff, cup.guid, `?variant=${variant}`))).toEqual([403, 'role.missing'])
    }
    await service.sql(`update tournaments set status = 'completed' where guid = $1`, [cup.guid])
    await touch(service, cup.guid)
    const first = await as(null, cup.guid)
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, max-age=0, must-revalidate'])
    // It costs as much as an upload.
    expect(first.headers.get('ratelimit-policy')).toContain('upload')
    const etag = first.headers.get('etag') as string
    expect((await as(null, cup.guid, '')).headers.get('etag')).toBe(etag)
    const known = await service.get(`/tournaments/${cup.guid}/package`, null, { 'if-none-match': etag })
    expect(known.status).toBe(304)
    // A HEAD takes nothing.
    const address = `${service.url}/api/tournaments/${cup.guid}/package`
    for (const authorization of [{}, { authorization: `Bearer ${world.organiser.token}` }]) {
      const head = await fetch(address, { method: 'HEAD', headers: authorization })
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip'])
      expect(head.headers.get('ratelimit-policy')).not.toContain('upload')
    }
    expect((await fetch(`${address}?variant=full`, { method: 'HEAD' })).status).toBe(401)
    await as(world.captain, cup.guid)
    const { body } = await service.get(`/tournaments/${cup.guid}/packages`, world.organiser)
    expect(body.packages).toMatchObject([
      { by: { guid: world.captain.guid }, variant: 'public' },
      { by: { guid: world.organiser.guid }, variant: 'public' },
    ])
    expect(body.downloads).toEqual([{ day: new Date().toISOString().slice(0, 10), count: 2 }])
  })

  test('is nobody for a draft, which others do not even know', async () => {
    const draft = await makeTournament(service, world.organiser, { status: 'draft' })
    expect(outcome(await as(world.organiser, draft.guid))).toEqual([409, 'package.draft'])
    expect((await as(world.organiser, draft.guid, '?variant=anonymised')).status).toBe(200)
    for (const caller of [null, world.captain]) {
      expect(outcome(await as(caller, draft.guid))).toEqual([404, 'tournament.unknown'])
    }
  })
})
