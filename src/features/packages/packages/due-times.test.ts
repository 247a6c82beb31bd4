import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { caughtUp } from '../../../../test/event-log.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { type MadeTournament, makeTeam, makeTournament } from '../../../../test/make.ts'
import { formOf } from '../../../../test/media.ts'
import { takePackage } from '../../../../test/package-imports.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'
import { expectSamePackage } from '../../../../test/round-trips.ts'
import { fieldsFollower } from '../../teams/teams/followers.ts'

/** Packages of a restored tournament name what was due before, and nothing of it is done because of the restore. (P6, P7) */

const field = {
  ...{ guid: randomUUID(), label: 'Number', help: null, type: 'text', required: false, options: [] },
  ...{ subject: 'team', private: false },
}

/** A tournament in which a pool, a map, an announcement and an answer wait. */
interface Waiting {
  readonly cup: MadeTournament
  readonly draft: string
  readonly published: string
  /** Of the published pool. */
  readonly map: string
  readonly shownMap: string
  readonly team: string
}

async function makeWaiting(api: Harness, organiser: Caller): Promise<Waiting> {
  const cup = await makeTournament(api, organiser, { additionalFields: [field] })
  const maps = (await makeMaps(api, 2)).map(({ guid }) => guid)
  const draft = await makePool(api, cup.guid, { name: 'Draft', maps })
  const { guid: published, poolMaps } = await makePool(api, cup.guid, { status: 'published', maps })
  const [shownMap = '', map = ''] = poolMaps
  const { guid: team } = await makeTeam(api, cup, await api.user(), { status: 'registered' })
  await api.sql(
    `insert into field_answers (team_guid, field_guid, response, is_private) values ($1, $2, '"555 0100"', true)`,
    [team, field.guid],
  )
  return { cup, draft: draft.guid, published, map, shownMap, team }
}

/** Sets the four times to an hour ago. */
async function setDue(api: Harness, { draft, published, map, team }: Waiting): Promise<void> {
  const at = `now() - interval '1 hour'`
  await api.sql(
    `with publish as (update pools set publish_at = ${at} where guid = $1),
       announce as (update pools set announce_at = ${at} where guid = $2),
       release as (update pool_maps set release_at = ${at}, released_at = null where guid = $3)
     update field_answers set public_at = ${at} where team_guid = $4`,
    [draft, published, map, team],
  )
}

/** Which of the four have been done. */
async function doneIn(api: Harness, { draft, published, map, team }: Waiting) {
  const [row] = await api.sql<Record<'publishing' | 'releasing' | 'announcing' | 'answering', boolean>>(
    `select (select status <> 'draft' from pools where guid = $1) as publishing,
       (select released_at is not null from pool_maps where guid = $3) as releasing,
       exists (select from event_log where type = 'pool.announced' and subject = $2) as announcing,
       (select not is_private from field_answers where team_guid = $4) as answering`,
    [draft, published, map, team],
  )
  return row
}

const nothing = { publishing: false, releasing: false, announcing: false, answering: false }
const everything = { publishing: true, releasing: true, announcing: true, answering: true }
const patient = { timeout: 60_000, interval: 50 }

let first: Harness
let next: Harness
beforeAll(async () => {
  ;[first, next] = await Promise.all([startHarness(), startHarness()])
})
afterAll(() => Promise.all([first, next].map((each) => each[Symbol.asyncDispose]())))

test('what was due before a tournament is restored stays in its packages, and only new dates count', async () => {
  const organiser = await first.user()
  const waiting = await makeWaiting(first, organiser)
  const { cup, draft, published, map, shownMap } = waiting
  let original: Buffer = Buffer.alloc(0)
  // Work that is due locks the tournament.
  await whileHeld(first, ['select from tournaments where guid = $1 for no key update', cup.guid], async () => {
    await setDue(first, waiting)
    original = await takePackage(first, cup.guid, organiser)
  })
  const texts = await textsOf(original)
  const past = (kind: string, name: string) =>
    rowsIn(texts, kind).filter((row) => Date.parse(String(row[name])) < Date.now()).length
  expect([past('pools', 'publishAt'), past('pools', 'announceAt')]).toEqual([1, 1])
  expect([past('poolMaps', 'releaseAt'), past('answers', 'publicAt')]).toEqual([1, 1])
  await expect.poll(() => doneIn(first, waiting), patient).toEqual(everything)

  const owner = await next.user({ globalRoles: ['role:owner'] })
  const form = formOf(original, { mode: 'restore', trust: 'true' })
  expect(outcome(await next.call('POST', '/tournaments/import', { as: owner, ...form }))).toEqual([201, null])
  // Once these are done, the service has looked at all that is due.
  const other = await makeWaiting(next, owner)
  await setDue(next, other)
  await expect.poll(() => doneIn(next, other), patient).toEqual(everything)
  expect(await doneIn(next, waiting)).toEqual(nothing)
  await expectSamePackage(await takePackage(next, cup.guid, owner), original)

  const path = `/tournaments/${cup.guid}`
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const reason = 'For a test.'
  for (const [verb, at, body] of [
    ['POST', `/pools/${draft}/publish`, { publishAt: later }],
    ['PATCH', `/pools/${published}/maps/${map}`, { releaseAt: later, reason }],
    ['PATCH', `/pools/${published}/maps/${shownMap}`, { note: 'First.', reason }],
    ['PATCH', '', { additionalFields: [{ ...field, label: 'Telephone' }] }],
  ] as const) {
    const reply = await next.call(verb, `${path}${at}`, { as: owner, body })
    expect([at, ...outcome(reply)]).toEqual([at, 200, null])
  }
  await caughtUp(next, fieldsFollower)
  expect(await doneIn(next, waiting)).toEqual({ ...nothing, announcing: expect.any(Boolean) })
  await next.sql('update pools set publish_at = now() where guid = $1 and publish_at > now()', [draft])
  await next.sql('update pool_maps set release_at = now() where guid = $1 and release_at > now()', [map])
  await next.sql('update field_answers set public_at = now() where team_guid = $1 and public_at > now()', [
    waiting.team,
  ])
  await expect.poll(() => doneIn(next, waiting), patient).toEqual(everything)
})
