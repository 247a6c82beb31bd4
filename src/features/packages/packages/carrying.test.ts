import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { formOf, type Parts } from '../../../../test/media.ts'
import { giveRealFiles, takePackage } from '../../../../test/package-imports.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import type { World } from '../../../../test/world.ts'

/** A tournament is carried from one service to another as its people do it: by requests alone. (P1, P6, P7) */

let folder: string
let first: Harness
let second: Harness
let world: World
let original: Buffer
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-carrying-'))
  first = await startHarness()
  world = await makePackageWorld(first)
  await giveRealFiles(first)
  original = await takePackage(first, world.tournament.guid, world.organiser)
  const { keys } = (await first.get('//.well-known/package-keys.json')).body
  const packageSigners = path.join(folder, 'signers.json')
  await writeFile(packageSigners, JSON.stringify({ 'first.example': { keys } }))
  second = await startHarness({ packageSigners })
})
afterAll(async () => {
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()))
  await rm(folder, { recursive: true })
})

const bring = (api: Harness, as: Caller, parts: Parts) =>
  api.call('POST', '/tournaments/import', { as, ...formOf(original, parts) })

/** How many rows each table has, and which objects are stored. */
async function kept(api: Harness) {
  const tables = await api.sql<{ name: string; rows: string }>(
    `select table_name as name, (xpath('/row/c/text()', query_to_xml(
       format('select count(*) as c from %I.%I', table_schema, table_name), false, true, '')))[1]::text as rows
     from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('followers', 'leases', 'jobs', 'connection_processes')`,
  )
  const objects: string[] = []
  for await (const { name } of api.app.services.storage.list('objects/')) objects.push(name)
  return { tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])), objects: objects.toSorted() }
}

/** The files of data and media, without what only the service that sealed it can read. */
async function contentOf(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const texts = await textsOf(bytes)
  const open = rowsIn(texts, 'sessions').filter(({ sealed }) => !sealed)
  const content = [...texts].filter(([at]) => /^(data|media)\//.test(at))
  return new Map([...content, ['data/sessions.ndjson', JSON.stringify(open)]])
}

test('the organiser makes a copy, in which a member takes the place that waits (P6)', async () => {
  const { organiser, member, team } = world
  const reply = await bring(first, organiser, { mode: 'copy', id: 'next-cup' })
  expect(outcome(reply)).toEqual([201, null])
  const { tournament, guids, people, signer } = reply.body
  expect(tournament).toMatchObject({ id: 'next-cup', status: 'draft', organiser: { guid: organiser.guid } })
  expect(signer.state).toBe('known')
  const texts = await textsOf(original)
  const read = async (what: string) => (await first.get(`/tournaments/${tournament.guid}/${what}`, organiser)).body
  expect((await read('teams')).teams.length).toBe(rowsIn(texts, 'teams').length)
  const copied = await textsOf(await takePackage(first, tournament.guid, organiser))
  expect(rowsIn(copied, 'matches').length).toBe(rowsIn(texts, 'matches').length)

  const place = people.find(({ guid }: { guid: string }) => guid === member.guid)
  expect(place.state).toBe('placeholder')
  const { notifications } = (await first.get('/users/@me/notifications', member)).body
  expect(notifications).toContainEqual(
    expect.objectContaining({
      type: 'claim.waiting',
      data: expect.objectContaining({ placeholderGuid: place.user, tournamentGuid: tournament.guid }),
    }),
  )
  const members = async () => JSON.stringify(await read(`teams/${guids[team]}`))
  expect(await members()).not.toContain(member.guid)
  expect(outcome(await first.post(`/users/${place.user}/claim`, member))).toEqual([200, null])
  expect(await members()).toContain(member.guid)
  expect(await members()).not.toContain(place.user)
})

test('an owner elsewhere tries it, restores it once, and takes what came (P6, P7)', async () => {
  const owner = await second.user({ globalRoles: ['role:owner'] })
  const before = await kept(second)
  const tried = await bring(second, owner, { mode: 'restore', dryRun: 'true' })
  expect([outcome(tried), tried.body.tournament, tried.body.signer]).toEqual([
    ...[[200, null], null],
    expect.objectContaining({ state: 'known', name: 'first.example' }),
  ])
  // Files are removed after the answer.
  await expect.poll(() => kept(second), { interval: 20, timeout: 5_000 }).toEqual(before)

  const restored = await bring(second, owner, { mode: 'restore' })
  expect(outcome(restored)).toEqual([201, null])
  expect(restored.body).toMatchObject({
    tournament: { guid: world.tournament.guid, id: world.tournament.id },
    ...{ changed: [], skipped: [], notTaken: [] },
  })
  const again = await contentOf(await takePackage(second, world.tournament.guid, owner))
  const was = await contentOf(original)
  expect([...again.keys()].toSorted()).toEqual([...was.keys()].toSorted())
  expect([...again].filter(([at, text]) => was.get(at) !== text).map(([at]) => at)).toEqual([])

  const held = await kept(second)
  expect(outcome(await bring(second, owner, { mode: 'restore' }))).toEqual([409, 'package.exists'])
  await expect.poll(() => kept(second), { interval: 20, timeout: 5_000 }).toEqual(held)
})
