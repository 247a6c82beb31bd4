import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { freePort, startHarness } from '../../../../test/harness.ts'
import { startService } from '../../../../test/kernel/service.ts'
import { sceneDocumentOf, showOverlay } from '../../../../test/overlay-rows.ts'

test('all processes are killed within the delay: after the restart the scene follows once, and what happened meanwhile, too', async () => {
  await using harness = await startHarness()
  const made = await makeBracket(harness, { teams: 4, format: 'round_robin', settings: { bestOf: 5 } })
  const document = sceneDocumentOf({ scene9picks: 'pickBan', scene8songs: 'gameplay', scene7after: 'summary' })
  const matches = await Promise.all([1, 2].map(async (number) => (await made.readMatch(number)).guid as string))
  const overlays = await Promise.all(
    matches.map((match) => showOverlay(harness, made.cup, made.organiser, { match, document, autoDelayMs: 30_000 })),
  )
  const [delayed, missed] = overlays.map(({ guid }) => guid)
  const { databaseUrl, dataDir, publicUrl } = harness.app.config
  const env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl, LOG_LEVEL: 'warn' }
  await harness.app.close()
  const start = async () => startService({ ...env, PORT: String(await freePort()) })
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  const comesTo = (overlay: string | undefined, scene: string) =>
    vi.waitUntil(
      async () => {
        const { rows } = await client.query('select scene from overlay_controls where overlay_guid = $1', [overlay])
        return rows[0]?.scene === scene
      },
      { timeout: 60_000, interval: 50 },
    )
  const services = await Promise.all([start(), start()])
  try {
    const reported = await fetch(`${services[0].url}/api${made.match(1)}/games/1`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${made.organiser.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sides: [{ score: 2 }, { score: 1 }] }),
    })
    expect(reported.status).toBe(200)
    await comesTo(delayed, 'scene7after')
    for (const service of services) service.signal('SIGKILL')
    await Promise.all(services.map(({ exit }) => exit))
    await client.query(
      "update overlay_controls set advance_at = now() - interval '1 minute' where advance_at is not null",
    )
    const song = { match: matches[1], play: matches[1], hash: 'a'.repeat(40), difficulty: 'ExpertPlus' }
    await client.query(
      `select emit_event('assistant.song_started', $1::uuid, $2::uuid, null, null, $3::jsonb, array[$1::text], false)`,
      [matches[1], made.cup.guid, JSON.stringify(song)],
    )
    services.push(...(await Promise.all([start(), start()])))
    await Promise.all([comesTo(delayed, 'scene9picks'), comesTo(missed, 'scene8songs')])
    // Waits for some further runs of the job, which could change the scene a second time.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const { rows } = await client.query(
      `select subject, array_agg(after ->> 'scene' order by seq) as scenes from event_log
       where type = 'overlay.control_changed' group by subject`,
    )
    expect(new Map(rows.map(({ subject, scenes }) => [subject, scenes]))).toEqual(
      new Map([
        [delayed, ['scene7after', 'scene9picks']],
        [missed, ['scene8songs']],
      ]),
    )
  } finally {
    await client.end()
    await Promise.all(services.map((service) => service[Symbol.asyncDispose]()))
  }
})
