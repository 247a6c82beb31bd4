import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BracketBody, deadlocks } from '../../../../test/bracket-play.ts'
import { expectAgreement, MatchPlay, makeFlow } from '../../../../test/flow-cases.ts'
import { type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'

/** Concurrent callers on two services with one database. Log and match agree afterwards, in any order. */

let api: Harness
let other: Harness
let made: MadeFlowPlay
let drawn: string
let next = 0

beforeAll(async () => {
  api = await startHarness()
  other = await api.sibling()
  made = await makeFlowPlay(api, { teams: 128, bestOf: 3, maps: 12 })
  drawn = await makeFlow(api, made, {
    name: 'Drawn',
    seats: 2,
    bestOf: null,
    pairs: [],
    rules: { replays: { rule: 'none' } },
    steps: [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }],
  })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

async function begin(count: number): Promise<MatchPlay[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const play = new MatchPlay(api, made, ++next)
      await play.begin({ flowGuid: drawn })
      return play
    }),
  )
}

const codes = (replies: readonly Reply[]) => replies.map((reply) => outcome(reply)[1] ?? 'done').toSorted()
const counted = (all: readonly (readonly string[])[]) => {
  const counts: Record<string, number> = {}
  for (const each of all) counts[each.join(' ')] = (counts[each.join(' ')] ?? 0) + 1
  return counts
}

const sides = (first: number, second: number) => [{ score: first }, { score: second }]
const scoresOf = (play: MatchPlay, ...totals: readonly number[]) => ({
  scores: totals.map((score, index) => ({ user: play.player(index + 1), score })),
})
const score = (service: Harness, play: MatchPlay, body: object) =>
  service.post(`${play.path}/scores`, made.referee, body)
const reportGame = (service: Harness, play: MatchPlay, game: number, body: object) =>
  service.put(`${made.match(play.number)}/games/${game}`, made.organiser, body)

describe('of two at once, one counts', () => {
  test('a map that is told by hand, and its scores', async () => {
    const plays = await begin(12)
    const all = await Promise.all(
      plays.map((play) => {
        const { position } = play.state
        return Promise.all([
          reportGame(api, play, 1, { sides: sides(400_000, 500_000) }),
          score(other, play, { expect: position, ...scoresOf(play, 900_000, 800_000) }),
        ])
      }),
    )
    for (const [index, play] of plays.entries()) {
      const [reported, scored] = all[index] as [Reply, Reply]
      const match = await play.agrees()
      const byHand = outcome(reported)[1] === null
      expect([outcome(reported), outcome(scored)]).toEqual(
        byHand
          ? [
              [200, null],
              [409, 'flow.moved'],
            ]
          : [
              [409, 'game.reported'],
              [200, null],
            ],
      )
      expect(match.games).toMatchObject([{ winner: byHand ? 2 : 1 }])
      expect(scored.body.state ?? scored.body).toMatchObject({ scoreline: byHand ? [0, 1] : [1, 0] })
    }
  })

  test('scores of two referees', async () => {
    const plays = await begin(12)
    const all = await Promise.all(
      plays.map((play) => {
        const { position } = play.state
        return Promise.all([
          score(api, play, { expect: position, ...scoresOf(play, 900_000, 800_000) }),
          score(other, play, { expect: position, ...scoresOf(play, 700_000, 800_000) }),
        ])
      }),
    )
    expect(counted(all.map(codes))).toEqual({ 'done flow.moved': 12 })
    // A request that names the map needs no position.
    const named = await Promise.all(
      plays.map((play) =>
        Promise.all([
          score(api, play, { game: 2, ...scoresOf(play, 900_000, 800_000) }),
          score(other, play, { game: 2, ...scoresOf(play, 700_000, 800_000) }),
        ]),
      ),
    )
    for (const [index, play] of plays.entries()) {
      const { games } = await play.agrees()
      expect(games).toHaveLength(2)
      expect(['done flow.over', 'done score.run_unknown']).toContain(codes(named[index] ?? []).join(' '))
    }
  })

  test('a score of the first map that is corrected, and scores of the second that decide', async () => {
    const plays = await begin(12)
    for (const play of plays) await play.win(1)
    const all = await Promise.all(
      plays.map((play) => {
        const { position, games } = play.state
        const [{ guid }] = games[0].chains[0][0].scores
        return Promise.all([
          api.patch(`${play.path}/scores/${guid}`, made.referee, {
            expect: position,
            score: 1,
            reason: 'A 0 too few.',
          }),
          score(other, play, { expect: position, ...scoresOf(play, 900_000, 800_000) }),
        ])
      }),
    )
    expect(counted(all.map(codes))).toEqual({ 'done flow.moved': 12 })
    for (const [index, play] of plays.entries()) {
      const corrected = outcome(all[index]?.[0] as Reply)[1] === null
      expect(await play.agrees()).toMatchObject({ status: corrected ? 'running' : 'completed' })
    }
  })

  test('beginnings', async () => {
    const numbers = Array.from({ length: 8 }, () => ++next)
    const body = { flowGuid: drawn, poolGuid: made.pool.guid }
    const all = await Promise.all(
      numbers.map((number) =>
        Promise.all([api, other].map((service) => service.post(`${made.match(number)}/flow`, made.referee, body))),
      ),
    )
    expect(counted(all.map(codes))).toEqual({ 'done flow.running': 8 })
  })

  test('a restart, and the scores of the first map', async () => {
    const plays = await begin(8)
    const all = await Promise.all(
      plays.map((play) => {
        const { position } = play.state
        return Promise.all([
          api.post(`${play.path}/restart`, made.referee, { expect: position, reason: 'The wrong pool.' }),
          score(other, play, { expect: position, ...scoresOf(play, 900_000, 800_000) }),
        ])
      }),
    )
    for (const [index, play] of plays.entries()) {
      const [restarted, scored] = all[index] as [Reply, Reply]
      const [first, second] = [outcome(restarted), outcome(scored)]
      expect([first[1], second[1]].filter((code) => code === null)).toHaveLength(1)
      if (first[1] === null) play.state = restarted.body
      expect((await play.agrees()).games).toHaveLength(first[1] === null ? 0 : 1)
    }
  })
})

test('whatever is done at once, log and match agree, and nothing fails', async () => {
  const plays = await begin(6)
  let seed = 20_260_101
  const below = (count: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % count
  }
  const points = () => 100_000 + below(8) * 100_000
  const deeds: readonly ((service: Harness, play: MatchPlay, match: BracketBody) => Promise<Reply>)[] = [
    (service, play) => score(service, play, scoresOf(play, points(), points())),
    (service, play) => score(service, play, scoresOf(play, points(), points())),
    (service, play) => score(service, play, scoresOf(play, points())),
    (service, play, { games }) => reportGame(service, play, games.length + 1, { sides: sides(points(), points() + 1) }),
    (service, play, { games, revision }) =>
      reportGame(service, play, Math.max(1, games.length), { sides: sides(points(), points() + 1), revision }),
    (service, play, { games }) =>
      service.delete(`${made.match(play.number)}/games/${Math.max(1, games.length)}`, made.organiser),
    (service, play) => service.post(`${play.path}/undo`, made.referee, { expect: play.state.position }),
    (service, play) =>
      service.post(`${play.path}/override`, made.referee, {
        expect: play.state.position,
        op: 'award_map',
        winner: 1 + below(2),
        reason: 'Chance.',
      }),
    (service, play) =>
      service.post(`${play.path}/penalties`, made.referee, {
        seat: 1 + below(2),
        type: 'map_loss',
        reason: 'Chance.',
        dropLater: true,
      }),
    (service, play) => service.post(`${play.path}/clock`, made.referee, { expect: play.state.position, op: 'resume' }),
    (service, play) => {
      const scores = play.state.games.flatMap(({ chains }: BracketBody) =>
        chains.flatMap((runs: BracketBody) => runs.flatMap((run: BracketBody) => run.scores)),
      )
      const { guid } = scores[below(scores.length)] ?? { guid: drawn }
      const body = { score: points(), reason: 'Chance.', dropLater: true }
      return service.patch(`${play.path}/scores/${guid}`, made.referee, body)
    },
    (service, play) =>
      service.put(`${made.match(play.number)}/result`, made.organiser, { outcome: 'score', scores: [2, 1] }),
    async (service, play) => {
      const { revision } = await made.read()
      return service.post(`${made.match(play.number)}/reopen`, made.organiser, { reason: 'Chance.', revision })
    },
    async (service, play) => {
      const { revision } = await made.read()
      const scores = play.state.games.flatMap(({ chains }: BracketBody) => chains[0]?.[0]?.scores ?? [])
      const { guid } = scores[0] ?? { guid: drawn }
      const body = { score: points(), reason: 'Chance.', dropLater: true, revision }
      return service.patch(`${play.path}/scores/${guid}`, made.referee, body)
    },
  ]
  const seen: Record<string, number> = {}
  for (let round = 0; round < 25; round += 1) {
    const matches = await Promise.all(plays.map((play) => play.match()))
    const replies = await Promise.all(
      plays.flatMap((play, index) =>
        [api, other].map((service) => {
          const deed = deeds[below(deeds.length)]
          if (deed === undefined) throw new Error('no deed')
          return deed(service, play, matches[index])
        }),
      ),
    )
    for (const reply of replies) {
      const [status, code] = outcome(reply)
      seen[code ?? 'done'] = (seen[code ?? 'done'] ?? 0) + 1
      expect(status, reply.text.slice(0, 500)).toBeLessThan(500)
    }
    for (const play of plays) {
      const state = await play.read()
      try {
        expectAgreement(state, await play.match())
      } catch (error) {
        const log = (await play.log()).map(({ position, kind, seat, data, undoneBy }) =>
          [position, kind, seat, JSON.stringify(data).slice(0, 200), undoneBy].join(' '),
        )
        throw new Error(`match ${play.number} in round ${round}:\n${log.slice(1).join('\n')}\n${error}`)
      }
    }
  }
  expect(seen.done).toBeGreaterThan(25)
  expect(seen['service.failed']).toBeUndefined()
  expect(await deadlocks(api)).toBeLessThan(50)
})
