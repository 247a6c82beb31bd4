import { rowFault } from '../rules.ts'
import type { Row } from '../store/kind.ts'
import { joinedOf } from '../store/overlay-parts.ts'
import type { PackageSource } from '../types.ts'

type Lines = ReturnType<PackageSource['rows']>

/**
 * The package with whole scene documents: large ones are in two rows. Both kinds are read in their order, and few of their
 * rows are in memory. (P6)
 */
export function withWholeDocuments(source: PackageSource): PackageSource {
  const kinds: Readonly<Record<string, Joined | undefined>> = {
    overlays: { keyOf: ({ guid }) => keyOf(guid, 0), isPart: ({ number }) => number === 0 },
    overlayVersions: {
      keyOf: ({ overlayGuid, number }) => keyOf(overlayGuid, number),
      isPart: ({ number }) => number !== 0,
    },
  }
  return {
    ...source,
    rows(kind) {
      const joined = kinds[kind]
      return joined === undefined ? source.rows(kind) : joinedRows(source, source.rows(kind), joined)
    },
  }
}

interface Joined {
  readonly keyOf: (row: Row) => string
  readonly isPart: (row: Row) => boolean
}

/** Keys are in the order of the rows. */
const keyOf = (overlay: unknown, number: unknown) =>
  `${String(overlay).toLowerCase()} ${String(number).padStart(10, '0')}`

/** @throws Problem `package.row` for elements of a document that is not there, or not in its order */
async function* joinedRows(source: PackageSource, rows: Lines, joined: Joined): Lines {
  const parts = partsOf(source, joined)
  let next = await parts.next()
  for await (const { line, row } of rows) {
    const key = joined.keyOf(row)
    if (!next.done && next.value.key < key) throw next.value.fault()
    if (next.done || next.value.key !== key) {
      yield { line, row }
      continue
    }
    yield { line, row: { ...row, document: joinedOf(row.document, next.value.elements) } }
    next = await parts.next()
  }
  if (!next.done) throw next.value.fault()
}

async function* partsOf(source: PackageSource, { isPart }: Joined) {
  for await (const { line, row } of source.rows('overlayParts')) {
    if (!isPart(row)) continue
    const place = { kind: 'overlayParts', line, member: 'overlayGuid' }
    const fault = () => rowFault(place, 'names no document, or is not in the order of the documents')
    if (!isElements(row.elements)) throw rowFault({ ...place, member: 'elements' }, 'must have elements by scene')
    yield { key: keyOf(row.overlayGuid, row.number), elements: row.elements, fault }
  }
}

function isElements(value: unknown): value is Readonly<Record<string, Row>> {
  const isObject = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each)
  return isObject(value) && Object.values(value as object).every(isObject)
}
