import type { AdditionalField } from '../../../tournaments/tournaments/types.ts'

const day = 86_400_000
/** Between telling a team that its private answers will be public, and that they are. */
export const noticeMs = 7 * day

/**
 * An answer that was given privately becomes public only where its field is public now, its team was told, and seven days
 * have passed: whoever minds changes or removes it before. (D74)
 * @returns the fields whose private answers are to become public; those of all others stay as they are
 */
export function publicFields(fields: readonly AdditionalField[]): readonly AdditionalField[] {
  return fields.filter((field) => !field.private)
}
