import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxPageBytes } from '../src/core/page.ts'
import { makeBracket } from './bracket-play.ts'
import { type Caller, type Harness, startHarness } from './harness.ts'
import { type MadeTournament, makeTeam, makeTournament, touch } from './make.ts'

/** Pages with records of the maximum size end early. (D8) */

let api: Harness
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cup = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

interface Walked {
  readonly guids: readonly string[]
  readonly pages: readonly { readonly bytes: number; readonly count: number }[]
}

/** All pages of a list, one after the other. */
async function walk(path: string, member: string, key = 'guid'): Promise<Walked> {
  const guids: string[] = []
  const pages: { bytes: number; count: number }[] = []
  for (let before = ''; ; ) {
    const { status, body, text } = await api.get(`${path}${path.includes('?') ? '&' : '?'}${before}`, organiser)
    expect(status, text.slice(0, 200)).toBe(200)
    const items = body[member]
    guids.push(...items.map((item: Record<string, string>) => item[key]))
    pages.push({ bytes: Buffer.byteLength(text), count: items.length })
    if (body.nextCursor === null) return { guids, pages }
    before = `before=${body.nextCursor}`
  }
}

/** @param spare bytes for members besides the records, and for inexact counting */
function expectFitting({ pages }: Walked, spare = 10_000): void {
  expect(pages.length).toBeGreaterThan(2)
  for (const { bytes } of pages) expect(bytes).toBeLessThan(maxPageBytes + spare)
  // No page ends before it has to.
  for (const { bytes, count } of pages.slice(0, -1)) {
    expect(bytes * ((count + 1) / count)).toBeGreaterThan(maxPageBytes - spare)
  }
}

const inOrder = async (statement: string) =>
  (await api.sql<{ guid: string }>(statement, [cup.guid])).map(({ guid }) => guid)

test('of tournaments', async () => {
  const starts = Array.from({ length: 21 }, (_none, index) => new Date(Date.UTC(2027, 0, 1 + index)))
  const made: string[] = []
  for (const startsAt of starts) made.unshift((await makeTournament(api, organiser, { startsAt })).guid)
  const text = '𝄞'.repeat(20_000)
  await api.sql('update tournaments set description = $1, rules = $1, prizes = $1 where guid = any($2::uuid[])', [
    text,
    made,
  ])
  await touch(api)
  const walked = await walk('/tournaments?include=texts', 'tournaments')
  expect(walked.guids).toEqual([...made, cup.guid])
  expectFitting(walked)
})

test('of updates and of the audit', async () => {
  await api.sql(
    `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash, created_at)
     select gen_random_uuid(), $1, $2, 'News', repeat('𝄞', 16000), json_build_array(json_build_object('text', repeat('𝄞', 11000))),
       ''::bytea, now() - number * interval '1 minute'
     from generate_series(1, 50) number`,
    [cup.guid, organiser.guid],
  )
  await touch(api, cup.guid)
  const walked = await walk(`/tournaments/${cup.guid}/updates`, 'updates')
  expect(walked.guids).toEqual(
    await inOrder('select guid from updates where tournament_guid = $1 order by created_at desc'),
  )
  expectFitting(walked)

  await api.sql(
    `select emit_event('update.edited', gen_random_uuid(), $1::uuid, $2::uuid,
       jsonb_build_object('content', repeat('𝄞', 16000)), jsonb_build_object('content', repeat('𝄢', 16000)), array[$1::text], false)
     from generate_series(1, 50)`,
    [cup.guid, organiser.guid],
  )
  const audit = await walk(`/tournaments/${cup.guid}/audit`, 'entries', 'subject')
  expect(audit.guids).toEqual(
    await inOrder('select subject as guid from event_log where tournament = $1 order by seq desc'),
  )
  expectFitting(audit)
})

test('of teams with their answers', async () => {
  const fields = Array.from({ length: 100 }, (_none, index) => ({
    guid: crypto.randomUUID(),
    label: `Question ${index}`,
    help: null,
    type: 'text',
    required: false,
    options: [],
    subject: 'team',
    private: false,
  }))
  await api.sql('update tournaments set additional_fields = $2::jsonb where guid = $1', [
    cup.guid,
    JSON.stringify(fields),
  ])
  const captains = await Promise.all(Array.from({ length: 20 }, () => api.user()))
  for (const captain of captains) await makeTeam(api, cup, captain)
  await api.sql(
    `insert into field_answers (team_guid, field_guid, response)
     select t.guid, f.guid, to_jsonb(repeat('𝄞', 1000))
     from teams t, unnest($2::uuid[]) as f (guid) where t.tournament_guid = $1`,
    [cup.guid, fields.map(({ guid }) => guid)],
  )
  await touch(api, cup.guid)
  const walked = await walk(`/tournaments/${cup.guid}/teams`, 'teams')
  expect(walked.guids).toEqual(await inOrder('select guid from teams where tournament_guid = $1 order by created_at'))
  expectFitting(walked)
})

test('of matches with the scores of many players', async () => {
  const { cup: played } = await makeBracket(api, { format: 'round_robin', teams: 7 })
  const players = Array.from({ length: 32 }, (_none, index) => ({
    userGuid: crypto.randomUUID(),
    side: (index % 2) + 1,
    score: 900_000 + index,
    accuracy: 0.9734,
  }))
  const games = Array.from({ length: 80 }, (_none, index) => ({
    number: index + 1,
    scores: [1, 2],
    winner: 1,
    detail: { sides: [{}, {}], players },
  }))
  await api.sql('update matches set games = $2::jsonb where tournament_guid = $1', [played.guid, JSON.stringify(games)])
  await touch(api, played.guid)
  const walked = await walk(`/tournaments/${played.guid}/matches`, 'matches')
  const made = 'select guid from matches where tournament_guid = $1 order by created_at, number'
  expect(walked.guids).toEqual((await api.sql<{ guid: string }>(made, [played.guid])).map(({ guid }) => guid))
  expectFitting(walked, 40_000)
})
