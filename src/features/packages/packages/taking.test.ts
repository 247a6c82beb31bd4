import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTeam } from '../../../../test/make.ts'
import { formOf, type Parts } from '../../../../test/media.ts'
import { type Forgery, readTwice, renewed, signedBy, smallPackage, unpacked } from '../../../../test/package-imports.ts'
import {
  changedPackage,
  contentOf,
  facts,
  fileOf,
  linkAttributes,
  packed,
  smallFiles,
  withDoubledName,
  zipped,
} from '../../../../test/packages.ts'
import { maxPackageBytes } from '../../../core/packages/limits.ts'
import { openPackageKeys, type PackageKeys } from '../../../infra/packages/keys.ts'
import type { FileToPack, ManifestFacts } from '../../../infra/packages/packing.ts'
import { checkPackage } from './prepare.ts'

/** What takes packages in: who may, what is refused, and what is left of it. */

const made = new Date('2026-05-01')
let folder: string
let service: Harness
let ada: Caller
let owner: Caller
let friends: PackageKeys
let strangers: PackageKeys
let whole: Buffer
/** The package of a tournament of another service, as that made it. */
let original: Buffer
let teams: readonly [string, string]
/** With what this release does not know, and without Breve's chat ID. */
let files: readonly FileToPack[]
let about: ManifestFacts

type Row = Readonly<Record<string, unknown>>
const chatIds =
  (ids: Readonly<Record<string, string | null>>) =>
  (rows: readonly Row[]): Row[] =>
    rows.map((row) => ({ ...row, ...(String(row.name) in ids && { chatPlatformId: ids[String(row.name)] }) }))

async function gathered<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of all) list.push(one)
  return list
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-taking-'))
  friends = openPackageKeys(path.join(folder, 'friends'))
  strangers = openPackageKeys(path.join(folder, 'strangers'))
  const packageSigners = path.join(folder, 'signers.json')
  await writeFile(packageSigners, JSON.stringify({ 'friends.example': { keys: await friends.list(made) } }))
  ;({ whole: original, teams } = await smallPackage({ clef: '77001' }))
  ;({ files, about } = await unpacked(original, {
    people: (rows) =>
      chatIds({ Breve: null })(rows).map((row) => (row.name === 'Breve' ? { ...row, hat: 'a top hat' } : row)),
    weather: () => [{ sky: 'blue' }],
  }))
  service = await startHarness({ packageSigners })
  ;[ada, owner] = await Promise.all([service.user(), service.user({ globalRoles: ['role:owner'] })])
  whole = await packed(await service.app.services.keys.packages.current(made), files, about)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

let number = 0
const newId = () => `copy-${++number}`

function bring(as: Caller | null, file: Uint8Array, parts: Parts = {}, api = service): Promise<Reply> {
  return api.call('POST', '/tournaments/import', { as, ...formOf(file, { mode: 'copy', id: newId(), ...parts }) })
}

const by = async (keys: PackageKeys) => packed(await keys.current(made), files, about)
const unsigned = () => changedPackage(whole, (content) => delete content['manifest.jws'])

describe('a copy', () => {
  test('is a draft of the caller, by any signer; staff and reviewers are told of a foreign one (P6)', async () => {
    const { roles: _roles, weather: _weather, ...counts } = about.counts
    expect(counts).toMatchObject({ tournament: 1, people: 3, teams: 2, members: 2 })
    const known = await bring(ada, whole)
    expect(outcome(known)).toEqual([201, null])
    const { tournament } = known.body
    expect(known.body).toEqual({
      tournament: expect.objectContaining({ status: 'draft', organiser: expect.objectContaining({ guid: ada.guid }) }),
      mode: 'copy',
      signer: { state: 'known', kid: expect.stringMatching(/^[\w-]{43}$/), name: new URL(service.url).host },
      counts,
      guids: expect.objectContaining({ [about.tournament.guid]: tournament.guid }),
      people: Array.from({ length: 3 }, () => ({
        guid: expect.any(String),
        user: expect.any(String),
        state: 'placeholder',
      })),
      skipped: [
        { path: 'data/weather.ndjson', member: null, rows: 1 },
        { path: 'data/people.ndjson', member: 'hat', rows: 1 },
      ],
      ...{ changed: [], notTaken: ['roles'] },
    })
    expect(tournament).not.toHaveProperty('importSigner')
    const listed = await service.get(`/tournaments/${tournament.guid}/packages`, ada)
    expect(listed.body.packages).toMatchObject([
      {
        direction: 'import',
        signer: 'known',
        bytes: whole.byteLength,
        sha256: fileOf('', whole).sha256,
        variant: 'full',
      },
    ])
    expect((await bring(ada, await by(friends))).body.signer).toMatchObject({ state: 'known', name: 'friends.example' })

    const reviewer = await service.user({ globalRoles: ['global:tournaments:manage'] })
    for (const [file, state] of [
      [await by(strangers), 'unknown'],
      [await unsigned(), 'unsigned'],
    ] as const) {
      const foreign = await bring(ada, file)
      expect([foreign.status, foreign.body.signer.state]).toEqual([201, state])
      const { guid } = foreign.body.tournament
      expect(foreign.body.tournament.importSigner).toBe(state)
      for (const staff of [ada, reviewer]) {
        expect((await service.get(`/tournaments/${guid}`, staff)).body.importSigner).toBe(state)
      }
      await service.sql("update tournaments set status = 'approved', approved_at = now() where guid = $1", [guid])
      const approved = await service.patch(`/tournaments/${guid}`, ada, { summary: 'Approved.' })
      expect([approved.status, 'importSigner' in approved.body]).toEqual([200, false])
      expect((await service.get(`/tournaments/${guid}`, reviewer)).body).not.toHaveProperty('importSigner')
    }
  })

  test('gives what is asked for in the query as well, and reads rows and files again and again', async () => {
    const id = newId()
    const address = `/tournaments/import?${new URLSearchParams({ mode: 'copy', id: id.toUpperCase(), dryRun: 'false' })}`
    const reply = await service.call('POST', address, { as: ada, ...formOf(whole) })
    expect([reply.status, reply.body.tournament.id]).toEqual([201, id])
    const medium = smallFiles.at(-1) as FileToPack
    const at = path.join(folder, 'read.zip')
    await writeFile(at, await packed(await strangers.current(made), [...files, medium], about))
    const { source } = await checkPackage({ path: at }, service.app.services, made)
    const read = await readTwice(source, ['teams', 'weatherStations'], medium.sha256)
    expect(read).toEqual([2, 2, 0, 70_000, 70_000])
    expect(source.medium('0'.repeat(64))).toBeNull()
  })

  test.each<[string, Parts, string]>([
    ['no mode', { mode: '' }, 'request.invalid'],
    ['another mode', { mode: 'steal' }, 'request.invalid'],
    ['no short id', { id: '' }, 'request.invalid'],
    ['a short id that cannot be one', { id: 'a b' }, 'request.invalid'],
    ['a restored tournament with a short id', { mode: 'restore' }, 'request.invalid'],
  ])('with %s is refused', async (_what, parts, code) => {
    expect(outcome(await bring(owner, whole, parts))).toEqual([400, code])
  })

  test('needs a token, a form and a file, and room for a draft', async () => {
    expect(outcome(await bring(null, whole))[0]).toBe(401)
    expect(outcome(await service.post('/tournaments/import', ada, { mode: 'copy' }))).toEqual([
      415,
      'request.unsupported_type',
    ])
    const { raw, headers } = formOf(new Uint8Array(), { mode: 'copy', id: newId() })
    expect(outcome(await service.call('POST', '/tournaments/import', { as: ada, raw, headers }))).toEqual([
      400,
      'request.invalid',
    ])
    const full = await service.user()
    await service.sql(
      `insert into tournaments (id, name, status, links, organiser_guid, team_size_min, team_size_max, team_size_active)
       select 'full-' || n, 'Full', 'draft', '{"chatInvite":null,"website":null,"stream":null,"rulesUrl":null}', $1, 1, 1, 1
       from generate_series(1, 50) n`,
      [full.guid],
    )
    expect(outcome(await bring(full, whole))).toEqual([409, 'tournament.too_many_drafts'])
  })
})

/** What a refused package or a dry run could leave behind. */
async function traces() {
  const tables = await service.sql<{ name: string; rows: string }>(
    `select table_name as name, (xpath('/row/c/text()', query_to_xml(
       format('select count(*) as c from %I.%I', table_schema, table_name), false, true, '')))[1]::text as rows
     from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('followers', 'leases', 'jobs')`,
  )
  const { dataDir } = service.app.services.config
  const inFolder = async (name: string) => (await readdir(path.join(dataDir, name)).catch(() => [])).toSorted()
  const objects = await gathered(service.app.services.storage.list('objects/'))
  return {
    tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    ...{ incoming: await inFolder('media/incoming'), packages: await inFolder('packages') },
    objects: objects.map(({ name }) => name),
  }
}

/** Files are removed after the answer. */
const unchanged = (before: object) => expect.poll(traces, { interval: 20, timeout: 5_000 }).toEqual(before)

test('a dry run does everything but keep it (P6)', async () => {
  const before = await traces()
  const reply = await bring(ada, whole, { dryRun: 'true' })
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    tournament: null,
    mode: 'copy',
    counts: { teams: 2, members: 2 },
    notTaken: ['roles'],
  })
  expect(reply.body.people).toHaveLength(3)
  await unchanged(before)
  expect((await bring(ada, whole, { id: 'kept' })).status).toBe(201)
  expect(outcome(await bring(ada, whole, { id: 'kept', dryRun: 'true' }))).toEqual([409, 'tournament.id_taken'])
})

test('a tournament is restored by owners and developers, from a full package that is trusted (P6)', async () => {
  const restore = (as: Caller, file: Uint8Array, parts: Parts = {}) =>
    bring(as, file, { mode: 'restore', id: '', ...parts })
  const from = async (keys: PackageKeys, id: string, changes: Row = {}) =>
    signedBy(await keys.current(made), await renewed(whole, id, changes))
  const draft = { status: 'draft', approvedAt: null, listed: false }
  const own = await service.app.services.keys.packages.current(made)
  const developer = await service.user({ globalRoles: ['role:dev'] })
  const before = await traces()
  expect(outcome(await restore(ada, whole))).toEqual([403, 'role.missing'])
  // Nothing of the file is read.
  const announced = await service.call('POST', '/tournaments/import?mode=restore', { as: ada, ...formOf(whole) })
  expect(outcome(announced)).toEqual([403, 'role.missing'])
  expect(outcome(await restore(owner, await from(strangers, 'again-1')))).toEqual([403, 'package.untrusted'])
  expect(outcome(await restore(owner, await unsigned(), { trust: 'true' }))).toEqual([403, 'package.untrusted'])
  const partial = await packed(own, files, { ...about, variant: 'public' })
  expect(outcome(await restore(owner, partial))).toEqual([400, 'package.content'])
  await unchanged(before)
  expect((await restore(owner, await from(friends, 'again-1'))).body).toMatchObject({
    ...{ mode: 'restore', tournament: { id: 'again-1', status: 'approved' }, notTaken: [] },
  })
  expect((await restore(developer, await from(strangers, 'again-2', draft), { trust: 'true' })).body).toMatchObject({
    tournament: { id: 'again-2', importSigner: 'unknown' },
  })
})

test('one package of a user, and two of all, are taken at a time, by all processes together (P6)', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const [one, two, three] = await Promise.all([service.user(), service.user(), service.user()])
  await using second = await service.sibling()
  // Imports wait for the table that each writes at its end.
  const held = service.app.database.transaction(async (tx) => {
    await tx.session.orm.execute('lock table tournament_packages in share mode')
    await promise
  })
  const waiting = async () =>
    (await service.sql("select 1 from pg_locks where not granted and relation = 'tournament_packages'::regclass"))
      .length
  try {
    const first = bring(one, whole)
    await expect.poll(waiting, { interval: 10, timeout: 10_000 }).toBe(1)
    expect(outcome(await bring(one, whole))).toEqual([409, 'import.running'])
    expect(outcome(await bring(one, whole, {}, second))).toEqual([409, 'import.running'])
    const other = bring(two, whole)
    await expect.poll(waiting, { interval: 10, timeout: 10_000 }).toBe(2)
    expect(outcome(await bring(three, whole))).toEqual([503, 'service.busy'])
    expect(outcome(await bring(three, whole, {}, second))).toEqual([503, 'service.busy'])
    resolve()
    expect([(await first).status, (await other).status]).toEqual([201, 201])
  } finally {
    resolve()
    await held
  }
  await expect.poll(async () => (await bring(one, whole)).status, { interval: 50 }).toBe(201)
})

describe('a hostile package is refused, and leaves nothing (P6, P8)', () => {
  const put = (name: string, text: string | Uint8Array) =>
    changedPackage(whole, (content) => {
      content[name] = text
    })
  const kinds: Record<string, [string, () => Promise<Uint8Array>]> = {
    'no zip file': ['package.unreadable', async () => Buffer.from('a package, honestly')],
    'a file that was cut': ['package.unreadable', async () => whole.subarray(0, whole.byteLength - 1)],
    'bytes before': ['package.unreadable', async () => Buffer.concat([Buffer.from('#!'), whole])],
    'bytes after': ['package.unreadable', async () => Buffer.concat([whole, Buffer.from('.')])],
    'two files of one name': ['package.unreadable', () => withDoubledName(whole)],
    'a link': [
      'package.unreadable',
      async () => zipped(await contentOf(whole), { externalFileAttributes: linkAttributes }),
    ],
    'encrypted files': ['package.unreadable', async () => zipped(await contentOf(whole), { password: 'secret' })],
    'a flipped bit': [
      'package.unreadable',
      async () => {
        const flipped = Buffer.from(whole)
        const at = flipped.indexOf('README.txt') + 14
        flipped[at] = (flipped[at] ?? 0) ^ 1
        return flipped
      },
    ],
    'a path outside': ['package.path', async () => zipped([...(await contentOf(whole)), ['../above', 'x']])],
    'an absolute path': ['package.path', async () => zipped([...(await contentOf(whole)), ['/etc/passwd', 'x']])],
    'a file that is not listed': ['package.content', () => put('data/more.ndjson', '{}\n')],
    'a file that is another': ['package.content', () => put('README.txt', 'Another text.\n')],
    'files that were swapped': [
      'package.content',
      () =>
        changedPackage(whole, (content) => {
          const { 'data/teams.ndjson': teams = '', 'data/people.ndjson': people = '' } = content
          Object.assign(content, { 'data/teams.ndjson': people, 'data/people.ndjson': teams })
        }),
    ],
    'a signature of something else': ['package.signature', () => put('manifest.jws', 'eyJhbGciOiJub25lIn0..')],
    'a signature that others made': [
      'package.signature',
      async () => {
        const jws = new Map(await contentOf(await packed(await strangers.current(made), smallFiles)))
        return put('manifest.jws', jws.get('manifest.jws') ?? '')
      },
    ],
    'a newer major version': [
      'package.version',
      () => put('manifest.json', '{"format":"downbeat-tournament","version":"2.0"}'),
    ],
    'another format': ['package.version', () => put('manifest.json', '{"format":"zip"}')],
    'a row that is no object': [
      'package.row',
      async () =>
        packed(await strangers.current(made), [fileOf('data/teams.ndjson', '[1]\n')], {
          ...facts,
          counts: { teams: 1 },
        }),
    ],
    'a text that no database keeps': [
      'package.row',
      async () =>
        packed(await strangers.current(made), [fileOf('data/people.ndjson', '{"name":"a\\u0000b"}\n')], {
          ...facts,
          counts: { people: 1 },
        }),
    ],
    'a bomb': ['package.too_large', () => zipped([['data/bomb.ndjson', new Uint8Array(40_000_000)]], { level: 9 })],
    'more files than there may be': [
      'package.too_large',
      () => zipped(Array.from({ length: 1_100 }, (_, at) => [`data/${at}`, ''] as const)),
    ],
  }

  test('whatever is wrong with it', async () => {
    const before = await traces()
    for (const [what, [code, make]] of Object.entries(kinds)) {
      const status = code === 'package.too_large' ? 413 : 400
      expect([what, ...outcome(await bring(ada, await make()))]).toEqual([what, status, code])
    }
    await unchanged(before)
  })

  test('its place in a row is told', async () => {
    const people = files.find((file) => file.path === 'data/people.ndjson') as FileToPack
    const text = Buffer.concat(await gathered(people.read?.() as AsyncIterable<Uint8Array>)).toString()
    const line = text.split('\n').findIndex((each) => each.includes('"Breve"')) + 1
    const broken = fileOf(people.path, text.replace('"Breve"', '"\\ud800"'))
    const wrong = await packed(
      await strangers.current(made),
      files.map((file) => (file === people ? broken : file)),
      about,
    )
    const { body } = await bring(ada, wrong)
    expect(body).toMatchObject({ path: 'data/people.ndjson', line })
  })

  test('a key that was revoked, even one of this service', async () => {
    const { packages } = service.app.services.keys
    await using other = await startHarness()
    const { packages: own } = other.app.services.keys
    const revoked = await packed(await own.current(made), files, about)
    await own.rotate(new Date(), true)
    expect(outcome(await bring(await other.user(), revoked, {}, other))).toEqual([400, 'package.signature'])
    expect((await packages.list(made)).length).toBeGreaterThan(0)
  })

  test('one that says it is too large is not read', async () => {
    const { status, code } = await new Promise<{ status?: number; code?: unknown }>((resolve, reject) => {
      const { headers } = formOf(whole)
      const size = { 'content-length': String(maxPackageBytes + 1_000_000), authorization: `Bearer ${ada.token}` }
      import('node:http').then(({ request }) => {
        const asked = request(`${service.url}/api/tournaments/import?mode=copy&id=${newId()}`, {
          method: 'POST',
          headers: { ...headers, ...size },
        })
        asked.on('response', (answer) => {
          resolve({ ...(answer.statusCode && { status: answer.statusCode }), code: answer.headers['problem-code'] })
          asked.destroy()
        })
        asked.on('error', reject)
        asked.write('--a-boundary-of-tests\r\n')
      }, reject)
    })
    expect([status, code]).toEqual([413, 'package.too_large'])
  })
})

describe('a place that waits (P6)', () => {
  const waitingFor = async (ids: Readonly<Record<string, string>>) => {
    const forgery: Forgery = { people: chatIds({ Cantor: null, ...ids }) }
    return signedBy(await strangers.current(made), await unpacked(original, forgery))
  }

  test('is told once to the account of its chat ID, which alone takes it; and can be taken back', async () => {
    const clefs = await service.user({ chatPlatformId: '77002', scopes: ['rest:write', 'rest:user:read'] })
    const file = await waitingFor({ Clef: '77002' })
    expect((await bring(ada, file, { dryRun: 'true' })).status).toBe(200)
    const { tournament, guids } = (await bring(ada, file)).body
    const team = `/tournaments/${tournament.guid}/teams/${guids[teams[0]]}`
    const captain = async () => (await service.get(team, ada)).body.captain.guid
    const place = await captain()
    const told = (await service.get('/users/@me/notifications', clefs)).body.notifications
    expect(told).toMatchObject([
      { type: 'claim.waiting', data: { placeholderGuid: place, tournamentGuid: tournament.guid } },
    ])
    // The ID is in no answer, finds no placeholder, and allows no link.
    expect((await service.get(`/users/${place}`, ada)).body).toMatchObject({ isPlaceholder: true, chatPlatformId: '' })
    expect((await service.get('/users/77002', ada)).body.guid).toBe(clefs.guid)
    expect(outcome(await service.post(`/users/${place}/claimLinks`, ada, { tournament: tournament.guid }))).toEqual([
      409,
      'claim.has_account',
    ])

    const take = (as: Caller | null) => service.post(`/users/${place}/claim`, as)
    expect(outcome(await take(null))[0]).toBe(401)
    for (const other of [ada, owner, await service.user()]) {
      expect(outcome(await take(other))).toEqual([404, 'user.unknown'])
    }
    expect(outcome(await service.post(`/users/${clefs.guid}/claim`, clefs))).toEqual([404, 'user.unknown'])
    const both = await Promise.all([take(clefs), take(clefs)])
    expect(both.map(outcome).toSorted()).toEqual([
      [200, null],
      [404, 'user.unknown'],
    ])
    const [claim] = both.flatMap(({ status, body }) => (status === 200 ? [body] : []))
    expect(claim).toMatchObject({ placeholderGuid: place, userGuid: clefs.guid, undoneAt: null })
    expect(await captain()).toBe(clefs.guid)
    expect((await service.post(`/claims/${claim.guid}/undo`, ada)).status).toBe(200)
    expect(await captain()).toBe(place)
    // It waits again, but not for an account that has a place in the tournament.
    const own = await makeTeam(service, tournament, clefs)
    expect(outcome(await take(clefs))).toEqual([409, 'claim.conflict'])
    await service.sql('delete from teams where guid = $1', [own.guid])
    expect((await take(clefs)).status).toBe(200)
  })

  test('is forgotten with the account, and with the tournament', async () => {
    const clefs = await service.user({ chatPlatformId: '77003', scopes: ['rest:write', 'rest:user:write'] })
    const other = await service.user({ chatPlatformId: '77004' })
    const file = await waitingFor({ Clef: '77003', Breve: '77004' })
    const { tournament } = (await bring(ada, file)).body
    const awaited = async () =>
      (
        await service.sql<{ id: string }>(
          'select awaited_chat_id as id from users where made_by_tournament_guid = $1 and awaited_chat_id is not null',
          [tournament.guid],
        )
      ).map(({ id }) => id)
    expect((await awaited()).toSorted()).toEqual(['77003', other.chatPlatformId])
    expect((await service.delete('/users/@me', clefs)).status).toBeLessThan(300)
    expect(await awaited()).toEqual([other.chatPlatformId])
    expect((await service.delete(`/tournaments/${tournament.guid}`, ada)).status).toBe(204)
    expect(await awaited()).toEqual([])
  })
})
