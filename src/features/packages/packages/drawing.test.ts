import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectChecked, expectWhole, playDrawn } from '../../../../test/drawn-maps.ts'
import type { MatchPlay } from '../../../../test/flow-cases.ts'
import { type MadeFlowPlay, makeFlowPlay, type StateBody } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { touch } from '../../../../test/make.ts'
import { type Forgery, importInto, sourceOf, takePackage } from '../../../../test/package-imports.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import { carried, expectSamePackage } from '../../../../test/round-trips.ts'

import type { PublishedKey } from '../../../core/packages/signatures.ts'

/** The draws of a match can be checked in a copy of its tournament, and in a copy of that. (P6; match-flows: Draws) */

let first: Harness
let second: Harness
let third: Harness
let organiser: Caller
let owner: Caller
let made: MadeFlowPlay
let play: MatchPlay
let original: Buffer
let keys: readonly PublishedKey[]
/** GUID of the session that drew. */
let drew: string
/** A roll, two draws that are one, and another map. */
const draws = 4

beforeAll(async () => {
  ;[first, second, third] = await Promise.all([startHarness(), startHarness(), startHarness()])
  ;[organiser, owner] = [await second.user(), await third.user({ globalRoles: ['role:owner'] })]
  made = await makeFlowPlay(first)
  play = await playDrawn(first, made)
  drew = play.state.session
  original = await takePackage(first, made.cup.guid, made.organiser)
  const published = await Promise.all(
    [first, second, third].map(async ({ url }): Promise<{ keys: PublishedKey[] }> => {
      const reply = await fetch(`${url}/.well-known/package-keys.json`)
      return JSON.parse(await reply.text())
    }),
  )
  keys = published.flatMap((each) => each.keys)
})
afterAll(async () => {
  await Promise.all([first, second, third].map((each) => each[Symbol.asyncDispose]()))
})

/** Makes a copy, and takes a package of it. */
async function copied(api: Harness, bytes: Buffer, id: string, query?: string) {
  const caller = api === third ? owner : organiser
  const { tournamentGuid, skipped } = await importInto(api, await sourceOf(bytes), {
    ...{ mode: 'copy', id, caller: caller.guid },
  })
  const whole = await takePackage(api, tournamentGuid, caller, query)
  return { path: `/tournaments/${tournamentGuid}`, guid: tournamentGuid, whole, skipped }
}

const sessionIn = async (bytes: Buffer): Promise<StateBody> => rowsIn(await textsOf(bytes), 'sessions')[0]

test('a copy, and a copy of it, say with which GUID was drawn, and are imported and restored again', async () => {
  await expectChecked(first, made.path, made.organiser, { drawnAs: drew, draws })
  expect(await sessionIn(original)).toMatchObject({ guid: drew, drawnAs: null })
  const [one, two] = [await copied(second, original, 'copy-1'), await copied(second, original, 'copy-2')]
  const again = await copied(second, one.whole, 'copy-of-1')
  const last = await copied(third, again.whole, 'copy-of-it')
  for (const { path, whole } of [one, two, again]) {
    const { session } = await expectChecked(second, path, organiser, { drawnAs: drew, draws })
    expect(session).not.toBe(drew)
    expect(await sessionIn(whole)).toMatchObject({ guid: session, drawnAs: drew })
    await expectWhole(whole, keys)
  }
  await expectChecked(third, last.path, owner, { drawnAs: drew, draws })
  // Restored, it is the same byte for byte.
  await expectSamePackage(await carried(again.whole, third, owner), again.whole)
  await expectChecked(third, again.path, owner, { drawnAs: drew, draws })
})

test('a copy of what everybody may read says it, one without names has no session, and tells no GUID', async () => {
  await first.sql(`update tournaments set status = 'completed', completed_at = now() where guid = $1`, [made.cup.guid])
  await touch(first, made.cup.guid)
  const [open, nameless] = [
    await takePackage(first, made.cup.guid, made.organiser, 'variant=public'),
    await takePackage(first, made.cup.guid, made.organiser, 'variant=anonymised'),
  ]
  const shown = await copied(second, open, 'copy-of-shown')
  await expectChecked(second, shown.path, organiser, { drawnAs: drew, draws })
  const further = await copied(second, shown.whole, 'copy-of-shown-2')
  await expectChecked(second, further.path, organiser, { drawnAs: drew, draws })
  await second.sql(`update tournaments set status = 'completed', approved_at = now() where guid = $1`, [further.guid])
  await touch(second, further.guid)
  expect(await sessionIn(await takePackage(second, further.guid, organiser, 'variant=public'))).toMatchObject({
    drawnAs: drew,
  })
  const bare = await copied(second, nameless, 'copy-of-nameless')
  expect(bare.skipped.map(({ path }) => path)).toContain('data/sessions.ndjson')
  expect((await second.get(`${bare.path}/flow-sessions`, organiser)).body.sessions).toEqual([])
  const texts = await textsOf(await takePackage(second, further.guid, organiser, 'variant=anonymised'))
  expect(rowsIn(texts, 'sessions').map((row) => Object.hasOwn(row, 'drawnAs'))).toEqual([false])
  expect([...texts.values()].join('')).not.toContain(drew)
})

test('a rehearsal of a copy has its draws', async () => {
  const { path } = await copied(second, original, 'rehearsed')
  const reply = await second.post(`${path}/rehearsals`, organiser, { name: 'Dry run' })
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  await expectChecked(second, `/tournaments/${reply.body.guid}`, organiser, { drawnAs: drew, draws })
})

test('what is drawn in a copy after its match was opened again is drawn with the same GUID', async () => {
  const { path, guid } = await copied(second, original, 'played-on')
  await second.sql(`update tournaments set status = 'ongoing', approved_at = now() where guid = $1`, [guid])
  await touch(second, guid)
  const before = await expectChecked(second, path, organiser, { drawnAs: drew, draws })
  const at = `${path}/flow-sessions/${before.session}`
  const wrong = before.games[1].chains.at(-1)[0].scores.find(({ seat }: StateBody) => seat === 1)
  const body = { expect: before.position, score: 950_000, reason: 'Typed wrongly.' }
  const preview = await second.patch(`${at}/scores/${wrong.guid}?dryRun=true`, organiser, body)
  expect([preview.status, preview.text]).toEqual([200, expect.any(String)])
  const revision = preview.body.revision
  const corrected = await second.patch(`${at}/scores/${wrong.guid}`, organiser, { ...body, revision })
  expect([corrected.status, corrected.text]).toEqual([200, expect.any(String)])
  let state = corrected.body.state
  if (state.status === 'paused') {
    const resumed = await second.post(`${at}/clock`, organiser, { expect: state.position, op: 'resume' })
    expect(outcome(resumed)).toEqual([200, null])
    state = resumed.body
  }
  const scores = state.seats.map(({ speakers }: StateBody, seat: number) => ({
    ...{ user: speakers[0].guid, score: seat === 1 ? 950_000 : 900_000 },
  }))
  expect(outcome(await second.post(`${at}/scores`, organiser, { expect: state.position, scores }))).toEqual([200, null])
  const after = await expectChecked(second, path, organiser, { drawnAs: drew, draws: draws + 1 })
  const counted = await second.sql('select played from flow_map_results where session_guid = $1', [after.session])
  expect(counted).toEqual([1, 1, 1].map((played) => ({ played })))
  expect([after.status, after.draws.earlier.length]).toEqual(['over', 1])
  const whole = await takePackage(second, guid, organiser)
  const next = await copied(second, whole, 'played-on-2')
  await expectChecked(second, next.path, organiser, { drawnAs: drew, draws: draws + 1 })
})

test('another GUID than the one that drew is refused; where a package of an earlier version lacks it, it is its own', async () => {
  const { whole } = await copied(second, original, 'forged')
  const forging = (change: object): Forgery => ({ sessions: ([row]) => [{ ...row, ...change }] })
  const refusal = async (forgery: Forgery, wish: object = {}) =>
    importInto(third, await sourceOf(whole, forgery), { caller: owner.guid, ...wish }).then(
      () => null,
      ({ code, data }) => [code, data.path],
    )
  const { guid } = await sessionIn(whole)
  const another = '00000000-0000-4000-8000-00000000abcd'
  const copy = { mode: 'copy', id: 'never-made' }
  const notDrawn = ['package.row', 'data/sessionRows.ndjson']
  for (const wish of [{}, copy]) {
    for (const drawnAs of [another, null]) expect(await refusal(forging({ drawnAs }), wish)).toEqual(notDrawn)
    expect(await refusal(forging({ drawnAs: 'nothing' }), wish)).toEqual(['package.row', 'data/sessions.ndjson'])
  }
  // Its own has one form alone, or two packages of one state would differ.
  expect(await refusal(forging({ drawnAs: guid }))).toEqual(['package.row', 'data/sessions.ndjson'])
  const first = await sourceOf(original, { sessions: ([row]) => [withoutDrawnAs(row)] })
  const older = { ...first, manifest: { ...first.manifest, version: '0.9' } }
  const { tournamentGuid } = await importInto(third, older, { caller: owner.guid })
  await expectChecked(third, `/tournaments/${tournamentGuid}`, owner, { drawnAs: drew, draws })
})

function withoutDrawnAs({ drawnAs: _drawnAs, ...row }: Readonly<Record<string, unknown>> = {}) {
  return row
}
