import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BracketBody, MadeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { importInto, sourceOf, takePackage } from '../../../../test/package-imports.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import { makeRandom, type Shape, shapesOf } from '../../../../test/random-tournaments.ts'
import { carried, expectSamePackage } from '../../../../test/round-trips.ts'
import { takes } from './rules.ts'

let first: Harness
let second: Harness
let owner: Caller
beforeAll(async () => {
  ;[first, second] = await Promise.all([startHarness(), startHarness()])
  owner = await second.user({ globalRoles: ['role:owner'] })
})
afterAll(async () => {
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()))
})

/** What a bracket says of its teams, by their short ids, which a copy keeps. */
async function standingsOf(path: string, bracket: string, { organiser }: Pick<MadeBracket, 'organiser'>) {
  const { body } = await first.get(`${path}/brackets/${bracket}`, organiser)
  const sides = ({ sides }: BracketBody) =>
    sides.map(({ team, score, result }: BracketBody) => [team?.id ?? null, score, result])
  return {
    matches: body.matches.map((match: BracketBody) => [match.number, match.status, match.outcome, ...sides(match)]),
    standings: body.standings.map(({ team, ...row }: BracketBody) => [team?.id ?? null, row]),
    ...{ status: body.status, placements: body.placements?.map(({ team }: BracketBody) => team.id) },
  }
}

let copies = 0

async function proof(shape: Shape, kinds: Map<string, number>, deeds: Map<string, number>): Promise<void> {
  const made = await makeRandom(first, shape)
  for (const each of made.refused) refused.set(...each)
  for (const [deed, times] of made.done) deeds.set(deed, (deeds.get(deed) ?? 0) + times)
  const original = await takePackage(first, made.cup.guid, made.organiser)
  const texts = await textsOf(original)
  const { counts } = JSON.parse(texts.get('manifest.json') ?? '')
  for (const [kind, rows] of Object.entries<number>(counts)) kinds.set(kind, (kinds.get(kind) ?? 0) + rows)
  await expectSamePackage(await carried(original, second, owner), original)

  const wish = { caller: made.organiser.guid, mode: 'copy', id: `copy-${++copies}` } as const
  const copy = await importInto(first, await sourceOf(original), wish)
  const copied = await textsOf(await takePackage(first, copy.tournamentGuid, made.organiser))
  const open = ({ sealed }: { readonly sealed?: boolean }) => sealed !== true
  for (const kind of Object.keys(counts)) {
    const isWhole = takes(kind, { mode: 'copy', parts: 'all' }) && kind !== 'people'
    const [are, were] = [copied, texts].map((each) => rowsIn(each, kind).filter(open).length)
    if (isWhole) expect([kind, are]).toEqual([kind, were])
  }
  for (const { status } of rowsIn(texts, 'sessions')) kinds.set(`session ${status}`, 1)
  const bracket = copy.guids[made.bracket.guid] ?? ''
  const path = `/tournaments/${copy.tournamentGuid}`
  expect(await standingsOf(path, bracket, made)).toEqual(await standingsOf(made.path, made.bracket.guid, made))
}

const kinds = new Map<string, number>()
const deeds = new Map<string, number>()
const refused = new Map<string, string>()

test.each(['single_elimination', 'double_elimination', 'round_robin', 'swiss'] as const)(
  'a random tournament (%s) comes back byte for byte, and its copy has its standings (P7, P8)',
  async (format) => {
    const shapes = fc.asyncProperty(shapesOf(format), (shape) => proof(shape, kinds, deeds))
    await fc.assert(shapes, { seed: 20_310_501, numRuns: 2, endOnFailure: true })
  },
)

test('these tournaments had results, corrections, qualifiers, pools, sessions, overlays and plans', () => {
  const wanted = 'attempts comments corrections games overlayVersions poolMaps sessionRows votes withdrawals'
  expect([...wanted.split(' '), 'session over', 'session running'].filter((kind) => !kinds.has(kind))).toEqual([])
  expect([...refused].filter(([deed]) => !deeds.has(deed))).toEqual([])
})
