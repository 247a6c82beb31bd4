import type { AdditionalField } from '../../../tournaments/tournaments/types.ts'

const day = 86_400_000
/** The time, in milliseconds, between notifying a team and publishing its private answers. */
export const noticeMs = 7 * day

/**
 * A private answer becomes public only if its field is public now, its team was notified, and seven days have passed.
 * Until then, users can change or remove the answer. (D74)
 * @returns the fields whose private answers are to become public; answers to other fields stay private
 */
export function publicFields(fields: readonly AdditionalField[]): readonly AdditionalField[] {
  return fields.filter((field) => !field.private)
}
