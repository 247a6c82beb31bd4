import { normaliseBody } from '../../../../core/json.ts'
import type { Effects } from '../../../../core/operation.ts'
import { type Shape, shapeOf } from '../../../../core/shape.ts'
import { isOlder, rowFault } from '../rules.ts'
import type { Hints } from '../store/brings.ts'
import { fillerOf, lenient } from '../store/filling.ts'
import type { Kind, Row } from '../store/kind.ts'
import { kinds } from '../store/kinds.ts'
import type { PackageSource, Skipped } from '../types.ts'
import { cleanedOf, knownOf } from './cleaning.ts'
import { doublesOf } from './doubles.ts'
import { judgeRow } from './judging.ts'

/** Reads the rows of a package, each checked by itself. (P6) */

const limits = { maxDepth: 64, maxNodes: 1_000_000 }
/** Kinds whose texts have spaces at their ends for a reason, or are parts of longer ones. */
const keptTexts: ReadonlySet<string> = new Set(['overlays', 'overlayVersions', 'overlayParts', 'audit'])

export interface ReadRow {
  readonly line: number
  readonly row: Row
}

/** A package whose rows can be made whole. */
export interface HintedSource extends PackageSource {
  /** null for a package whose rows have all members. */
  readonly hints: Hints | null
}

/**
 * The rows of a kind as a full package has them, without members that are not known here.
 * @param onSkipped called with each member that is left out, at any depth; with null for a row that lacks what nothing tells
 * @throws Problem `package.row`
 */
export async function* readRows(
  source: HintedSource,
  kind: Kind,
  onSkipped: (member: string | null) => void = () => {},
): AsyncIterable<ReadRow> {
  const fill = fillerOf(kind)
  for await (const { line, row } of readGiven(source, kind, onSkipped)) {
    const whole = source.hints === null ? row : fill(row, source.hints)
    if (whole === null) onSkipped(null)
    else yield { line, row: whole }
  }
}

/**
 * The rows of a kind as the package has them.
 * @throws Problem `package.row`
 */
export async function* readGiven(
  source: PackageSource,
  kind: Kind,
  onSkipped: (member: string) => void = () => {},
): AsyncIterable<ReadRow> {
  const { name } = kind
  const { manifest } = source
  const schema = kind.schema(manifest.variant)
  if (schema === null) return
  const shape = shapeOf(isOlder(manifest) ? lenient(kind, schema) : schema)
  for await (const { line, row } of source.rows(name)) {
    const own = knownOf(schema, row, onSkipped)
    const read = normaliseBody(structuredClone(own), keptTexts.has(name) ? { ...limits, keepsTexts: true } : limits)
    if (!read.ok) throw rowFault({ kind: name, line, member: memberIn(read.path) }, read.reason)
    check(shape, name, line, read.value)
    const cleaned = cleanedOf(schema, read.value, (path, words) => {
      throw rowFault({ kind: name, line, member: memberIn(path) }, words)
    })
    yield { line, row: cleaned as Row }
  }
}

function check(shape: Shape<unknown>, kind: string, line: number, row: unknown): void {
  if (shape.check(row)) return
  const [fault] = shape.errors(row)
  const missing = fault?.keyword === 'required' && fault.instancePath === '' ? fault.params.requiredProperties[0] : null
  const member = missing ?? memberIn(fault?.instancePath.slice(1).replaceAll('/', '.') ?? '')
  throw rowFault({ kind, line, member }, fault?.message ?? 'has another form')
}

/** The first name of a path. */
function memberIn(path: string): string | null {
  return /^[^.[]+/.exec(path)?.[0] ?? null
}

const kindOf = new Map(kinds.map((kind) => [kind.name, kind]))

/** All rows of a kind that has few. */
export async function rowsOf(source: HintedSource, name: string): Promise<readonly ReadRow[]> {
  const rows: ReadRow[] = []
  for await (const row of readRows(source, kindOf.get(name) as Kind)) rows.push(row)
  return rows
}

/** What all rows of a package say together. */
export interface Survey {
  readonly counts: Readonly<Record<string, number>>
  /** The kinds that have rows, also if all of them are left out. */
  readonly kinds: ReadonlySet<string>
  /** The GUIDs of the rows of each kind that has them. */
  readonly guids: ReadonlyMap<string, ReadonlySet<string>>
  readonly skipped: readonly Skipped[]
}

/**
 * Reads and judges all rows once, before any is written.
 * @throws Problem `package.row`, `service.busy`
 */
export async function survey(source: HintedSource, services: Pick<Effects['services'], 'threads'>): Promise<Survey> {
  const entrants = new Map<unknown, number>()
  for await (const { row } of readRows(source, kindOf.get('entrants') as Kind)) {
    entrants.set(row.bracketGuid, (entrants.get(row.bracketGuid) ?? 0) + 1)
  }
  const counts: Record<string, number> = {}
  const present = new Set<string>()
  const guids = new Map<string, Set<string>>()
  const skipped = new Map<string, number>()
  for (const kind of kinds) {
    const { name } = kind
    const schema = kind.schema(source.manifest.variant)
    if (schema === null) continue
    const own = new Set<string>()
    const onSkipped = (member: string | null) => {
      present.add(name)
      const key = member === null ? name : `${name} ${member}`
      skipped.set(key, (skipped.get(key) ?? 0) + 1)
    }
    const doubleOf = doublesOf(name)
    for await (const { line, row } of readRows(source, kind, onSkipped)) {
      await judgeRow({ name, schema }, { line, row }, { services, entrants })
      counts[name] = (counts[name] ?? 0) + 1
      present.add(name)
      const double = doubleOf(row)
      if (double !== null) throw rowFault({ kind: name, line, member: double }, 'is that of an earlier row')
      if (typeof row.guid !== 'string') continue
      if (own.has(row.guid)) throw rowFault({ kind: name, line, member: 'guid' }, 'is that of an earlier row')
      own.add(row.guid)
    }
    guids.set(name, own)
  }
  const told = [...skipped].map(([key, rows]) => {
    const [name = '', ...member] = key.split(' ')
    return { path: `data/${name}.ndjson`, member: member.length === 0 ? null : member.join(' '), rows }
  })
  return { counts, guids, skipped: told, kinds: present }
}
