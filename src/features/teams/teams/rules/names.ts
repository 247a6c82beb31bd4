import { nameKeyOf } from '../../../../core/names.ts'
import { conflict, type Problem } from '../../../../core/problem.ts'

/**
 * Refuses a name that another team of the tournament has, or that looks the same in letters of another script.
 * (D30, D73)
 * @param namesake the other team's name, if there is such a team
 * @throws Problem `team.name_taken`
 */
export function checkNameFree(name: string, namesake: string | undefined): void {
  if (namesake === undefined) return
  if (nameKeyOf(name) === nameKeyOf(namesake)) throw nameTaken()
  throw conflict(
    'team.name_taken',
    `The name looks like “${namesake}”, which is another team of the tournament; choose another one.`,
  )
}

export function nameTaken(): Problem {
  return conflict('team.name_taken', 'Another team of the tournament has this name, or one that looks like it.')
}
