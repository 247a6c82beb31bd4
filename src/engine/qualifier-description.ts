import type { QualifierMethod, QualifierSettings, QualifierTieBreak } from './qualifier-types.ts'
import { tieBreaksOf } from './qualifiers.ts'
import type { ModifierRule } from './score-limits.ts'

export interface Described {
  readonly method: QualifierMethod
  readonly modifiers: ModifierRule
  readonly settings: QualifierSettings
  readonly maps: number
  /** The maximum number of attempts per player and map; 0 for no limit. */
  readonly attempts: number
  readonly cutoff: number | null
}

/** Describes in a few plain sentences how the standings are computed. */
export function describeQualifier(described: Described): string[] {
  const { method, modifiers, settings, maps, attempts, cutoff } = described
  return [
    `Players and teams are ranked by ${measures[method]} ${span(settings.countMaps, maps)}.`,
    attempts === 0
      ? 'A player may play each map as often as they like; the attempt with the highest score counts.'
      : `A player has ${counted(attempts, 'attempt')} on each map; the one with the highest score counts.`,
    ...(modifiers === 'none'
      ? ['Modifiers do not count: a score above the highest that its map allows is refused.']
      : []),
    settings.failCounts ? 'Failed attempts count with the score that they reached.' : 'Failed attempts have no result.',
    teamSentence(settings.topPlayers),
    missingSentence(method, settings.missing),
    ...(method === 'points_per_place' ? [pointsSentence(settings.points)] : []),
    `Ties are broken by ${tieBreaksOf[method].map((name) => tieBreaks[name]).join(', then by ')}; whoever is still tied shares the better rank.`,
    ...(cutoff === null ? [] : [cutoff === 1 ? 'The first team advances.' : `The first ${cutoff} teams advance.`]),
  ]
}

const measures: Readonly<Record<QualifierMethod, string>> = {
  average_accuracy: 'their average accuracy',
  sum_of_scores: 'the sum of their scores',
  sum_of_ranks: 'the sum of their ranks, the lowest first,',
  weighted_accuracy: 'the sum of their accuracies, each times the weight of its map,',
  percent_of_best: 'the sum of their scores, each as a share of the best score on its map,',
  z_sum: 'the sum of how far their scores are above or below the mean of their map, in standard deviations,',
  points_per_place: 'the sum of points for their places',
  top_players: 'their average accuracy, weighted by the weights of the maps,',
}

const tieBreaks: Readonly<Record<QualifierTieBreak, string>> = {
  sum_of_scores: 'the sum of scores',
  average_accuracy: 'the average accuracy',
  ranking_rank: 'the better rank on the first ranking platform',
  next_player: 'the accuracy of the best member who does not count',
}

/** @param maps 0 where there are no maps yet, or they are secret */
function span(countMaps: number | null, maps: number): string {
  if (maps === 0) return countMaps === null ? 'over all maps' : `over their best ${counted(countMaps, 'map')}`
  if (countMaps !== null && countMaps < maps) return `over their best ${countMaps} of ${counted(maps, 'map')}`
  return maps === 1 ? 'over the one map' : `over all ${maps} maps`
}

function teamSentence(topPlayers: number | null): string {
  const who =
    topPlayers === null
      ? 'all of its active members'
      : topPlayers === 1
        ? 'its best active member'
        : `its ${topPlayers} best active members`
  return `A team’s score on a map is the sum of the scores of ${who}, and its accuracy their mean; a member without a result adds nothing.`
}

function missingSentence(method: QualifierMethod, missing: QualifierSettings['missing']): string {
  if (method === 'sum_of_ranks') return 'A map without a result counts as one rank behind the last one there.'
  return missing === 'zero'
    ? 'A map without a result counts 0.'
    : 'A map without a result counts as much as the worst result there.'
}

function pointsSentence(points: readonly number[]): string {
  return `The places on a map are worth ${points.join(', ')} points, from the first; those behind get none.`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
