import { nameKeyOf, readName } from '../../../../core/names.ts'
import { conflict, invalid, missing, Problem } from '../../../../core/problem.ts'
import type { EditionRules, Failure, NomineeType, Target } from '../types.ts'
import { describeFailures } from './failures.ts'
import { fault, readAddress } from './settings.ts'

/** What may be nominated, and by which users. (A3) */

export const maxLabelCharacters = 120
export const maxReasonCharacters = 500

export interface TargetInput {
  /** Any identifier of a record that has the category's type. */
  readonly target?: string
  readonly label?: string
  readonly link?: string | null
}

/** Whether targets of a category are records of the service; otherwise they are given in words. */
export function isRecordType(type: NomineeType): type is 'user' | 'tournament' | 'team' {
  return type === 'user' || type === 'tournament' || type === 'team'
}

/** @throws Problem `award.target_invalid` */
export function readTargetName(type: NomineeType, { target }: TargetInput): string {
  if (target !== undefined) return target
  throw invalid('award.target_invalid', `Give "target", an identifier of a ${type}.`)
}

/** @throws Problem `award.target_invalid`, `award.invalid` */
export function readWords(type: NomineeType, { target, label, link }: TargetInput): Omit<Target, 'targetGuid'> {
  if (target !== undefined || label === undefined) {
    throw invalid('award.target_invalid', `Give "label", and perhaps "link", in a category of type ${type}.`)
  }
  return { label: readLabel(label), link: readAddress('link', link ?? null) }
}

export function readLabel(text: string): string {
  const label = readName(text)
  if (!label.ok) throw fault('label', label.reason)
  return label.value
}

/** The key that recognises equal targets of a user: the record, or the words and the link. (A3) */
export function targetKeyOf({ targetGuid, label, link }: Target): string {
  return targetGuid ?? `${nameKeyOf(label ?? '')} ${link ?? ''}`.trim()
}

export function unknownTarget(type: NomineeType): Problem {
  return missing('award.target_unknown', `There is no such ${type} that everybody may see.`)
}

/** The maximum number of a user's nominations in a category, withdrawn ones included. */
export const maxMade = 100

/**
 * Checks that the target is new and the limits are not reached. Withdrawn nominations are kept, so their number is
 * limited too. (A3; D8)
 * @param own the user's nominations that are not withdrawn
 * @param made the number of all the user's nominations, withdrawn ones included
 * @throws Problem `award.nominated_already`, `award.nominations_limit`
 */
export function checkRoomToNominate(
  own: readonly { readonly targetKey: string }[],
  made: number,
  targetKey: string,
  { nominationsPerCategory: most }: EditionRules,
): void {
  if (own.some((one) => one.targetKey === targetKey)) throw nominatedAlready()
  if (made >= maxMade) {
    throw conflict(
      'award.nominations_limit',
      `You have nominated ${maxMade} times in this category, as often as one may.`,
    )
  }
  if (own.length < most) return
  throw conflict(
    'award.nominations_limit',
    `You have nominated ${own.length} of ${most} in this category; take one back first.`,
  )
}

export function nominatedAlready(): Problem {
  return conflict('award.nominated_already', 'You have nominated this in this category already.')
}

/** Users may not nominate themselves or what belongs to them, unless the edition allows it. (A3) */
export function checkIsNotOwn(isOwn: boolean, { selfNomination }: EditionRules): void {
  if (!isOwn || selfNomination) return
  throw new Problem(
    'forbidden',
    'award.self_nomination',
    'In this edition nobody nominates themselves, a team that they are in, or a tournament that they organise.',
  )
}

/** The date before which links must be verified; by default `accountBefore`. (awards: Records) */
export function linkBeforeOf({ linkBefore, accountBefore }: EditionRules): string {
  return linkBefore ?? accountBefore
}

/**
 * Refuses a user who may not nominate, with all failed checks. (A3)
 * @throws Problem `award.not_eligible`
 */
export function checkMayNominate(failures: readonly Failure[], rules: EditionRules): void {
  if (failures.length === 0) return
  throw new Problem('forbidden', 'award.not_eligible', 'You may not nominate in these awards; `failures` tells why.', {
    data: { failures: describeFailures(failures, rules) },
  })
}

export function unknownEdition(): Problem {
  return missing('award.unknown', 'There is no such edition of awards.')
}
