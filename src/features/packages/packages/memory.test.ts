import { randomBytes, randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { formOf } from '../../../../test/media.ts'
import { memoryDuring } from '../../../../test/memory.ts'
import { smallPackage, unpacked } from '../../../../test/package-imports.ts'
import { fileOf, giveFiles, packed } from '../../../../test/packages.ts'
import { makeWorld } from '../../../../test/world.ts'
import type { Services } from '../../../services.ts'

const mib = 1024 * 1024
const rows = 60_000
/** A row of the ledger has some 500 bytes: all of them together would be twice as much. */
const mostMib = 14

/**
 * By how many MiB more memory is in use while a package is made and sent, at the middle of all looks: what is kept of
 * the rows grows with them, and pieces that are on their way come and go.
 */
async function memoryOf(service: Harness, as: Caller, tournament: string) {
  const looks = await memoryDuring(async () => {
    const address = `${service.url}/api/tournaments/${tournament}/package?variant=full`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${as.token}` } })
    expect(reply.status).toBe(200)
    for await (const _piece of reply.body ?? []);
  })
  return (looks[Math.floor(looks.length / 2)] ?? looks[0]) / mib
}

test('memory does not grow with the tournament (P1)', async () => {
  await using service = await startHarness()
  const { organiser, tournament, named } = await makeWorld(service, { registered: true })
  await giveFiles(service, ['logo', 'badge'])
  await service.sql(
    `insert into qualifier_attempts
       (qualifier_guid, map_guid, user_guid, score, completion, source, played_at, recorded_by_guid)
     select qualifier_guid, map_guid, user_guid, number, 'passed', 'manual', now(), recorded_by_guid
     from qualifier_attempts, generate_series(1, $2::integer) number where guid = $1`,
    [named.attempt, rows],
  )
  expect(await memoryOf(service, organiser, tournament.guid)).toBeLessThan(mostMib)
}, 180_000)

const mediumRow = {
  ...{ kind: 'overlay_image', name: 'noise', ownerGuid: null, tournamentGuid: null, teamGuid: null },
  ...{ type: 'image/webp', width: 8, height: 8, isAnimated: false, durationMs: null, color: null },
  ...{ hasRightsConfirmed: true, createdAt: '2026-05-01T12:00:00.000Z', updatedAt: '2026-05-01T12:00:00.000Z' },
}

test('memory does not grow with the package that is sent (P6)', async () => {
  let sent: readonly { readonly bytes: number; readonly digest: string }[] = []
  let decoded = 0
  await using service = await startHarness({}, {}, (app) => {
    // Files are decoded in another process, which would refuse these.
    const decoder: Services['decoder'] = {
      ...app.services.decoder,
      async decode(_kind, source, target) {
        await copyFile(source, target)
        const { bytes, digest } = sent[decoded++] as (typeof sent)[number]
        if (decoded === sent.length) return { fault: 'undecodable' }
        return {
          type: 'image/webp',
          bytes,
          digest,
          width: 8,
          height: 8,
          isAnimated: false,
          durationMs: null,
          color: null,
        }
      },
    }
    Object.assign(app.services, { decoder })
  })
  const as = await service.user()
  const { whole } = await smallPackage()
  const key = await service.app.services.keys.packages.current(new Date())
  const grown = async (mebibytes: number) => {
    const files = Array.from({ length: mebibytes / 8 }, () => fileOf('', randomBytes(8 * mib)))
    const named = files.map((file) => ({ ...file, path: `media/${file.sha256}.webp` }))
    sent = files.map(({ bytes, sha256 }) => ({ bytes, digest: sha256 }))
    decoded = 0
    const small = await unpacked(whole, {
      media: () => sent.map((medium) => ({ ...mediumRow, ...medium, guid: randomUUID() })),
    })
    const form = formOf(await packed(key, [...small.files, ...named], small.about), { mode: 'copy', id: 'large' })
    files.length = 0
    named.length = 0
    let reply: Awaited<ReturnType<Harness['call']>> | undefined
    const looks = await memoryDuring(async () => {
      reply = await service.call('POST', '/tournaments/import', { as, ...form })
    })
    expect([reply && outcome(reply), decoded]).toEqual([[400, 'package.row'], mebibytes / 8])
    return Math.max(...looks) / mib
  }
  await grown(8)
  expect(await grown(96)).toBeLessThan(32)
}, 180_000)
