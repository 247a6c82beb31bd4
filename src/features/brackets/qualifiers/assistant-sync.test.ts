import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AssistantWorld, putLink, startAssistantWorld, verifyRanking } from '../../../../test/assistant.ts'
import type { FakeQualifier } from '../../../../test/fakes/assistant/types.ts'
import { outcome } from '../../../../test/harness.ts'
import { makePlayers, type Stage, someMaps, stage } from '../../../../test/qualifiers.ts'
import { qualifiersPersonalData as data } from './store/personal-data.ts'

let world: AssistantWorld
beforeAll(async () => {
  world = await startAssistantWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const maps = (count: number) => someMaps(count).map(({ hash, name }) => ({ hash, name, difficulty: 4 }))

interface Linked extends Stage {
  readonly event: FakeQualifier
  readonly platformId: string
  readonly path: string
}

/** A qualifier that is closed for attempts, so that only synchronised results count. */
async function linked(settings: object = {}, event: { hideScores?: boolean; count?: number } = {}): Promise<Linked> {
  const { count = 2, hideScores = false } = event
  const { api, fake } = world
  const it = await stage(api, { maps: someMaps(count), ...settings })
  const path = `/tournaments/${it.cup.tournament.id}`
  const platformId = await verifyRanking(api, it.player)
  const qualifier = fake.addQualifier({ name: 'Weekly', maps: maps(count), hideScores })
  // No process listens over this link, so only fetched results arrive.
  await api.put(it.cup.path, it.cup.organiser, { status: 'closed' })
  const reply = await putLink(
    api,
    fake,
    { path, organiser: it.cup.organiser },
    {
      qualifierEvents: [qualifier.guid],
    },
  )
  expect(reply.status).toBe(200)
  return { ...it, event: qualifier, platformId, path }
}

const sync = ({ cup }: Stage, source?: object) =>
  world.api.post(`${cup.path}/sync`, cup.organiser, source === undefined ? undefined : { source })
const attempts = async ({ cup }: Stage) =>
  (await world.api.get(`${cup.path}/attempts?limit=100`, cup.organiser)).body.attempts
const standings = async ({ cup }: Stage) => (await world.api.get(`${cup.path}/standings`, cup.organiser)).body
const submit = ({ event, platformId }: Linked, score: number, more: object = {}, map = 0) =>
  world.fake.submit(event, event.maps[map] as string, { platformId, score, maxScore: 1_000, ...more })

describe('a synchronisation with the assistant', () => {
  test('records each player’s best row, ties maps and players, and is known the next time', async () => {
    const it = await linked()
    submit(it, 700, { misses: 3, badCuts: 1, maxCombo: 80 })
    submit(it, 600)
    submit(it, 500, {}, 1)
    submit({ ...it, platformId: 'nobody' }, 900)
    expect((await sync(it, { assistant: true })).body).toMatchObject({
      success: true,
      keptPreviousCache: false,
      recorded: 2,
      unmatched: 1,
    })
    const ledger = await attempts(it)
    expect(ledger.map(({ score }: { score: number }) => score).sort()).toEqual([500, 700])
    const best = ledger.find(({ score }: { score: number }) => score === 700)
    expect(best).toMatchObject({ source: 'assistant', accuracy: 0.7, misses: 3, badCuts: 1, maxCombo: 80 })
    expect(best.externalId).toMatch(new RegExp(`^${it.event.guid}:${it.event.maps[0]}:${it.platformId}:[0-9a-f]+$`))
    // The assistant is the default source, since the link names events.
    expect((await sync(it)).body).toMatchObject({ success: true, recorded: 0, unmatched: 1 })
    expect(await standings(it)).toMatchObject({ unmatched: [{ player: 'nobody', score: 900 }], lastSyncError: null })
    // A better result is another attempt; a void attempt stays void.
    submit(it, 800)
    expect((await sync(it)).body).toMatchObject({ recorded: 1 })
    const [newest] = await attempts(it)
    await world.api.post(`${it.cup.path}/attempts/${newest.guid}/void`, it.cup.coordinator, { reason: 'No.' })
    expect((await sync(it)).body).toMatchObject({ success: true, recorded: 0 })
  })

  test('counts equal rows once, in whichever events they stand, and notes how the link was', async () => {
    const it = await linked()
    const again = world.fake.addQualifier({ maps: maps(2) })
    await putLink(
      world.api,
      world.fake,
      { path: it.path, organiser: it.cup.organiser },
      { qualifierEvents: [it.event.guid, again.guid] },
    )
    for (const event of [it.event, again]) submit({ ...it, event }, 640, { misses: 4 })
    submit({ ...it, event: again }, 650, { misses: 4 }, 1)
    expect((await sync(it)).body).toMatchObject({ success: true, recorded: 2, unmatched: 0 })
    expect((await sync(it)).body).toMatchObject({ success: true, recorded: 0, unmatched: 0 })
    const { status } = (await world.api.get(`${it.path}/assistant`, it.cup.organiser)).body
    expect(status).toMatchObject({ state: 'ok', serverVersion: 1310 })
  })

  test('leaves no account of a player who has gone', async () => {
    const it = await linked()
    submit(it, 640)
    await sync(it)
    await world.api.app.database.transaction((tx) => data.forget(tx, it.player, new Date()))
    const [attempt] = await attempts(it)
    expect(attempt.externalId).toContain(`${it.event.maps[0]}:${it.player.guid}:`)
    expect(JSON.stringify(attempt)).not.toContain(it.platformId)
  })

  test('knows an account of a platform only once it was proven', async () => {
    const it = await linked()
    const other = await makePlayers(world.api, it.cup)
    const claimed = `claimed-${it.platformId}`
    await world.api.sql(`insert into identities (user_guid, platform, external_id) values ($1, 'ranking-a', $2)`, [
      ...[other[0]?.guid, claimed],
    ])
    submit({ ...it, platformId: claimed }, 10)
    submit({ ...it, platformId: it.player.chatPlatformId }, 20)
    submit({ ...it, platformId: it.player.guid }, 30)
    expect((await sync(it)).body).toMatchObject({ success: true, recorded: 0, unmatched: 3 })
  })

  test('changes nothing where one map fails, or one event is not there', async () => {
    const it = await linked()
    submit(it, 400)
    const first = (await sync(it)).body
    submit(it, 450)
    const drop = world.fake.faults.add({ direction: 'received', kind: 'request.qualifierScores', nth: 2 }, 'cutBefore')
    const failed = (await sync(it)).body
    drop()
    expect(failed).toMatchObject({ success: false, keptPreviousCache: true, recorded: 0, fetchedAt: first.fetchedAt })
    expect(await standings(it)).toMatchObject({ syncedAt: first.fetchedAt, lastSyncError: expect.any(String) })
    expect(await attempts(it)).toHaveLength(1)
    await putLink(
      world.api,
      world.fake,
      { path: it.path, organiser: it.cup.organiser },
      { qualifierEvents: [it.event.guid, 'no-such-event'] },
    )
    expect((await sync(it)).body).toMatchObject({ success: false, keptPreviousCache: true })
    expect(await attempts(it)).toHaveLength(1)
  })

  test('changes nothing where a board has lost its rows, or all are hidden from us', async () => {
    const it = await linked({}, { hideScores: true })
    submit(it, 400)
    submit(it, 300, {}, 1)
    const first = (await sync(it)).body
    expect(first).toMatchObject({ success: true, recorded: 2 })
    const before = await standings(it)
    world.fake.permissions.lose('own', 'tournament:qualifier:see_hidden_qualifier_scores')
    const hidden = (await sync(it)).body
    world.fake.permissions.gain('own', 'tournament:qualifier:see_hidden_qualifier_scores')
    expect(hidden).toMatchObject({ success: false, keptPreviousCache: true, fetchedAt: first.fetchedAt })
    world.fake.boards.empty(it.event.guid, it.event.maps[1])
    submit(it, 999)
    expect((await sync(it)).body).toMatchObject({ success: false, keptPreviousCache: true })
    const after = await standings(it)
    expect(after.overallStandings).toEqual(before.overallStandings)
    expect(after.overallStandings).not.toEqual([])
    world.fake.permissions.lose('own', 'tournament:qualifier:get_qualifier_scores')
    const refused = (await sync(it)).body
    world.fake.permissions.gain('own', 'tournament:qualifier:get_qualifier_scores')
    expect(refused).toMatchObject({
      success: false,
      message: expect.stringContaining('tournament:qualifier:get_qualifier_scores'),
    })
  })

  test('says what is wrong with the link', async () => {
    const it = await stage(world.api)
    expect((await sync(it, { assistant: true })).body).toMatchObject({ success: false, keptPreviousCache: true })
    expect(outcome(await world.api.post(`${it.cup.path}/sync`, it.cup.coordinator, {}))).toEqual([403, 'role.missing'])
  })

  test('reads 500 players on twenty maps, with standings as a plain reference works them out', async () => {
    const count = 20
    const hashes = Array.from({ length: count }, (_, index) => index.toString(16).padStart(40, 'a'))
    const { api, fake } = world
    const it = await stage(api, { maps: hashes.map((hash) => ({ hash, difficulty: 'ExpertPlus', maxScore: 1_000 })) })
    const rows = await api.sql<{ guid: string; external_id: string }>(
      `with made as (
         insert into users (chat_platform_id, username, preferred_name, avatar_url)
         select 'crowd' || n, 'crowd' || n, 'crowd' || n, 'https://cdn.example/x.png'
         from generate_series(1, 500) n returning guid, chat_platform_id)
       , team as (select team_guid, tournament_guid from team_members where user_guid = $1)
       , joined as (insert into team_members (team_guid, tournament_guid, user_guid)
           select team_guid, tournament_guid, made.guid from made, team)
       insert into identities (user_guid, platform, external_id, verified_at)
       select guid, 'ranking-a', 'p' || chat_platform_id, now() from made returning user_guid as guid, external_id`,
      [it.player.guid],
    )
    expect(rows).toHaveLength(500)
    const event = fake.addQualifier({ maps: hashes.map((hash) => ({ hash })) })
    await api.put(it.cup.path, it.cup.organiser, { status: 'closed' })
    const path = `/tournaments/${it.cup.tournament.id}`
    await putLink(api, fake, { path, organiser: it.cup.organiser }, { qualifierEvents: [event.guid] })
    const scoreOf = (player: number, map: number) => (player * 37 + map * 101) % 1_001
    for (const [player, { external_id: platformId }] of rows.entries()) {
      for (const [map, guid] of event.maps.entries()) {
        fake.boards.submit({
          ...({ $typeName: 'proto.models.LeaderboardEntry', eventId: event.guid, mapId: guid, platformId } as const),
          username: 'x',
          multipliedScore: 0,
          modifiedScore: scoreOf(player, map),
          maxPossibleScore: 1_000,
          accuracy: scoreOf(player, map) / 1_000,
          notesMissed: 0,
          badCuts: 0,
          goodCuts: 0,
          maxCombo: 0,
          fullCombo: false,
          isPlaceholder: false,
          color: '',
        })
      }
    }
    const beganAt = performance.now()
    expect((await sync(it)).body).toMatchObject({ success: true, recorded: 10_000, unmatched: 0 })
    expect(performance.now() - beganAt).toBeLessThan(20_000)
    expect((await sync(it)).body).toMatchObject({ success: true, recorded: 0, unmatched: 0 })
    const best = rows
      .map(({ guid }, player) => {
        const all = event.maps.map((_, map) => scoreOf(player, map) / 1_000)
        return { guid, value: all.reduce((sum, share) => sum + share, 0) / all.length }
      })
      .sort((a, b) => b.value - a.value)
    const { overallStandings } = await standings(it)
    const shown = overallStandings.slice(0, 500)
    expect(shown.map((row: { user: { guid: string } }) => row.user.guid).toSorted()).toEqual(
      best.map(({ guid }) => guid).toSorted(),
    )
    expect(shown.map((row: { value: number }) => row.value.toFixed(6))).toEqual(
      best.map(({ value }) => value.toFixed(6)),
    )
  })
})
