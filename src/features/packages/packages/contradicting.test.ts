import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBracket, type BracketBody, type MadeBracket, playOut } from '../../../../test/bracket-play.ts'
import { MatchPlay, makeFlow } from '../../../../test/flow-cases.ts'
import { type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type Forgery, sourceOf, takePackage } from '../../../../test/package-imports.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import { importPackage } from './commands/importing.ts'
import type { ImportWish } from './types.ts'

/**
 * A tournament that was played through requests, with corrections, withdrawals and a match by a flow, is imported; with one value
 * changed it is not. (P6)
 */

let first: Harness
let second: Harness
let caller: Caller
let made: MadeFlowPlay
let original: Buffer
let texts: ReadonlyMap<string, string>
/** By the name of its format. */
const brackets: Record<string, string> = {}

beforeAll(async () => {
  ;[first, second] = await Promise.all([startHarness(), startHarness()])
  caller = await second.user({ globalRoles: ['role:owner'] })
  made = await makeFlowPlay(first, { teams: 7, bestOf: 3, bracket: { format: 'double_elimination' } })
  brackets.double_elimination = made.bracket.guid
  await playFlow()
  await correctAndWithdraw()
  await playOut([first], made, 4)
  for (const [format, settings] of [
    ['round_robin', { groups: 2 }],
    ['single_elimination', { thirdPlace: true }],
    ['swiss', { rounds: 3 }],
  ] as const) {
    const { organiser, path } = made
    const teams = made.teams.filter((_, index) => index !== 5)
    const { guid } = await addBracket(first, { path, organiser, teams }, { format, settings, division: 'main' })
    brackets[format] = guid
    await playRounds({ ...made, read: async () => (await first.get(`${path}/brackets/${guid}`, organiser)).body })
  }
  const completed = await first.post(`${made.path}/status`, made.organiser, { status: 'completed' })
  expect(outcome(completed)).toEqual([200, null])
  original = await takePackage(first, made.cup.guid, made.organiser)
  texts = await textsOf(original)
})
afterAll(async () => {
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()))
})

/** The first match is played by a flow that draws its maps. */
async function playFlow(): Promise<void> {
  const steps = [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }]
  const rules = { replays: { rule: 'none' } }
  const flowGuid = await makeFlow(first, made, { name: 'Drawn', seats: 2, bestOf: null, pairs: [], rules, steps })
  const { number } = made.bracket.matches.find(({ status }: BracketBody) => status === 'ready')
  const play = new MatchPlay(first, made, number)
  await play.begin({ flowGuid })
  await play.win(1)
  await play.undo()
  await play.winAll(2)
}

async function correctAndWithdraw(): Promise<void> {
  const open = (await made.read()).matches.filter(({ status }: BracketBody) => status === 'ready')
  const [match, other] = open
  for (const game of [1, 2]) {
    const sides = [{ score: 5_000 }, { score: 4_000 }]
    const told = await first.put(`${made.match(match.number)}/games/${game}`, made.organiser, { sides })
    expect(outcome(told)).toEqual([200, null])
  }
  const { revision } = await made.read()
  const corrected = await made.tell(match.number, { outcome: 'score', scores: [1, 2], revision })
  expect(outcome(corrected)).toEqual([200, null])
  await made.tell(other.number, { outcome: 'walkover', winner: 1 })
  const leave = (seed: number) =>
    first.post(`${made.path}/teams/team-${seed}/withdraw`, made.organiser, { reason: 'Ill', policy: 'walkover' })
  expect(outcome(await leave(6))).toEqual([200, null])
  expect(outcome(await leave(3))).toEqual([200, null])
  const back = `${made.path}/teams/team-3/withdrawal`
  const { revisions } = (await first.call('DELETE', `${back}?dryRun=true`, { as: made.organiser })).body
  const body = { reason: 'Well again.', revisions }
  expect(outcome(await first.call('DELETE', back, { as: made.organiser, body }))).toEqual([200, null])
}

async function playRounds(bracket: MadeBracket): Promise<void> {
  const { guid, format, settings } = await bracket.read()
  const rounds = format === 'swiss' ? settings.rounds : 1
  for (let round = 1; round <= rounds; round += 1) {
    await playOut([first], bracket, 4)
    if (round < rounds) {
      expect(outcome(await first.post(`${made.path}/brackets/${guid}/rounds`, made.organiser))).toEqual([201, null])
    }
  }
}

/** What an import is refused with; null for one that is not. It is always taken back. */
async function refusal(forgery: Forgery, wish: Partial<ImportWish> = {}) {
  const source = await sourceOf(original, forgery)
  const whole: ImportWish = { mode: 'restore', id: null, parts: 'all', caller: caller.guid, ...wish }
  const { database, services } = second.app
  const taken = new Error('taken back')
  return database
    .transaction(async (tx) => {
      await importPackage(tx, source, whole, { services, now: new Date() })
      throw taken
    })
    .catch((error) => (error === taken ? null : [error.code, error.data]))
}

type Row = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: rows are read as JSON
type Any = any

/** Changes the one row of a kind that fits, and tells its line. */
function changing(kind: string, fits: (row: Any) => boolean, change: (row: Any) => Row) {
  const rows = rowsIn(texts, kind)
  const at = rows.findIndex(fits)
  expect([kind, at]).not.toEqual([kind, -1])
  const forge = (all: Row[]) => all.map((row, index) => (index === at ? { ...row, ...change(row) } : row))
  return { forgery: { [kind]: forge }, line: at + 1 }
}

const isIn = (format: string) => (row: Any) => row.bracketGuid === brackets[format] && row.status === 'completed'
const side = (at: number, change: Row) => (row: Any) => ({
  sides: row.sides.map((each: Row, index: number) => (index === at ? { ...each, ...change } : each)),
})

const oneGroup = ({ settings }: Any): Row => ({ settings: { ...settings, groups: 1 } })

const lies: readonly (readonly [
  what: string,
  kind: string,
  fits: (row: Any) => boolean,
  change: (row: Any) => Row,
  member: string,
])[] = [
  ['a score', 'matches', isIn('round_robin'), side(0, { score: 7 }), 'sides'],
  ['a result', 'matches', isIn('swiss'), side(0, { result: 'draw' }), 'sides'],
  ['a status', 'matches', isIn('single_elimination'), () => ({ status: 'running' }), 'completedAt'],
  ['an outcome', 'matches', isIn('double_elimination'), () => ({ outcome: 'double_forfeit' }), 'outcome'],
  [
    'a team that another match sends on',
    'matches',
    (row) => isIn('single_elimination')(row) && row.sides[0].from !== null,
    ({ team2Guid }) => ({ team1Guid: team2Guid }),
    'team1Guid',
  ],
  [
    'a next match',
    'matches',
    (row) => isIn('double_elimination')(row) && row.loserMatchGuid !== null && row.loserMatchGuid !== row.nextMatchGuid,
    ({ loserMatchGuid }) => ({ nextMatchGuid: loserMatchGuid }),
    'nextMatchGuid',
  ],
  ['a round', 'matches', isIn('round_robin'), ({ round }) => ({ round: round + 1 }), 'round'],
  ['a place in the order', 'matches', isIn('round_robin'), () => ({ number: 900 }), 'matches'],
  ['a decision', 'matches', (row) => isIn('swiss')(row) && row.decision !== null, decided, 'sides'],
  ['a game', 'games', (row) => row.winner === 1, () => ({ winner: 0 }), 'matches'],
  ['a number of a game', 'games', (row) => row.number === 2, () => ({ number: 3 }), 'number'],
  ['an entrant', 'entrants', (row) => row.slot === 2, () => ({ seed: 1 }), 'seed'],
  ['a withdrawal', 'entrants', (row) => row.withdrawal !== null, () => ({ withdrawal: null }), 'matches'],
  ['the status of a bracket', 'brackets', () => true, () => ({ status: 'ready' }), 'status'],
  ['a number of open matches', 'brackets', () => true, () => ({ open: 1 }), 'open'],
  ['a number of rounds', 'brackets', ({ format }) => format === 'swiss', () => ({ roundsMade: 2 }), 'roundsMade'],
  ['a setting', 'brackets', ({ format }) => format === 'round_robin', oneGroup, 'brackets'],
  ['a place', 'placements', ({ place }) => place === 1, () => ({ place: 2 }), 'place'],
  [
    'a match that a correction keeps',
    'corrections',
    ({ matchGuid }) => matchGuid !== null,
    ({ before }) => ({ before: before.map((kept: Any) => ({ ...kept, match: { ...kept.match, round: 9 } })) }),
    'before',
  ],
  ['the end of a log', 'sessions', () => true, ({ position }) => ({ position: position + 1 }), 'position'],
  ['a status of a log', 'sessions', () => true, () => ({ status: 'void', shownStatus: 'void' }), 'status'],
  ['a seed', 'sessions', () => true, () => ({ seed: '00'.repeat(32) }), 'seed'],
  [
    'a row that was taken back',
    'sessionRows',
    ({ undoneBy }) => undoneBy !== null,
    () => ({ undoneBy: null }),
    'undoneBy',
  ],
  ['a drawn map', 'sessionRows', ({ kind, undoneBy }) => kind === 'random' && undoneBy !== null, anotherMap, 'data'],
]

function decided({ decision }: Any): Row {
  const { scores, winner } = decision
  return { decision: { ...decision, winner: 1 - winner, scores: scores?.toReversed() ?? null } }
}

function anotherMap({ mapGuid }: Any): Row {
  const drawn = rowsIn(texts, 'sessionRows').flatMap((row) => (row.mapGuid === null ? [] : [row.mapGuid]))
  return { mapGuid: drawn.find((each) => each !== mapGuid) }
}

test.each(lies)('%s that contradicts other rows is refused', async (_what, kind, fits, change, member) => {
  const { forgery, line } = changing(kind, fits, change)
  for (const wish of [{}, { mode: 'copy', id: 'a-copy' }] as const) {
    const found = await refusal(forgery, wish)
    // Placements are not copied.
    if (found === null && 'mode' in wish) expect(kind).toBe('placements')
    else if (member === 'matches' || member === 'brackets') {
      expect(found).toEqual([
        'package.row',
        {
          path: `data/${member}.ndjson`,
          line: expect.any(Number),
          member: expect.toBeOneOf([expect.any(String), null]),
        },
      ])
    } else expect(found).toEqual(['package.row', { path: `data/${kind}.ndjson`, line, member }])
  }
})

test('as it was played, it is imported as a copy and restored', async () => {
  expect(rowsIn(texts, 'corrections').length).toBeGreaterThan(1)
  expect(rowsIn(texts, 'placements').length).toBeGreaterThan(1)
  expect(await refusal({}, { mode: 'copy', id: 'the-copy' })).toBeNull()
  expect(await refusal({})).toBeNull()
})
