import type { Failure } from '../types.ts'

/** All reasons to refuse a registration, by their stable codes. (D32) */
export const failureCodes = {
  'registration.wrong_status': 'The tournament’s status does not allow registrations.',
  'registration.full': 'Every place is taken.',
  'registration.not_public': 'Only the organiser registers teams.',
  'registration.not_open_yet': 'Registration opens later.',
  'registration.closed': 'The registration deadline has passed, or the tournament has started.',
  'team.none': 'The caller is in no team of the tournament.',
  'team.already_registered': 'The team holds a place already.',
  'team.withdrawn': 'The team has withdrawn from the tournament.',
  'team.too_small': 'The team has too few members.',
  'team.too_large': 'The team has too many members.',
  'field.unanswered': 'A required field has no answer.',
  'field.unknown': 'The tournament has no such field.',
  'field.answered_twice': 'One request answers a field twice for the same subject.',
  'field.wrong_subject': 'A player’s field was answered for the team, or the other way round.',
  'field.not_a_member': 'A field was answered for somebody who is not in the team.',
  'field.wrong_type': 'The answer is not of the field’s type.',
  'field.too_long': 'A text is too long.',
  'field.option_unknown': 'The field does not offer this option.',
  'field.map_invalid': 'A map needs its hash, difficulty and characteristic.',
  'account.deleted': 'The player has deleted their account.',
  'account.none': 'The player has not signed in yet, and the requirements need an account.',
  'email.not_verified': 'The player’s e-mail address is not verified.',
  'chat_account.too_young': 'The player’s chat account is younger than required.',
  'links.not_verified': 'The player has linked an account without proving that it is theirs.',
  'country.unknown': 'Nothing tells the player’s country.',
  'country.not_allowed': 'The player’s country is not among those that may take part.',
  'ranking_a.not_linked': 'The player has no verified account on ranking platform A.',
  'ranking_a.unranked': 'The player has no rank on ranking platform A.',
  'ranking_a.out_of_range': 'The player’s rank on ranking platform A is outside the range.',
  'ranking_b.not_linked': 'The player has no verified account on ranking platform B.',
  'ranking_b.unranked': 'The player has no rank on ranking platform B.',
  'ranking_b.out_of_range': 'The player’s rank on ranking platform B is outside the range.',
  'ranking.unreachable': 'A ranking platform could not be asked; try again later.',
} as const

export type FailureCode = keyof typeof failureCodes

/** Each failure once: hundreds of answers to unknown fields need one and the same correction. (D32) */
export function distinct(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((failure) => [failure.message, failure])).values()]
}
