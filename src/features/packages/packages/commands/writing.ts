import { randomUUID } from 'node:crypto'
import { withTexts } from '../../../../core/json.ts'
import { databaseError, type Tx } from '../../../../infra/db/database.ts'
import { withMovedMedia } from '../../../../infra/media/references.ts'
import { rowFault, settled, withGuids } from '../rules.ts'
import { insertRows, type Reference, referencesOf, updateLate } from '../store/bringing.ts'
import type { Here, Kind, Row } from '../store/kind.ts'
import { kinds } from '../store/kinds.ts'
import { packagedOrigin } from '../store/rows.ts'
import type { Skipped } from '../types.ts'
import { type HintedSource, type ReadRow, readRows, type Survey } from './reading.ts'

/** Writes the rows of a package, each checked against the others. (P6) */

const batch = 300
const guidLength = 36
const guidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

interface Around {
  readonly source: HintedSource
  readonly found: Survey
  /** The GUIDs here, by those of the package, where they are others. */
  readonly guids: ReadonlyMap<string, string>
  readonly isCopy: boolean
  readonly takes: (kind: string) => boolean
  readonly mediaUrl: string
  readonly here: Here
  /** GUID. */
  readonly caller: string
  readonly now: Date
}

/** @param given the same rows as the package has them */
type Take = (rows: readonly Row[], given: readonly ReadRow[]) => Promise<unknown>

/** Kinds after all kinds that their rows name. */
export function inOrder(all: readonly Kind[]): readonly Kind[] {
  const ordered = new Set<Kind>()
  const add = (kind: Kind): void => {
    if (ordered.has(kind)) return
    const named = new Set(referencesOf(kind, kinds).map((reference) => reference.kind))
    for (const other of all) if (other !== kind && named.has(other.name)) add(other)
    ordered.add(kind)
  }
  all.forEach(add)
  return [...ordered]
}

export class Writer {
  readonly #tx: Tx
  readonly #around: Around
  readonly #known: ReadonlySet<string>
  readonly #strangers = new Map<string, string>()
  /** GUIDs that lead to no row of the package, with the first row that names each. */
  readonly dangling = new Map<string, { readonly kind: string; readonly line: number }>()
  /** How many rows of each kind name what is not here, and are left out; only of packages whose rows lack members. */
  readonly #leftOut = new Map<string, number>()
  /** The GUIDs of rows of packages that are not here. */
  readonly #missing = new Set<string>()

  constructor(tx: Tx, around: Around) {
    this.#tx = tx
    this.#around = around
    this.#known = new Set([...around.found.guids.values()].flatMap((guids) => [...guids]))
  }

  /** Writes all rows of a kind into its table. */
  async write(kind: Kind, each: (row: Row) => Row): Promise<void> {
    await this.batches(kind, (rows) => insertRows(this.#tx, kind, rows.map(each), this.#around.here))
    if (kind.brings.late !== undefined) await this.batches(kind, (rows) => updateLate(this.#tx, kind, rows))
  }

  /**
   * Passes the rows of a kind on, as they are here.
   * @throws Problem `package.row`, also where the database forbids one of them
   */
  async batches(kind: Kind, take: Take): Promise<void> {
    const references = referencesOf(kind, kinds)
    let [given, rows]: [ReadRow[], Row[]] = [[], []]
    const pass = async () => {
      const [first] = given
      if (first === undefined) return
      await take(rows, given).catch((error: unknown) => {
        throw this.#faultOf(error, kind.name, first.line)
      })
      ;[given, rows] = [[], []]
    }
    for await (const { line, row } of readRows(this.#around.source, kind)) {
      const joined = this.#joined(references, { kind: kind.name, line }, row)
      if (joined === null || kind.brings.without?.(row)) this.#missing.add(String(row.guid))
      if (joined === null) continue
      given.push({ line, row })
      const here = this.#signed(kind, this.#here(kind, joined, line))
      rows.push(settled(kind.name, here, this.#around))
      if (rows.length === batch) await pass()
    }
    await pass()
  }

  get leftOut(): readonly Skipped[] {
    return [...this.#leftOut].map(([kind, rows]) => ({ path: `data/${kind}.ndjson`, member: null, rows }))
  }

  /**
   * Checks that what the row names is in the package. What an import does not take is named by nothing. A package whose rows
   * lack members may also lack rows: what names one of them names nothing, or is left out.
   */
  #joined(
    references: readonly Reference[],
    place: { readonly kind: string; readonly line: number },
    row: Row,
  ): Row | null {
    const { found, takes, source } = this.#around
    let joined = row
    for (const { member, kind, isRequired } of references) {
      const guid = row[member]
      if (typeof guid !== 'string') continue
      const isThere = found.guids.get(kind)?.has(guid) === true
      if (!isThere && source.hints === null) {
        throw rowFault({ ...place, member }, `leads to no row of data/${kind}.ndjson`)
      }
      const isLost = source.hints !== null && (!isThere || this.#missing.has(guid))
      if (isLost && isRequired) {
        this.#leftOut.set(place.kind, (this.#leftOut.get(place.kind) ?? 0) + 1)
        return null
      }
      if ((isLost || !takes(kind)) && !isRequired) joined = { ...joined, [member]: null }
    }
    return joined
  }

  /** The row with the caller in the place of members that say who did something, where it lacks them. */
  #signed({ brings: { byCaller = [] } }: Kind, row: Row): Row {
    const { caller, source } = this.#around
    if (source.hints === null) return row
    const lacking = byCaller.filter((member) => !Object.hasOwn(row, member))
    return { ...row, ...Object.fromEntries(lacking.map((member) => [member, caller])) }
  }

  /** The row with the GUIDs and the addresses of media that it has here. */
  #here({ name, brings: { kept } }: Kind, row: Row, line: number): Row {
    const { mediaUrl, isCopy } = this.#around
    const place = { kind: name, line }
    const own = kept?.(row, { isCopy }) ?? {}
    const others = Object.fromEntries(Object.entries(row).filter(([member]) => !Object.hasOwn(own, member)))
    const here = withTexts(others, (text) => {
      const moved = text.includes(packagedOrigin) ? withMovedMedia(text, packagedOrigin, mediaUrl) : text
      return withGuids(moved, (guid) => this.#guidOf(guid, text, place))
    })
    return { ...(here as Row), ...own }
  }

  #guidOf(guid: string, text: string, place: { readonly kind: string; readonly line: number }): string {
    const other = this.#around.guids.get(guid)
    if (other !== undefined || this.#known.has(guid)) return other ?? guid
    const isWhole = text.length === guidLength && guidForm.test(text)
    if (!isWhole && !text.includes(`${packagedOrigin}/media/${guid}`)) return guid
    if (!this.#around.isCopy) {
      // What is gone is still in the audit list.
      if (isWhole && place.kind !== 'audit' && !this.dangling.has(guid)) this.dangling.set(guid, place)
      return guid
    }
    const stranger = this.#strangers.get(guid) ?? randomUUID()
    this.#strangers.set(guid, stranger)
    return stranger
  }

  /** What the database forbids is the fault of a row: of a value, or of two rows that contradict each other. */
  #faultOf(error: unknown, kind: string, line: number): unknown {
    const found = databaseError(error)
    const isOfRow = found?.code !== undefined && /^(22|23)/.test(found.code)
    if (!isOfRow) return error
    return rowFault(
      { kind, line, member: null },
      `one of the rows from here on cannot be (${found.constraint ?? 'a value'})`,
    )
  }
}
