import { existsSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makePlatform, makeTournament } from '../../../../test/make.ts'
import { picture, upload } from '../../../../test/media.ts'
import { makeMedia } from '../../../../test/media-rows.ts'
import { variantName } from '../../../infra/storage/storage.ts'
import { sweep } from './commands/sweeping.ts'

/** How long media are kept, and how many there may be. (M13, M14, M16) */

let api: Harness
let ada: Caller
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  ;[ada, organiser] = await Promise.all([api.user(), api.user()])
  cup = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

const days = 86_400_000
const incoming = () => path.join(api.app.config.dataDir, 'media', 'incoming')
const sweepIn = (ms: number) => {
  const { database, services } = api.app
  return sweep({ database, storage: services.storage, incoming: incoming(), now: new Date(Date.now() + ms) })
}

test('pictures of overlays and updates stay for ninety days without use, others for one', async () => {
  const kept = ['overlay_image', 'overlay_video', 'overlay_font', 'update_image'] as const
  const others = ['tournament_image', 'tournament_banner'] as const
  for (const kind of [...kept, ...others]) await makeMedia(api, kind, { owner: organiser, tournament: cup })
  const left = async () => {
    const { media } = (await api.get(`/tournaments/${cup.id}/media`, organiser)).body
    return media.map(({ kind }: { kind: string }) => kind).sort()
  }
  await sweepIn(0.9 * days)
  expect(await left()).toEqual([...kept, ...others].sort())
  await sweepIn(1.1 * days)
  expect(await left()).toEqual([...kept].sort())
  await sweepIn(89 * days)
  expect(await left()).toEqual([...kept].sort())
  await sweepIn(91 * days)
  expect(await left()).toEqual([])
})

test('what arrives may take an hour; smaller files of pictures that are used go after thirty days', async () => {
  const medium = (await upload(api, ada, await picture({ width: 200, height: 200 }))).body
  await api.call('POST', '/updateUserSettings', { as: ada, body: { avatarUrl: medium.url } })
  expect((await fetch(medium.variants[0].url)).status).toBe(200)
  const { storage } = api.app.services
  const isThere = async () => (await storage.head(variantName(medium.digest, '64.webp'))) !== null
  await mkdir(incoming(), { recursive: true })
  const [arriving, abandoned] = ['arriving', 'abandoned'].map((name) => path.join(incoming(), name)) as [string, string]
  for (const [file, minutes] of [
    [arriving, 59],
    [abandoned, 61],
  ] as const) {
    await writeFile(file, 'x')
    const at = new Date(Date.now() - minutes * 60_000)
    await utimes(file, at, at)
  }
  await sweepIn(0)
  expect([existsSync(arriving), existsSync(abandoned)]).toEqual([true, false])
  await sweepIn(29 * days)
  expect(await isThere()).toBe(true)
  await sweepIn(31 * days)
  expect([await isThere(), (await fetch(medium.url)).status]).toEqual([false, 200])
})

test('smaller files that pages ask for stay, however long ago they were made', async () => {
  const medium = (await upload(api, ada, await picture({ width: 200, height: 200 }))).body
  await api.call('POST', '/updateUserSettings', { as: ada, body: { avatarUrl: medium.url } })
  const shown = medium.variants[0].url
  const other = shown.replace('.webp', '.png')
  for (const url of [shown, other]) expect((await fetch(url)).status).toBe(200)
  const { config, services } = api.app
  const names = ['64.webp', '64.png'].map((name) => variantName(medium.digest, name))
  const areThere = () => Promise.all(names.map(async (name) => (await services.storage.head(name)) !== null))
  const uses = () =>
    api.sql<{ name: string; day: string; version: string }>(
      `select name, used_on::text as day, xmin::text as version from media_variant_uses where name = any($1) order by name desc`,
      [names],
    )
  const made = () => expect.poll(async () => (await uses()).map(({ name }) => name)).toEqual(names)
  await made()
  const at = new Date(Date.now() - 40 * days)
  for (const name of names) await utimes(path.join(config.dataDir, 'media', name), at, at)
  await api.sql(`update media_variant_uses set used_on = $2 where name = $1`, [names[1], at])
  // A second request for a variant on the same day saves nothing.
  const before = await uses()
  for (let time = 0; time < 3; time++) expect((await fetch(shown)).status).toBe(200)
  await sweepIn(0)
  expect(await areThere()).toEqual([true, false])
  expect(await uses()).toEqual(before.slice(0, 1))
  await sweepIn(31 * days)
  expect(await areThere()).toEqual([false, false])
  expect(await uses()).toEqual([])
})

test('each room has its own bytes and files, of which the last may be used', async () => {
  const mib = 1024 * 1024
  const platform = await makePlatform(api)
  const admin = await api.user()
  await api.sql(`insert into platform_members (platform_guid, user_guid, role) values ($1, $2, 'admin')`, [
    platform.guid,
    admin.guid,
  ])
  const rooms = [
    { as: ada, guid: ada.guid, parts: { kind: 'avatar' }, bytes: 200 * mib, files: 500 },
    {
      as: organiser,
      guid: cup.guid,
      parts: { kind: 'tournament_image', tournament: cup.id },
      bytes: 2_048 * mib,
      files: 2_000,
    },
    {
      as: admin,
      guid: platform.guid,
      parts: { kind: 'platform_image', platform: platform.contextId },
      bytes: 100 * mib,
      files: 500,
    },
  ]
  for (const { as, guid, parts, bytes, files } of rooms) {
    const file = await picture({ width: 200, height: 200 })
    const used = (usedBytes: number, usedFiles: number) =>
      api.sql(
        `insert into media_quotas (guid, used_bytes, used_files) values ($1, $2, $3)
           on conflict (guid) do update set used_bytes = $2, used_files = $3`,
        [guid, usedBytes, usedFiles],
      )
    const full = [409, 'media.quota_exceeded']
    await used(bytes, 0)
    expect(outcome(await upload(api, as, file, parts)), parts.kind).toEqual(full)
    await used(0, files)
    expect(outcome(await upload(api, as, file, parts)), parts.kind).toEqual(full)
    await used(bytes - 64 * 1024, files - 1)
    expect(outcome(await upload(api, as, file, parts)), parts.kind).toEqual([201, null])
  }
})
