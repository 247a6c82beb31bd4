import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { makeTournament, remembered } from '../make.ts'
import { run } from './service.ts'

/** The metrics of the event log, and what the sweep and deletions remove from it. */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

/** The values of a gauge, by follower. */
async function gauge(name: string): Promise<Record<string, number>> {
  const { text } = await api.call('GET', `//metrics`)
  const lines = [...text.matchAll(new RegExp(`^event_follower_${name}\\{follower="([^"]+)"\\} (\\S+)$`, 'gm'))]
  return Object.fromEntries(lines.map(([, follower, value]) => [follower, Number(value)]))
}

const names = [
  'announcements',
  'assistant_control',
  'badge_requests',
  'channels',
  'claims',
  'flow_sessions',
  'game_proposals',
  'notifications',
  'overlay_scenes',
  'push',
  'stream_sessions',
  'teams',
  'webhooks',
]
const idle = Object.fromEntries(names.map((name) => [name, 0]))

async function newestSeq(): Promise<number> {
  const [row] = await api.sql<{ seq: number }>('select coalesce(max(seq), 0)::int as seq from event_log')
  return row?.seq ?? 0
}

test('how far each is behind, and what it has set aside, are metrics, and the doctor tells of them', async () => {
  await expect.poll(() => gauge('lag_events')).toEqual(idle)
  expect([await gauge('lag_seconds'), await gauge('set_aside')]).toEqual([idle, idle])

  const { databaseUrl, dataDir } = api.app.config
  const blind = new pg.Client({ connectionString: databaseUrl as string })
  await blind.connect()
  try {
    await blind.query('begin')
    await blind.query(`select from followers where name = 'webhooks' for update`)
    for (let n = 0; n < 3; n++) {
      await api.sql(`select emit_event('platform.settings_changed', $1, null, null, null, '{}', '{}')`, [randomUUID()])
    }
    await api.sql(`update event_log set at = now() - interval '10 minutes' where type = 'platform.settings_changed'`)
    await expect.poll(() => gauge('lag_events')).toEqual({ ...idle, webhooks: 3 })
    const { notifications, webhooks } = await gauge('lag_seconds')
    expect([notifications, Math.round((webhooks ?? 0) / 60)]).toEqual([0, 10])
    await api.sql(`insert into set_aside_events (seq, follower, error) values ($1, 'notifications', 'TypeError')`, [
      await newestSeq(),
    ])
    expect(await gauge('set_aside')).toEqual({ ...idle, notifications: 1 })

    const mute = 'http://127.0.0.1:1'
    const doctor = await run(['doctor'], {
      DATABASE_URL: databaseUrl as string,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      SCORESABER_API_URL: mute,
      BEATLEADER_API_URL: mute,
      BEATSAVER_API_URL: mute,
    })
    const told = doctor.stdout.split('\n').filter((line) => line.includes('events for'))
    expect([doctor.code, told]).toEqual([
      0,
      [
        'ok    events for announcements: all handled',
        'ok    events for assistant_control: all handled',
        'ok    events for badge_requests: all handled',
        'ok    events for channels: all handled',
        'ok    events for claims: all handled',
        'ok    events for flow_sessions: all handled',
        'ok    events for game_proposals: all handled',
        expect.stringMatching(
          /^warn {2}events for notifications: 1 could not be handled, the last of them platform\.settings_changed, number \d+ \(TypeError\)$/,
        ),
        'ok    events for overlay_scenes: all handled',
        'ok    events for push: all handled',
        'ok    events for stream_sessions: all handled',
        'ok    events for teams: all handled',
        expect.stringMatching(/^warn {2}events for webhooks: 3 wait, for 6\d\d s$/),
      ],
    ])
  } finally {
    await blind.end()
  }
  await expect.poll(() => gauge('lag_events')).toEqual(idle)
  expect(await gauge('lag_seconds')).toEqual(idle)
})

describe('the sweep of the log', () => {
  /** Runs the hourly job, in any process. */
  async function sweep(): Promise<void> {
    const [job] = await api.sql<{ id: string }>(`select (graphile_worker.add_job('events.sweep')).id::text as id`)
    const isDone = async () =>
      (await api.sql('select from graphile_worker._private_jobs where id = $1', [job?.id])).length === 0
    await vi.waitUntil(isDone, { timeout: 60_000, interval: 20 })
  }

  /** Moves all followers past all events, so that no events are kept for them. */
  async function handled(): Promise<void> {
    const newest = await newestSeq()
    const behind = () => api.sql('select name from followers where position < $1', [newest])
    await expect.poll(behind).toEqual([])
  }
  const say = (type: string, tournament: string | null, times = 1) =>
    api.sql(`select emit_event($1, null, $2, null, null, null, '{}') from generate_series(1, $3)`, [
      type,
      tournament,
      times,
    ])
  const age = (types: string, days: number) =>
    api.sql(`update event_log set at = now() - $2 * interval '1 day' where type like $1`, [types, days])
  /** The number of remaining events, by type. */
  async function left(types: string): Promise<Record<string, number>> {
    const rows = await api.sql<{ type: string; count: number }>(
      'select type, count(*)::int from event_log where type like $1 group by type order by type',
      [types],
    )
    return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
  }

  test('takes what happened outside of tournaments three months ago, in steps, and nothing else', async () => {
    const cup = await makeTournament(api, await api.user())
    await say('outside.old', null, 2_500)
    await say('outside.young', null)
    await say('inside.outside_old', cup.guid)
    await age('%old', 91)
    await age('outside.young', 89)
    await handled()
    await sweep()
    expect(await left('%side.%')).toEqual({ 'inside.outside_old': 1, 'outside.young': 1 })
  })

  test('leaves the audit list of a tournament as it is, for years; of a deleted draft it takes all after a week', async () => {
    const organiser = await api.user()
    const drafts = await Promise.all(
      ['One', 'Two', 'Three'].map(async (name) => {
        const { status, body } = await api.post('/tournaments', organiser, { name, id: `draft-${name}`.toLowerCase() })
        expect([status, status === 201 ? '' : body]).toEqual([201, ''])
        await api.patch(`/tournaments/${body.guid}`, organiser, { summary: `${name}, again` })
        return body as { guid: string }
      }),
    )
    const [kept, gone, fresh] = drafts as [{ guid: string }, { guid: string }, { guid: string }]
    for (const { guid } of [gone, fresh]) expect((await api.delete(`/tournaments/${guid}`, organiser)).status).toBe(204)
    await api.sql(`update event_log set at = now() - interval '5 years' where tournament = any($1)`, [
      [kept.guid, gone.guid, fresh.guid],
    ])
    const ended = (guid: string, days: number) =>
      api.sql(
        `update event_log set at = now() - $2 * interval '1 day' where tournament = $1 and type = 'tournament.deleted'`,
        [guid, days],
      )
    await ended(gone.guid, 8)
    await ended(fresh.guid, 6)
    await say('test.newest', null)
    await handled()
    const audit = async () => (await api.get(`/tournaments/${kept.guid}/audit`, organiser)).body.entries
    const before = await audit()
    await sweep()
    const counts = await Promise.all(
      drafts.map(async ({ guid }) => (await api.sql('select from event_log where tournament = $1', [guid])).length),
    )
    expect(counts).toEqual([2, 0, 3])
    expect(before).toHaveLength(2)
    expect(await audit()).toEqual(before)
  })

  test('takes nothing that a follower has still to handle', async () => {
    const { databaseUrl } = api.app.config
    const blind = new pg.Client({ connectionString: databaseUrl as string })
    await blind.connect()
    try {
      await handled()
      await blind.query('begin')
      await blind.query(`select from followers where name = 'webhooks' for update`)
      for (let n = 0; n < 2; n++) {
        await api.sql(`select emit_event('platform.settings_changed', $1, null, null, null, '{}', '{}')`, [
          randomUUID(),
        ])
      }
      await say('unhandled.later', null)
      for (const types of ['platform.%', 'unhandled.%']) await age(types, 1_000)
      await expect.poll(() => gauge('lag_events')).toEqual({ ...idle, webhooks: 2 })
      await sweep()
      expect(await left('platform.settings_changed')).toEqual({ 'platform.settings_changed': 2 })
      expect(await left('unhandled.%')).toEqual({ 'unhandled.later': 1 })
    } finally {
      await blind.end()
    }
    await handled()
    await say('test.newest', null)
    await handled()
    await sweep()
    expect(await left('unhandled.%')).toEqual({})
    expect(await left('platform.settings_changed')).toEqual({})
  })

  test('takes what was set aside along', async () => {
    await say('aside.old', null)
    const seq = await newestSeq()
    await api.sql(`insert into set_aside_events (seq, follower, error) values ($1, 'test.gone', 'Error')`, [seq])
    await say('test.newest', null)
    await age('aside.old', 91)
    await handled()
    await sweep()
    expect([await left('aside.old'), await api.sql('select from set_aside_events where seq = $1', [seq])]).toEqual([
      {},
      [],
    ])
  })

  test('leaves the newest, and the numbers go on behind it, on new processes too, who remember nothing that is untrue', async () => {
    const user = await api.user()
    const path = `/users/${user.guid}/card`
    const rename = (as: Caller, pronouns: string) => api.post('/updateUserSettings', as, { pronouns })
    await rename(user, 'one')
    await remembered(api, path)
    await age('%', 400)
    await api.sql(`update event_log set tournament = null`)
    await handled()
    const newest = await newestSeq()
    await sweep()
    expect(await api.sql('select seq::int from event_log')).toEqual([{ seq: newest }])
    const fresh = await api.sibling()
    try {
      expect((await remembered(fresh, path)).body.pronouns).toBe('one')
      for (const [service, pronouns] of [
        [fresh, 'two'],
        [api, 'three'],
      ] as const) {
        expect((await service.post('/updateUserSettings', user, { pronouns })).status).toBe(200)
        const read = await Promise.all([api, fresh].map(async (each) => (await each.get(path)).body.pronouns))
        expect(read).toEqual([pronouns, pronouns])
      }
      const seqs = (await api.sql<{ seq: number }>('select seq::int from event_log order by seq')).map(({ seq }) => seq)
      expect([seqs.length, seqs.every((seq, index) => index === 0 || seq > newest)]).toEqual([3, true])
      await handled()
    } finally {
      await fresh[Symbol.asyncDispose]()
    }
  })

  test('finds what is due by indexes', async () => {
    const client = new pg.Client({ connectionString: api.app.config.databaseUrl as string })
    await client.connect()
    try {
      await client.query('set enable_seqscan to off')
      const plan = async (text: string) => JSON.stringify((await client.query(`explain (format json) ${text}`)).rows)
      const old = `at < now() - interval '1 day' and seq < 1000 order by at limit 10`
      expect(await plan(`select seq from event_log where tournament is null and ${old}`)).toContain('event_log_outside')
      expect(await plan(`select seq from event_log where type = 'tournament.deleted' and ${old}`)).toContain(
        'event_log_ended',
      )
    } finally {
      await client.end()
    }
  })
})
