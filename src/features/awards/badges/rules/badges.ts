import { readName } from '../../../../core/names.ts'
import { conflict, invalid, missing, type Problem } from '../../../../core/problem.ts'
import { type Badge, type BadgeKind, badgeLimits } from '../types.ts'

export function unknownBadge(): Problem {
  return missing('badge.unknown', 'There is no such badge.')
}

/**
 * The same refusal for a missing medium and for another user's, so that nobody learns of others' media by guessing.
 * (M25)
 */
export function unusablePicture(): Problem {
  return invalid(
    'media.reference_invalid',
    '"mediaGuid" names no picture of yours for a badge; upload one with POST /media, of the kind "badge_image".',
  )
}

/**
 * A retired badge stays with its holders and can no longer be granted. (B4)
 * @throws Problem `badge.retired`
 */
export function checkIsGiven({ retiredAt }: Pick<Badge, 'retiredAt'>): void {
  if (retiredAt !== null) throw conflict('badge.retired', 'This badge is retired: it can be granted no longer.')
}

/** The texts and kind of a badge. */
export interface BadgeTexts {
  readonly name: string
  readonly description: string
  readonly kind: BadgeKind
}

/**
 * Checks a badge's texts: a name of 1 to 60 characters, and a plain description of up to 280. (badges: Records; D56)
 * @throws Problem `badge.invalid`
 */
export function readTexts<Given extends Partial<BadgeTexts>>(given: Given): Given {
  return {
    ...given,
    ...(given.name === undefined ? {} : { name: readBadgeName(given.name) }),
    ...(given.description === undefined ? {} : { description: readDescription(given.description) }),
  }
}

function readBadgeName(text: string): string {
  const name = readName(text)
  if (!name.ok) throw invalid('badge.invalid', `"name" ${name.reason}.`)
  checkLength('name', name.value, badgeLimits.name)
  return name.value
}

function readDescription(text: string): string {
  const description = text.trim()
  checkLength('description', description, badgeLimits.description)
  return description
}

function checkLength(member: string, text: string, most: number): void {
  if ([...text].length > most) throw invalid('badge.invalid', `"${member}" may have at most ${most} characters.`)
}

/**
 * Only a badge that nobody ever held may be deleted. Any other may be retired. (B4)
 * @throws Problem `badge.in_use`
 */
export function checkDeletable(wasEverHeld: boolean): void {
  if (wasEverHeld) {
    throw conflict('badge.in_use', 'Somebody holds this badge, or held it; retire it with `retired: true` instead.')
  }
}

/**
 * A badge for the winners of an open award can be neither retired nor deleted, until the award is published or
 * cancelled or its category names another badge. (D80)
 * @param awards ids of the open awards with a category that names the badge
 * @throws Problem `badge.in_award`
 */
export function checkInNoAward(awards: readonly string[]): void {
  if (awards.length === 0) return
  throw conflict(
    'badge.in_award',
    `Winners of an open award are to get this badge (${awards.join(', ')}); give its categories another one first.`,
    { awards: [...awards] },
  )
}

/**
 * When the badge was retired; null if it is not. A badge that is retired already keeps its date, and a restored badge
 * can be granted again. (B4)
 */
export function retirementOf({ retiredAt }: Pick<Badge, 'retiredAt'>, retired: boolean | undefined, now: Date) {
  if (retired === undefined) return retiredAt
  return retired ? (retiredAt ?? now) : null
}
