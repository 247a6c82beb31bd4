import { nameKeyOf, readName } from '../../../../core/names.ts'
import { conflict, invalid, missing, type Problem } from '../../../../core/problem.ts'

export const maxTemplates = 50

/**
 * A user has at most 50 templates of their own. (overlays: Records)
 * @throws Problem `template.too_many`
 */
export function checkRoomForTemplate(present: number): void {
  if (present < maxTemplates) return
  throw conflict('template.too_many', `You have ${maxTemplates} templates; delete one first.`)
}

/**
 * The name of a template must have visible characters. (D56)
 * @throws Problem `template.invalid`
 */
export function readTemplateName(given: string): string {
  const name = readName(given)
  if (!name.ok) throw invalid('template.invalid', `The member "name" ${name.reason}.`)
  return name.value
}

/**
 * The name must differ from the user's other templates, ignoring case. (D73)
 * @throws Problem `template.name_taken`
 */
export function checkTemplateNameFree(name: string, others: readonly string[]): void {
  if (others.map(nameKeyOf).includes(nameKeyOf(name))) throw templateNameTaken()
}

export function templateNameTaken(): Problem {
  return conflict('template.name_taken', 'You have a template of this name; choose another one.')
}

/** The same answer for templates of other users. */
export function unknownTemplate(): Problem {
  return missing('template.unknown', 'There is no such template, or it is not yours.')
}
