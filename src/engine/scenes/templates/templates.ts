import type { SceneDocument } from '../document.ts'
import { type SceneParts, scenesOf } from './build.ts'
import { canvas, variables } from './frame.ts'
import { duel } from './gameplay/duel.ts'
import { freeForAll } from './gameplay/free-for-all.ts'
import { teamsOf } from './gameplay/teams.ts'
import { casters, pause, start, teamIntro } from './scenes/before.ts'
import { pickBan, summary } from './scenes/match.ts'
import { bracket, qualifier, schedule, standings } from './scenes/tables.ts'
import { winners } from './scenes/winners.ts'

/** Built-in overlays, which are used as they are or copied to make others. */

export interface BuiltInTemplate {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly document: SceneDocument
}

function documentOf(gameplay: SceneParts): SceneDocument {
  const before = [start, teamIntro, casters, schedule]
  const after = [summary, bracket, standings, qualifier, pause, winners]
  return { schemaVersion: 1, canvas, variables, scenes: scenesOf([...before, pickBan, gameplay, ...after]) }
}

const words = ['one', 'two', 'three', 'four', 'five', 'six'] as const
/** The sizes of teams that have a template of their own. */
const teamSizes = [2, 3, 4, 5, 6] as const
const keyOf = (players: number) => `teamsOf${players}`

export const builtInTemplates: readonly BuiltInTemplate[] = [
  {
    key: 'duel',
    name: 'Duel',
    description: 'Two players beside each other, with a scene for every part of a show.',
    document: documentOf(duel),
  },
  {
    key: 'teams',
    name: 'Teams',
    description:
      'Two teams of as many players as the tournament lets play at once, with a scene for every part of a show. Shown here for three players.',
    document: documentOf(teamsOf(3)),
  },
  ...teamSizes.map((players) => ({
    key: keyOf(players),
    name: `Teams of ${words[players - 1]}`,
    description: `Two teams of ${words[players - 1]} players, with a scene for every part of a show.`,
    document: documentOf(teamsOf(players)),
  })),
  {
    key: 'freeForAll',
    name: 'Free for all',
    description: 'Up to six players, each for themselves, with a scene for every part of a show.',
    document: documentOf(freeForAll),
  },
]

/**
 * The document of a built-in template for a tournament: `teams` has as many players as the tournament lets a team play
 * with.
 */
export function builtInFor(key: string, teamSizeActive: number): SceneDocument | undefined {
  const players = Math.max(1, Math.min(6, teamSizeActive))
  const chosen = key !== 'teams' ? key : players === 1 ? 'duel' : keyOf(players)
  return builtInTemplates.find((template) => template.key === chosen)?.document
}
