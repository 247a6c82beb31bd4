import type { SceneDocument } from '../document.ts'
import { type SceneParts, scenesOf } from './build.ts'
import { canvas, variables } from './frame.ts'
import { duel } from './gameplay/duel.ts'
import { freeForAll } from './gameplay/free-for-all.ts'
import { teams } from './gameplay/teams.ts'
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
    description: 'Two teams of up to three players, with a scene for every part of a show.',
    document: documentOf(teams),
  },
  {
    key: 'freeForAll',
    name: 'Free for all',
    description: 'Up to six players, each for themselves, with a scene for every part of a show.',
    document: documentOf(freeForAll),
  },
]
