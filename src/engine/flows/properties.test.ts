import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FlowTable, poolOf, teamOf } from '../../../test/flow-table.ts'
import { chanceOf, RandomPlayer, warningGuid } from '../../../test/flows/random-play.ts'
import { pictureOfFollower, pictureOfState } from '../../../test/flows/second-picture.ts'
import { follow } from '../../../test/flows/second-replayer.ts'
import type { Flow } from './flow.ts'
import { mapsNeeded, presets } from './presets.ts'

/** Sessions of all presets, played by chance to their ends. (match-flows: What proves it) */

const names = presets.map(({ name }) => name)

function tableOf(name: string, isSpare: boolean): FlowTable {
  const preset = presets.find((each) => each.name === name)
  if (preset === undefined) throw new Error(name)
  const bestOf = preset.flow.bestOf ?? (preset.flow.rules.play.mode === 'play_all' ? null : 5)
  const players = preset.flow.rules.map.players ?? 1
  const flow: Flow = {
    ...preset.flow,
    bestOf,
    rules: { ...preset.flow.rules, map: { ...preset.flow.rules.map, players } },
  }
  const maps = mapsNeeded(preset, bestOf ?? 1) + (isSpare ? 4 : 1)
  // The last one is the tiebreaker where there is one.
  const pool = poolOf(maps, (number) => ({ isTiebreaker: number === maps }))
  const teams = Array.from({ length: flow.seats }, (_, index) => teamOf(index + 1, players + (players > 1 ? 2 : 0)))
  return new FlowTable({ flow, pool, teams, isFree: flow.seats > 2 })
}

const most = 600

describe('sessions that are played by chance', () => {
  test('end, and are the same by both readings of the log', () => {
    let rows = 0
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.integer(), fc.boolean(), (name, seed, isSpare) => {
        const chance = chanceOf(seed)
        const table = tableOf(name, isSpare)
        const player = new RandomPlayer(table, chance, { rulings: 0.1, lapses: 0.15, ties: 0.08 })
        const deeds: string[] = []
        for (let count = 0; table.state.status !== 'over'; count += 1) {
          if (count > most) throw new Error(`${name} does not end: ${deeds.slice(-20).join(', ')}`)
          deeds.push(player.step())
          const second = follow(table.rows, warningGuid)
          expect(pictureOfFollower(second), deeds.join(', ')).toEqual(pictureOfState(table.state))
        }
        rows += table.rows.length
      }),
      { numRuns: 100 },
    )
    expect(rows).toBeGreaterThan(1_000)
  })
})
