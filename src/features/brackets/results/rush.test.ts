import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BracketBody, deadlocks, makeBracket, playOut } from '../../../../test/bracket-play.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'

let api: Harness
let services: readonly Harness[]
beforeAll(async () => {
  api = await startHarness()
  services = [api, await api.sibling()]
})
afterAll(async () => {
  for (const service of services.toReversed()) await service[Symbol.asyncDispose]()
})

/** The final state of a bracket without GUIDs and other values that differ between brackets. */
function comparable({ matches, standings, status }: BracketBody) {
  return {
    status,
    matches: matches.map(({ number, status: state, outcome: ended, sides }: BracketBody) => [
      ...[number, state, ended],
      ...sides.map(({ team, score, result }: BracketBody) => [team?.id ?? null, score, result]),
    ]),
    standings: standings.map(({ team, ...row }: BracketBody) => ({ ...row, team: team.id })),
  }
}

describe('everything at once, on two processes, comes to the same as one after the other', () => {
  test('210 results of a round robin', async () => {
    const options = { teams: 21, format: 'round_robin' } as const
    const made = await makeBracket(api, options)
    expect(made.bracket.matches).toHaveLength(210)
    const together = await playOut(services, made, 210)
    expect(together.revision).toBe(made.bracket.revision + 210)
    const sequence = await playOut(services, await makeBracket(api, options), 1)
    expect(comparable(together)).toEqual(comparable(sequence))
    expect(together.standings.map(({ rank, team, won }: BracketBody) => [rank, team.id, won])).toEqual(
      Array.from({ length: 21 }, (_, index) => [index + 1, `team-${index + 1}`, 20 - index]),
    )
  })

  test('a double elimination of 64, round by round', async () => {
    const made = await makeBracket(api, { teams: 64, format: 'double_elimination' })
    const end = await playOut(services, made, 64)
    expect(end.status).toBe('completed')
    // The better seed always wins: 1 and 2 meet in the upper final and in the final, which 1 wins, so there is no
    // second final.
    expect(end.matches.at(-1)).toMatchObject({ status: 'cancelled', conditional: true })
    expect(end.standings.slice(0, 4).map(({ rank, team }: BracketBody) => [rank, team.id])).toEqual([
      ...[
        [1, 'team-1'],
        [2, 'team-2'],
        [3, 'team-3'],
        [4, 'team-4'],
      ],
    ])
    const reported = end.matches.filter(({ outcome: ended }: BracketBody) => ended === 'score')
    expect(reported).toHaveLength(2 * 64 - 2)
    expect(end.revision).toBe(made.bracket.revision + reported.length)
  })
})

test('in all of this nobody waited in a circle', async () => {
  expect(await deadlocks(api)).toBe(0)
})
