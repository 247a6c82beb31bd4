import type { Row } from '../store/kind.ts'

/** Two rows that say the same, although each has a GUID of its own. (P6) */

/** What identifies a row, with the member that tells it last; null for a row that others may equal. */
type Identified = (row: Row) => { readonly key: string; readonly member: string } | null

const identified: Readonly<Record<string, Identified>> = {
  // A person has one vote on a map.
  votes: ({ suggestionGuid, poolMapGuid, userGuid }) => ({
    key: [suggestionGuid, poolMapGuid, userGuid].join(),
    member: 'userGuid',
  }),
  // A source reports an attempt once, and before it at most its placeholder.
  attempts: ({ qualifierGuid, source, externalId, completion }) =>
    externalId == null
      ? null
      : { key: [qualifierGuid, source, completion === 'placeholder', externalId].join(), member: 'externalId' },
}

/** Returns, for each row of a kind in turn, the member by which it is another one of an earlier row; null for a new one. */
export function doublesOf(kind: string): (row: Row) => string | null {
  const seen = new Set<string>()
  return (row) => {
    const own = identified[kind]?.(row) ?? null
    if (own === null) return null
    if (seen.has(own.key)) return own.member
    seen.add(own.key)
    return null
  }
}
