import { finalGames, isAbout, type Machine } from '../../../../engine/flows/machine.ts'
import { outcomeOf } from '../../../../engine/flows/outcomes.ts'
import type { PlayedMap } from '../types.ts'

/** The statistics of the maps in a session's pool that were used at all. (pools: Statistics) */
export function mapResultsOf(machine: Machine): readonly PlayedMap[] {
  return machine.pool.flatMap((entry) => {
    const { guid: poolMapGuid } = entry
    const { hash, characteristic, difficulty } = entry.map
    const isOfCatalogue = 'guid' in entry.map && typeof entry.map.guid === 'string'
    const state = machine.maps.get(poolMapGuid)
    const listed = machine.picksBans.filter((row) => row.mapGuid === poolMapGuid)
    const count = (kind: string) => listed.filter((row) => row.kind === kind).length
    const games = finalGames(machine).filter((game) => game.map === poolMapGuid && !game.isVoid)
    const outcomes = games.map((game) => ({ game, ...outcomeOf(machine, game) }))
    const scores = outcomes.flatMap(({ verdict }) => (verdict?.scores ?? []).flat().flatMap(({ score }) => score ?? []))
    const accuracies = scores.flatMap(({ accuracy }) => (accuracy === null ? [] : [accuracy]))
    const result = {
      ...{ poolMapGuid, hash, characteristic, difficulty },
      picked: count('pick'),
      banned: count('ban'),
      protected: state?.protectedBy.length ?? 0,
      tiebreaker: count('tiebreaker'),
      played: games.length,
      wonByPicker: outcomes.filter(({ game, winner }) => winner !== null && winner === game.pickedBy).length,
      replays: machine.claims.filter((claim) => claim.status === 'played' && games.some((game) => isAbout(claim, game)))
        .length,
      scores: scores.length,
      accuracySum: accuracies.reduce((sum, value) => sum + value, 0),
      accuracies: accuracies.length,
    }
    const isEmpty = listed.length === 0 && result.protected === 0 && games.length === 0
    return !isOfCatalogue || isEmpty ? [] : [result]
  })
}
