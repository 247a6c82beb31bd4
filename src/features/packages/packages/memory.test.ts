import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { giveFiles } from '../../../../test/packages.ts'
import { makeWorld } from '../../../../test/world.ts'

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void

const mib = 1024 * 1024
const rows = 60_000
/** A row of the ledger has some 500 bytes: all of them together would be twice as much. */
const mostMib = 14

/** The most memory in use while a package is made and sent, in MiB. */
async function memoryOf(service: Harness, as: Caller, tournament: string) {
  let most = 0
  const look = () => {
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    most = Math.max(most, heapUsed + arrayBuffers)
  }
  // A collection takes a second where other tests have filled the process before.
  const timer = setInterval(look, 2_000)
  try {
    const address = `${service.url}/api/tournaments/${tournament}/package?variant=full`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${as.token}` } })
    expect(reply.status).toBe(200)
    for await (const _piece of reply.body ?? []) if (most === 0) look()
    return most / mib
  } finally {
    clearInterval(timer)
  }
}

test('memory does not grow with the tournament (P1)', async () => {
  await using service = await startHarness()
  const { organiser, tournament, named } = await makeWorld(service, { registered: true })
  await giveFiles(service, ['logo', 'badge'])
  const small = await memoryOf(service, organiser, tournament.guid)
  await service.sql(
    `insert into qualifier_attempts
       (qualifier_guid, map_guid, user_guid, score, completion, source, played_at, recorded_by_guid)
     select qualifier_guid, map_guid, user_guid, number, 'passed', 'manual', now(), recorded_by_guid
     from qualifier_attempts, generate_series(1, $2::integer) number where guid = $1`,
    [named.attempt, rows],
  )
  const large = await memoryOf(service, organiser, tournament.guid)
  expect(large - small).toBeLessThan(mostMib)
}, 180_000)
