import { invalid } from '../../../../core/problem.ts'
import { oneLine } from '../../../../core/text.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { Team } from '../types.ts'
import { readTeamId, readTeamName } from './teams.ts'

export const maxPronunciationCharacters = 80

/** The members of a team that a caller can set, apart from its captain. */
export interface TeamInput {
  readonly name?: string
  readonly id?: string
  readonly pronunciation?: string | null
  readonly imageUrl?: string | null
  readonly color?: string | null
}
export type TeamDetails = Partial<Pick<Team, 'name' | 'id' | 'pronunciation' | 'imageUrl' | 'color'>>

/**
 * Reads the input into changes of the record; an empty pronunciation, picture or colour removes it. (additions: Teams)
 * @throws Problem `team.invalid`
 */
export function readTeamDetails(input: TeamInput): TeamDetails {
  return {
    ...(input.name === undefined ? {} : { name: readTeamName(input.name) }),
    ...(input.id === undefined ? {} : { id: readTeamId(input.id) }),
    ...(input.pronunciation === undefined ? {} : { pronunciation: readPronunciation(input.pronunciation) }),
    ...(input.imageUrl === undefined ? {} : { imageUrl: readImageUrl(input.imageUrl) }),
    ...(input.color === undefined ? {} : { color: readColor(input.color) }),
  }
}

/** One line, as the name that it tells how to speak; null if nothing is left of it. (additions: Teams) */
export function readPronunciation(text: string | null): string | null {
  return oneLine(text ?? '') || null
}

function readImageUrl(url: string | null): string | null {
  if (url === null || url === '') return null
  const fault = webAddressFault(url)
  if (fault !== null) throw invalid('team.invalid', `The address of the team's picture ${fault}.`)
  return url
}

function readColor(color: string | null): string | null {
  if (color === null || color === '') return null
  if (!/^#[0-9a-f]{6}$/i.test(color)) throw invalid('team.invalid', 'The colour must have the form #rrggbb.')
  return color.toLowerCase()
}
