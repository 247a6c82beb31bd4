import { createHash } from 'node:crypto'

/** Returns the canonical JSON: members are sorted by name, so that equal documents have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}

/** SHA-256. */
export function digestOfText(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
