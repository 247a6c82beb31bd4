import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeMedia } from '../../../../test/media-rows.ts'
import { makeStage, type Stage } from '../../../../test/stage.ts'

/** What a rehearsal has otherwise than its tournament, and what of it the tournament is given. (R6) */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const main = { name: 'Main', url: 'https://streams.example.org/main', delaySeconds: 90 }
const side = { name: 'Side', url: 'https://streams.example.org/side', delaySeconds: 0 }
const field = { label: 'From where?', type: 'text', subject: 'team', required: true }
const eight = '2099-05-01T20:00:00.000Z'
const nine = '2099-05-01T21:00:00.000Z'

interface Tried extends Stage {
  readonly bracketGuid: string
  /** The path of the rehearsal, among those of the tournament. */
  readonly own: string
  /** The path of its tournament. */
  readonly there: string
}

const succeeds = async (reply: ReturnType<Harness['call']>) => {
  const done = await reply
  expect(done.status, done.text).toBeLessThan(300)
  return done.body
}

/** An ongoing tournament of four teams with channels, a queue and a time, and a rehearsal of it. */
async function makeTried(): Promise<Tried> {
  const stage = await makeStage(api, organiser, { teams: 4, status: 'ongoing', capacity: 16 })
  const bracket = await stage.bracket({ settings: { bestOf: 3, bestOfByRound: { 'upper:2': 5 } } })
  const { path } = stage
  const logo = await makeMedia(api, 'tournament_image', { tournament: stage.cup })
  await succeeds(
    api.patch(path, organiser, {
      description: `See /tournaments/${stage.cup.guid} and /teams/${stage.teams[0]?.guid}.`,
      imageUrl: logo.url,
      additionalFields: [field],
      announcements: { match_called: 'main' },
    }),
  )
  const { channels } = await succeeds(api.put(`${path}/channels`, organiser, { channels: [main, side], revision: 0 }))
  const queue = { entries: [{ match: '1' }], revision: 0 }
  await succeeds(api.put(`${path}/channels/${channels[0].guid}/queue`, organiser, queue))
  await succeeds(api.patch(`${path}/matches/2`, organiser, { scheduledAt: eight }))
  const made = await succeeds(api.post(`${path}/rehearsals`, organiser, { name: 'Dry run' }))
  const own = `${path}/rehearsals/${made.guid}`
  return { ...stage, bracketGuid: bracket.guid, own, there: `/tournaments/${made.guid}` }
}

const differences = async ({ own }: Tried) => (await succeeds(api.get(`${own}/differences`, organiser))).differences
const updatedAt = async ({ own }: Tried) => (await succeeds(api.get(`${own}/differences`, organiser))).updatedAt

async function apply(tried: Tried, fields: readonly string[], expectedUpdatedAt?: string, query = '') {
  const expected = expectedUpdatedAt ?? (await updatedAt(tried))
  return api.post(`${tried.own}/apply${query}`, organiser, { fields, expectedUpdatedAt: expected })
}

/** Changes something of each kind in the rehearsal. */
async function tryOut({ there }: Tried): Promise<void> {
  const settings = { capacity: 8, announcements: { match_called: 'off', placements: 'main' }, startsAt: nine }
  await succeeds(api.patch(there, organiser, settings))
  const { channels, revision } = await succeeds(api.get(`${there}/channels`, organiser))
  const wanted = [
    { ...side, url: `${side.url}-2` },
    { ...main, delaySeconds: 30 },
  ]
  expect(channels).toHaveLength(2)
  await succeeds(api.put(`${there}/channels`, organiser, { channels: wanted, revision }))
  const [division] = await succeeds(api.get(`${there}/divisions`, organiser))
  const [bracket] = division.brackets
  await succeeds(
    api.patch(`${there}/brackets/${bracket.guid}`, organiser, { bestOfByRound: { 'upper:1': 1, 'upper:2': 7 } }),
  )
  await succeeds(api.patch(`${there}/matches/1`, organiser, { scheduledAt: nine }))
  await succeeds(api.patch(`${there}/matches/2`, organiser, { scheduledAt: null }))
}

const all = [
  'settings/startsAt',
  'settings/capacity',
  'settings/announcements',
  'channels',
  'bestOf/a/1/upper:1',
  'bestOf/a/1/upper:2',
  'scheduledAt/a/1',
  'scheduledAt/a/2',
]

const fieldsOf = (found: readonly { readonly field: string }[]) => found.map((each) => each.field)

describe('what differs', () => {
  test('is nothing at first, and then what was changed on either side', async () => {
    const tried = await makeTried()
    expect(await differences(tried)).toEqual([])
    await tryOut(tried)
    expect(await differences(tried)).toEqual([
      { field: 'settings/startsAt', real: null, rehearsal: nine },
      { field: 'settings/capacity', real: 16, rehearsal: 8 },
      { field: 'settings/announcements', real: { match_called: 'main' }, rehearsal: { placements: 'main' } },
      {
        field: 'channels',
        real: [main, side],
        rehearsal: [
          { ...side, url: `${side.url}-2` },
          { ...main, delaySeconds: 30 },
        ],
      },
      { field: 'bestOf/a/1/upper:1', real: 3, rehearsal: 1 },
      { field: 'bestOf/a/1/upper:2', real: 5, rehearsal: 7 },
      { field: 'scheduledAt/a/1', real: null, rehearsal: nine },
      { field: 'scheduledAt/a/2', real: eight, rehearsal: null },
    ])
    // Webhooks and short ids are not compared.
    await api.sql(`update tournaments set chat_webhook_url = 'https://chat.example.org/secret' where guid = $1`, [
      tried.cup.guid,
    ])
    await succeeds(api.patch(tried.path, organiser, { id: `${tried.cup.id}-b`, capacity: 8 }))
    // Nor are the times of matches that have begun.
    await succeeds(api.post(`${tried.path}/matches/1/start`, organiser, {}))
    expect(fieldsOf(await differences(tried))).toEqual(
      all.filter((each) => !['settings/capacity', 'scheduledAt/a/1'].includes(each)),
    )
  })

  test('is for organisers', async () => {
    const tried = await makeTried()
    const other = await makeTournament(api, organiser, { status: 'ongoing' })
    const staff = await roleHolder(api, tried.cup, 'role:staff')
    const admin = await roleHolder(api, tried.cup, 'role:admin')
    const stranger = await api.user()
    const body = { fields: ['channels'], expectedUpdatedAt: eight }
    const asked = async (as: Caller | null, own = tried.own) => [
      outcome(await api.get(`${own}/differences`, as)),
      outcome(await api.post(`${own}/apply`, as, body)),
    ]
    const both = (status: number, code: string) => [
      [status, code],
      [status, code],
    ]
    expect(await asked(staff)).toEqual(both(403, 'role.missing'))
    expect(await asked(stranger)).toEqual(both(404, 'rehearsal.unknown'))
    expect(await asked(null)).toEqual(both(401, 'token.missing'))
    expect(await asked(admin)).toEqual([
      [200, null],
      [409, 'rehearsal.no_difference'],
    ])
    const elsewhere = tried.own.replace(tried.path, `/tournaments/${other.guid}`)
    expect(await asked(organiser, elsewhere)).toEqual(both(404, 'rehearsal.unknown'))
  })
})

describe('what is applied', () => {
  test('is what was chosen and nothing else, as if it were done by hand', async () => {
    const tried = await makeTried()
    await tryOut(tried)
    const { path } = tried
    const record = await succeeds(api.get(path, organiser))
    const before = await api.get(`${path}/channels`, organiser)
    const chosen = all.filter((each) => !['settings/capacity', 'bestOf/a/1/upper:2', 'scheduledAt/a/2'].includes(each))
    const shown = (await differences(tried)).filter((each: { field: string }) => chosen.includes(each.field))

    const preview = await succeeds(apply(tried, chosen, undefined, '?dryRun=true'))
    expect(preview).toEqual({ dryRun: true, applied: shown })
    expect(await succeeds(api.get(path, organiser))).toEqual(record)
    expect((await api.get(`${path}/channels`, organiser)).body).toEqual(before.body)
    const from = await api.sql<{ seq: string }>('select max(seq) as seq from event_log')

    const done = await succeeds(apply(tried, chosen))
    expect(done).toEqual({ dryRun: false, applied: shown })
    expect(await succeeds(api.get(path, organiser))).toEqual({
      ...record,
      ...{ startsAt: nine, announcements: { placements: 'main' }, updatedAt: expect.any(String) },
    })
    const { channels } = await succeeds(api.get(`${path}/channels`, organiser))
    expect(channels).toMatchObject([
      { ...side, url: `${side.url}-2`, guid: before.body.channels[1].guid },
      { ...main, delaySeconds: 30, guid: before.body.channels[0].guid },
    ])
    const queue = await succeeds(api.get(`${path}/channels/${channels[1].guid}/queue`, organiser))
    expect(queue.entries).toHaveLength(1)
    const { matches } = await succeeds(api.get(`${path}/matches`, organiser))
    expect(matches.map((each: { bestOf: number; scheduledAt: string }) => [each.bestOf, each.scheduledAt])).toEqual([
      [1, nine],
      [1, eight],
      [5, null],
    ])
    const events = await api.sql<{ type: string; actor: string; tournament: string }>(
      'select type, actor, tournament from event_log where seq > $1 order by seq',
      [from[0]?.seq],
    )
    expect(events.map(({ type }) => type)).toEqual([
      'tournament.updated',
      'channels.replaced',
      'bracket.updated',
      'match.updated',
    ])
    expect(new Set(events.map(({ actor, tournament }) => `${actor} ${tournament}`))).toEqual(
      new Set([`${organiser.guid} ${tried.cup.guid}`]),
    )
    expect(fieldsOf(await differences(tried))).toEqual(['settings/capacity', 'bestOf/a/1/upper:2', 'scheduledAt/a/2'])
    expect(outcome(await apply(tried, ['channels']))).toEqual([409, 'rehearsal.no_difference'])
    await succeeds(apply(tried, ['settings/capacity', 'bestOf/a/1/upper:2', 'scheduledAt/a/2']))
    expect(await differences(tried)).toEqual([])
  })

  test('are the pictures of the tournament, and not their copies', async () => {
    const tried = await makeTried()
    const [logo, banner] = await Promise.all([
      makeMedia(api, 'tournament_image', { tournament: tried.cup }),
      makeMedia(api, 'tournament_banner', { tournament: tried.cup }),
    ])
    const made = await succeeds(api.post(`${tried.path}/rehearsals`, organiser, { name: 'With another logo' }))
    const again = { ...tried, own: `${tried.path}/rehearsals/${made.guid}`, there: `/tournaments/${made.guid}` }
    const copies = await api.sql<{ guid: string; copy: string }>(
      `select m.guid, c.guid as copy from media m join media c on c.digest = m.digest and c.tournament_guid = $1
       where m.tournament_guid = $2`,
      [made.guid, tried.cup.guid],
    )
    const copyOf = ({ guid, url }: typeof logo) =>
      url.replace(guid, copies.find((each) => each.guid === guid)?.copy ?? 'none')
    const texts = (of: string, picture: string) => ({ imageUrl: picture, description: `${of} shows ${picture}.` })
    const tournament = (guid: string) => `https://cup.example.org/${guid}`
    const wanted = { ...texts(tournament(made.guid), copyOf(logo)), bannerUrl: copyOf(banner) }
    await succeeds(api.patch(again.there, organiser, wanted))
    await succeeds(apply(again, ['settings/description', 'settings/imageUrl', 'settings/bannerUrl']))
    expect(await succeeds(api.get(tried.path, organiser))).toMatchObject({
      ...texts(tournament(tried.cup.guid), logo.url),
      bannerUrl: banner.url,
    })
    expect(await differences(again)).toEqual([])
  })

  test('is all of it or nothing', async () => {
    const tried = await makeTried()
    await tryOut(tried)
    const record = await succeeds(api.get(tried.path, organiser))
    await api.sql(`update tournament_counts set teams = 12, registered = 12 where tournament_guid = $1`, [
      tried.cup.guid,
    ])
    for (const query of ['', '?dryRun=true']) {
      const refused = await apply(
        tried,
        ['settings/capacity', 'settings/startsAt', 'scheduledAt/a/1'],
        undefined,
        query,
      )
      expect(outcome(refused)).toEqual([409, 'tournament.capacity_too_small'])
    }
    await succeeds(api.post(`${tried.path}/matches/1/start`, organiser, {}))
    await succeeds(api.post(`${tried.path}/matches/2/start`, organiser, {}))
    const played = await apply(tried, ['settings/startsAt', 'bestOf/a/1/upper:1'])
    expect(outcome(played)).toEqual([409, 'bracket.round_played'])
    expect((await succeeds(api.get(tried.path, organiser))).startsAt).toBe(record.startsAt)
    expect(outcome(await apply(tried, ['settings/startsAt', 'settings/id']))).toEqual([409, 'rehearsal.no_difference'])
    for (const fields of [[], [''], 'channels']) {
      const body = { fields, expectedUpdatedAt: nine }
      expect(outcome(await api.post(`${tried.own}/apply`, organiser, body))).toEqual([400, 'request.invalid'])
    }
    const never = { fields: ['channels'], expectedUpdatedAt: null }
    expect(outcome(await api.post(`${tried.own}/apply`, organiser, never))).toEqual([400, 'request.invalid'])
  })

  test('does not overwrite what was changed meanwhile', async () => {
    const tried = await makeTried()
    await tryOut(tried)
    const { path } = tried
    const seen = await updatedAt(tried)
    const meanwhile: readonly (readonly [field: string, change: () => ReturnType<Harness['call']>])[] = [
      ['settings/startsAt', () => api.patch(path, organiser, { summary: 'News' })],
      ['scheduledAt/a/1', () => api.patch(`${path}/matches/1`, organiser, { scheduledAt: eight })],
      [
        'channels',
        async () => api.put(`${path}/channels`, organiser, { channels: [{ ...main, name: 'First' }], revision: 1 }),
      ],
      [
        'bestOf/a/1/upper:2',
        () => api.patch(`${path}/brackets/${tried.bracketGuid}`, organiser, { bestOfByRound: { 'upper:2': 9 } }),
      ],
    ]
    for (const [stale, change] of meanwhile) {
      expect(outcome(await apply(tried, [stale], seen, '?dryRun=true')), stale).toEqual([200, null])
      await succeeds(change())
      expect(outcome(await apply(tried, [stale], seen)), stale).toEqual([409, 'tournament.stale'])
    }
    // The record's own instant is enough for its settings.
    const { updatedAt: own } = await succeeds(api.get(path, organiser))
    await succeeds(apply(tried, ['settings/startsAt'], own))
    expect(outcome(await apply(tried, ['settings/capacity'], own))).toEqual([409, 'tournament.stale'])
  })

  test('is applied once by two at the same time', async () => {
    const tried = await makeTried()
    await tryOut(tried)
    const seen = await updatedAt(tried)
    const replies = await Promise.all([1, 2, 3].map(() => apply(tried, all, seen)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await differences(tried)).toEqual([])
  })
})
