import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FlowTable, poolOf, teamOf } from '../../../test/flow-table.ts'
import { anyFlow } from '../../../test/flows/random-flow.ts'
import { chanceOf, RandomPlayer, type Temper, warningGuid } from '../../../test/flows/random-play.ts'
import { pictureOfFollower, pictureOfState } from '../../../test/flows/second-picture.ts'
import { type Follower, follow } from '../../../test/flows/second-replayer.ts'
import type { Flow } from './flow.ts'
import { mapsNeeded, presets } from './presets.ts'
import { validateFlow } from './validate/flow.ts'

/** Sessions that are played at random to their end. (match-flows: What proves it) */

const names = presets.map(({ name }) => name)

function sideTeams(flow: Flow, spare: number) {
  const players = flow.rules.map.players ?? 1
  return Array.from({ length: flow.seats }, (_, index) => teamOf(index + 1, players + spare))
}

function tableOf(name: string, isSpare: boolean): FlowTable {
  const preset = presets.find((each) => each.name === name)
  if (preset === undefined) throw new Error(name)
  const bestOf = preset.flow.bestOf ?? (preset.flow.rules.play.mode === 'play_all' ? null : 5)
  const flow: Flow = { ...preset.flow, bestOf }
  const maps = mapsNeeded(preset, bestOf ?? 1) + (isSpare ? 3 : 0)
  const isFlagged = JSON.stringify(flow).includes('"flagged"')
  const pool = poolOf(maps, (number) => ({ isTiebreaker: isFlagged && number === maps }))
  return new FlowTable({
    flow,
    pool,
    teams: sideTeams(flow, flow.rules.map.players === null ? 0 : 2),
    isFree: flow.seats > 2,
  })
}

/** The number of actions after which a session of a flow that is not validated stops. */
const enough = 40
const most = 800

/** @param after called after each action */
function playOut(
  table: FlowTable,
  seed: number,
  temper: Temper,
  after: (second: Follower, deeds: string) => void,
  isEnough: (deeds: number) => boolean = () => false,
): Follower {
  const player = new RandomPlayer(table, chanceOf(seed), temper)
  const deeds: string[] = []
  for (let count = 0; table.state.status !== 'over' && !isEnough(count); count += 1) {
    if (count > most) throw new Error(`it does not end: ${deeds.slice(-30).join(', ')}`)
    deeds.push(player.step())
    after(follow(table.rows, warningGuid), deeds.join(', '))
  }
  return follow(table.rows, warningGuid)
}

function agree({ state }: FlowTable, second: Follower, deeds: string): void {
  expect(pictureOfFollower(second), deeds).toEqual(pictureOfState(state))
}

const anySeed = fc.integer()

describe('sessions that are played by chance', () => {
  test('of presets end within the worst case that their judge tells', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), anySeed, fc.boolean(), (name, seed, isSpare) => {
        const table = tableOf(name, isSpare)
        const { flow, pool } = table.machine.start
        const facts = pool.map(({ isTiebreaker }) => ({ flair: null, isTiebreaker }))
        const { valid, worstCase } = validateFlow(flow, { bestOf: flow.bestOf, pool: facts })
        expect(valid).toBe(true)
        const second = playOut(table, seed, { rulings: 0, lapses: 0.2, ties: 0.1 }, () => {})
        agree(table, second, '')
        expect(second.turns, name).toBeLessThanOrEqual(worstCase.steps ?? 0)
        expect(table.rows.some(({ kind }) => kind === 'reveal')).toBe(true)
      }),
      { numRuns: 120 },
    )
  })

  test('of presets are the same by both readings of the log', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), anySeed, fc.boolean(), (name, seed, isSpare) => {
        const table = tableOf(name, isSpare)
        playOut(table, seed, { rulings: 0.15, lapses: 0.15, ties: 0.1 }, (second, deeds) => agree(table, second, deeds))
      }),
      // In this example, a map that is played again is level while the next one is picked already.
      { numRuns: 80, examples: [['paidia-bo3', -96904595, false]] },
    )
  })

  test('of any flow are the same by both readings of the log', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const chance = chanceOf(seed)
        const { flow, pool } = anyFlow(chance)
        const table = new FlowTable({ flow, pool, teams: sideTeams(flow, 1), isFree: flow.seats > 2 })
        playOut(
          table,
          seed,
          { rulings: 0.15, lapses: 0.3, ties: 0.1 },
          (second, deeds) => agree(table, second, deeds),
          (deeds) => deeds > enough,
        )
      }),
      // In this example, the last map is taken away from a block in which only lost bans and picks are left.
      { numRuns: 150, examples: [[-841800841]] },
    )
  })
})
