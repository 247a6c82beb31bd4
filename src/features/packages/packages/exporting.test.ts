import { createHash } from 'node:crypto'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { makePackageWorld, privateMark } from '../../../../test/package-world.ts'
import { blobOf, digest, linesOf, rowsIn, textsOf } from '../../../../test/packages.ts'
import type { World } from '../../../../test/world.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { knownFrom } from '../../../core/packages/signatures.ts'
import { verifyPackage } from '../../../core/packages/verify.ts'
import { kinds, otherTables } from './store/kinds.ts'

let service: Harness
let world: World
beforeAll(async () => {
  service = await startHarness()
  world = await makePackageWorld(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

type Line = Readonly<Record<string, unknown>>

interface Taken {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

async function take(as: Caller, query = 'variant=full', headers: Record<string, string> = {}): Promise<Taken> {
  const address = `${service.url}/api/tournaments/${world.tournament.guid}/package?${query}`
  const reply = await fetch(address, { headers: { authorization: `Bearer ${as.token}`, ...headers } })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

/** Compares rows by members: texts by their bytes, what is missing last. */
function compareBy(order: readonly string[], one: Line, other: Line): number {
  for (const member of order) {
    const [mine, others] = [one[member], other[member]]
    if (mine === others) continue
    if (mine === null || others === null) return mine === null ? 1 : -1
    if (typeof mine === 'number') return mine - Number(others)
    return Buffer.compare(Buffer.from(String(mine)), Buffer.from(String(others)))
  }
  return 0
}

/** The tag of a file by its digest in hex. */
const tagOf = (sha256: string) => `"${Buffer.from(sha256, 'hex').subarray(0, 20).toString('base64url')}"`

describe('what is decided about the database (P3)', () => {
  test('is said of each table and each column', async () => {
    const columns = await service.sql<{ place: string; table: string }>(
      `select table_name || '.' || column_name as place, table_name as table from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    const decided: Readonly<Record<string, string>> = Object.assign({}, ...kinds.map(({ decisions }) => decisions))
    const open = columns.filter(({ place, table }) => !(place in decided) && !(table in otherTables))
    expect(open.map(({ place }) => place)).toEqual([])
    const places = new Set(columns.map(({ place }) => place))
    expect(Object.keys(decided).filter((place) => !places.has(place))).toEqual([])
    const tables = new Set(columns.map(({ table }) => table))
    expect(Object.keys(otherTables).filter((table) => !tables.has(table))).toEqual([])
    expect(columns.length).toBeGreaterThan(900)
  })

  test('is that no member has what is secret', () => {
    const exported = kinds.flatMap(({ decisions }) =>
      Object.entries(decisions).flatMap(([place, says]) => (says.startsWith('exported') ? [place] : [])),
    )
    expect(
      exported.filter((place) => /secret|webhook|token|password|hash$|email|seq$|sealed|sync/.test(place)),
    ).toEqual(['qualifier_maps.hash', 'pools.cover_hash', 'maps.hash', 'maps.current_hash'])
  })
})

describe('a full package', () => {
  test('is whole, signed by this service, and has every kind of rows, as its schemas say (P1, P2, P3)', async () => {
    const { status, headers, bytes } = await take(world.organiser, 'variant=full&include=private')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('content-length')).toBe(String(bytes.byteLength))
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${world.tournament.id}-full.zip"`)
    const known = knownFrom(await service.app.services.keys.packages.list(new Date()), 'this service')
    const { manifest, signer } = await verifyPackage(blobOf(bytes), known, digest)
    expect([signer.state, manifest.variant, manifest.private]).toEqual(['known', 'full', true])
    expect(manifest.tournament).toEqual({
      guid: world.tournament.guid,
      id: world.tournament.id,
      name: expect.any(String),
    })
    const texts = await textsOf(bytes)
    for (const { name } of kinds) {
      const schema = JSON.parse(texts.get(`schemas/${name}.json`) ?? 'null')
      const rows = rowsIn(texts, name)
      const faults = rows.flatMap((row) => [...Value.Errors(schema, row)].slice(0, 3))
      expect([name, faults]).toEqual([name, []])
    }
    const without = kinds.filter(({ name }) => rowsIn(texts, name).length === 0).map(({ name }) => name)
    // Of large scene documents alone.
    expect(without).toEqual(['overlayParts'])
  })

  test('is canonical, in one order, and tells of the state and not of the time when it was taken (P1, P2)', async () => {
    const { bytes } = await take(world.organiser, 'variant=full&include=private')
    const texts = await textsOf(bytes)
    const paths = [...texts.keys()]
    expect(paths).toEqual(['manifest.json', 'manifest.jws', ...paths.slice(2).toSorted()])
    expect([texts.has('README.txt'), texts.has('schemas/manifest.json')]).toEqual([true, true])
    for (const { name } of kinds) {
      const rows = rowsIn(texts, name)
      expect([name, texts.get(`data/${name}.ndjson`)]).toEqual([name, rows.length === 0 ? undefined : linesOf(rows)])
      const { 'x-order': order = ['guid'] } = JSON.parse(texts.get(`schemas/${name}.json`) ?? '{}')
      expect([name, rows]).toEqual([name, rows.toSorted((one, other) => compareBy(order, one, other))])
    }
    const text = texts.get('manifest.json') ?? ''
    const { files: _files, ...manifest } = JSON.parse(text)
    expect(text).toBe(canonicalJson(JSON.parse(text)))
    const [newest] = kinds
      .flatMap(({ name }) => rowsIn(texts, name).flatMap(({ createdAt, updatedAt, at }) => [createdAt, updatedAt, at]))
      .filter((instant) => typeof instant === 'string')
      .toSorted((one, other) => Date.parse(other) - Date.parse(one))
    const { publicUrl: url } = service.app.config
    expect(manifest).toEqual({
      ...{ format: 'downbeat-tournament', version: '1.0', variant: 'full', private: true, stateAt: newest },
      service: { name: expect.any(String), url, release: expect.any(String) },
      tournament: expect.anything(),
      counts: Object.fromEntries(
        kinds.flatMap(({ name }) => {
          const { length } = rowsIn(texts, name)
          return length === 0 ? [] : [[name, length]]
        }),
      ),
    })
  })

  test('is of one moment, whatever changes while it is made (P1)', async () => {
    const before = await take(world.organiser)
    let during: Promise<Taken> | undefined
    await whileHeld(service, ['lock table brackets in access exclusive mode'], async (waiting) => {
      during = take(world.organiser)
      await waiting(1)
      // The record has been read by now, and its pools are read later.
      await service.sql(`update tournaments set summary = 'Later.' where guid = $1`, [world.tournament.guid])
      await service.sql(`update pools set description = 'Later.' where tournament_guid = $1`, [world.tournament.guid])
    })
    expect((await during)?.bytes.equals(before.bytes)).toBe(true)
    expect((await take(world.organiser)).bytes.equals(before.bytes)).toBe(false)
  })

  test('is the same byte for byte while nothing changes, and is not sent again to who has it (P1)', async () => {
    const [first, again] = [await take(world.organiser), await take(world.organiser)]
    expect(first.bytes.equals(again.bytes)).toBe(true)
    const etag = first.headers.get('etag') as string
    expect(etag).toBe(tagOf(createHash('sha256').update(first.bytes).digest('hex')))
    expect(first.headers.get('cache-control')).toBe('private, no-store')
    const known = await take(world.organiser, 'variant=full', { 'if-none-match': etag })
    expect([known.status, known.bytes.byteLength, known.headers.get('etag')]).toEqual([304, 0, etag])
    const ofOthers = await take(world.owner)
    expect(ofOthers.bytes.equals(first.bytes)).toBe(true)
  })

  test('lists media and leaves them out when nobody wants them', async () => {
    const { bytes } = await take(world.organiser, 'variant=full&media=none')
    const { manifest } = await verifyPackage(blobOf(bytes), [], digest)
    const media = manifest.files.filter(({ path }) => path.startsWith('media/'))
    expect(media.map(({ bytes, omitted }) => [bytes, omitted]).toSorted()).toEqual([
      [4, true],
      [5, true],
      [5, true],
    ])
    const whole = await verifyPackage(blobOf((await take(world.organiser)).bytes), [], digest)
    expect(whole.manifest.files).toEqual(manifest.files.map(({ omitted: _omitted, ...file }) => file))
  })

  test('has private answers, notes and reasons only if they are asked for (P3)', async () => {
    await service.sql(`update matches set notes = $2 where tournament_guid = $1`, [world.tournament.guid, privateMark])
    await service.sql(`update pool_maps set staff_note = $1`, [privateMark])
    await service.sql(`update stream_assignments set note = $1`, [privateMark])
    await service.sql(`update team_invitations set message = $1`, [privateMark])
    await service.sql(`update teams set withdrawn_reason = $1`, [privateMark])
    await service.sql(`update pool_changes set reason = 'Open reason'`)
    await service.sql(
      `insert into pool_changes (pool_guid, revision, kind, reason, before, after, is_shown)
       select pool_guid, revision, kind, $1, before, after, false from pool_changes`,
      [privateMark],
    )
    await service.sql(`update suggestions set reason = $1, note = $1`, [privateMark])
    const { bytes } = await take(world.organiser)
    const open = await textsOf(bytes)
    expect([...open].filter(([, text]) => text.includes(privateMark)).map(([path]) => path)).toEqual([])
    const { bytes: whole } = await take(world.organiser, 'variant=full&include=private')
    const all = await textsOf(whole)
    const kindsWith = [...all].filter(([, text]) => text.includes(privateMark)).map(([path]) => path)
    const names = ['answers', 'assignments', 'availability', 'invitations', 'matches', 'notes', 'poolChanges']
    const more = ['poolMaps', 'suggestions', 'teamAvailability', 'teams']
    expect(kindsWith.toSorted()).toEqual([...names, ...more].map((name) => `data/${name}.ndjson`))
    const reasons = rowsIn(open, 'poolChanges').map(({ reason }) => reason)
    expect(new Set(reasons)).toEqual(new Set(['Open reason', null]))
    expect(rowsIn(open, 'answers')).toMatchObject([{ response: 'Open answer', isPrivate: false }])
    expect([open.has('data/notes.ndjson'), rowsIn(open, 'audit').every((row) => !('after' in row))]).toEqual([
      false,
      true,
    ])
  })

  test('has of a match flow that is not over neither the seed nor the rows (P3)', async () => {
    const { bytes } = await take(world.organiser, 'variant=full&include=private')
    const texts = await textsOf(bytes)
    const rows = await service.sql<{ guid: string; status: string; seed: string }>(
      `select guid, status, encode(seed, 'hex') as seed from flow_sessions where tournament_guid = $1`,
      [world.tournament.guid],
    )
    const running = rows.find(({ status }) => status === 'running')
    const over = rows.find(({ status }) => status === 'over')
    const sessions = rowsIn(texts, 'sessions')
    expect(sessions.find(({ guid }) => guid === running?.guid)).toMatchObject({ sealed: true, seed: null })
    expect(sessions.find(({ guid }) => guid === over?.guid)).toMatchObject({ sealed: false, seed: over?.seed })
    expect(rowsIn(texts, 'sessionRows').map(({ sessionGuid }) => sessionGuid)).not.toContain(running?.guid)
    expect([...texts.values()].filter((text) => text.includes(running?.seed as string))).toEqual([])
  })

  test('names all people whom its rows name, and nobody else', async () => {
    const stranger = await service.user({ name: 'stranger' })
    const { bytes } = await take(world.organiser)
    const people = rowsIn(await textsOf(bytes), 'people')
    const guids = people.map(({ guid }) => guid)
    expect(guids).toEqual(guids.toSorted())
    for (const { guid } of [world.organiser, world.captain, world.member, world.invited, world.referee]) {
      expect(guids).toContain(guid)
    }
    expect(guids).not.toContain(stranger.guid)
    expect(guids).not.toContain(world.owner.guid)
  })

  test('has addresses of its own media without the address of the service, and others as they are', async () => {
    const { media } = world.named
    const own = `${service.app.config.media.url}/media/${media}/full.webp`
    await service.sql('update tournaments set image_url = $2, banner_url = $3 where guid = $1', [
      ...[world.tournament.guid, own, 'https://pictures.example/media/banner.png'],
    ])
    const { bytes } = await take(world.organiser)
    expect(rowsIn(await textsOf(bytes), 'tournament')).toMatchObject([
      {
        imageUrl: `https://media.invalid/media/${media}/full.webp`,
        bannerUrl: 'https://pictures.example/media/banner.png',
      },
    ])
  })
})

describe('who takes a full package', () => {
  const path = () => `/tournaments/${world.tournament.guid}/package?variant=full`

  test('is the organiser, an admin or a global manager', async () => {
    const admin = await roleHolder(service, world.tournament, 'role:admin')
    for (const caller of [admin, world.owner]) expect((await take(caller)).status).toBe(200)
    const staff = await roleHolder(service, world.tournament, 'role:staff')
    for (const caller of [staff, world.captain, await service.user()]) {
      expect(outcome(await service.get(path(), caller))).toEqual([403, 'role.missing'])
    }
    expect((await service.get(path(), null)).status).toBe(401)
    const draft = await makeTournament(service, world.organiser, { status: 'draft' })
    expect(outcome(await service.get(`/tournaments/${draft.guid}/package?variant=full`, world.captain))).toEqual([
      404,
      'tournament.unknown',
    ])
    expect((await service.get(`/tournaments/${draft.guid}/package?variant=full`, world.organiser)).status).toBe(200)
  })

  test('asks for a variant that is made', async () => {
    for (const query of [
      'variant=whole',
      'include=private',
      'variant=anonymised&include=private',
      'variant=full&include=all',
      'variant=full&media=some',
    ]) {
      const { status } = await service.get(`/tournaments/${world.tournament.guid}/package?${query}`, world.organiser)
      expect([query, status]).toEqual([query, 400])
    }
  })

  test('is listed, for organisers, newest first; who had it already took nothing', async () => {
    const cup = await makeTournament(service, world.organiser)
    const at = `/tournaments/${cup.guid}`
    const first = await service.get(`${at}/package?variant=full`, world.organiser)
    await service.get(`${at}/package?variant=full&include=private`, world.owner)
    const etag = first.headers.get('etag') as string
    await service.get(`${at}/package?variant=full`, world.organiser, { 'if-none-match': etag })
    const { body } = await service.get(`${at}/packages`, world.organiser)
    expect(body.packages).toMatchObject([
      { by: { guid: world.owner.guid }, variant: 'full', private: true, direction: 'export', signer: 'known' },
      { by: { guid: world.organiser.guid }, private: false },
    ])
    expect(tagOf(body.packages[1].sha256)).toBe(etag)
    expect(body.nextCursor).toBeNull()
    const page = await service.get(`${at}/packages?limit=1`, world.organiser)
    const next = await service.get(`${at}/packages?limit=1&before=${page.body.nextCursor}`, world.organiser)
    expect([...page.body.packages, ...next.body.packages]).toEqual(body.packages)
    // Else two packages of one state would differ.
    expect((await service.get(`${at}/package?variant=full`, world.organiser)).headers.get('etag')).toBe(etag)
    const staff = await roleHolder(service, cup, 'role:staff')
    expect(outcome(await service.get(`${at}/packages`, staff))).toEqual([403, 'role.missing'])
  })

  test('gets none that could not be imported again, and none without a medium', async () => {
    const cup = await makeTournament(service, world.organiser)
    const path = `/tournaments/${cup.guid}/package?variant=full`
    await service.sql('update tournaments set description = $2 where guid = $1', [cup.guid, 'x'.repeat(1024 * 1024)])
    expect(outcome(await service.get(path, world.organiser))).toEqual([409, 'package.too_large'])
    await service.sql('update tournaments set description = null where guid = $1', [cup.guid])
    await service.sql(`update media set tournament_guid = $1, digest = sha256('gone') where guid = $2`, [
      ...[cup.guid, world.named.media],
    ])
    expect(outcome(await service.get(path, world.organiser))).toEqual([503, 'service.busy'])
    expect((await service.get(`/tournaments/${cup.guid}/packages`, world.organiser)).body.packages).toEqual([])
  })
})
