import type { Problem } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { rowFault } from '../rules.ts'
import { findContradiction } from '../store/contradictions.ts'
import { kinds } from '../store/kinds.ts'
import type { Lie } from './lies.ts'
import { type HintedSource, readRows } from './reading.ts'
import { findLie } from './recomputing.ts'

interface Brought {
  readonly source: HintedSource
  /** The GUIDs here, by those of the package, where they are others. */
  readonly guids: ReadonlyMap<string, string>
  /** GUID. */
  readonly tournament: string
  readonly hasPlacements: boolean
}

/**
 * Checks the rows of an import against each other, once all of them are written. (P6)
 * @throws Problem `package.row` with the line of the row that contradicts others
 */
export async function checkTogether(tx: Tx, { source, guids, tournament, hasPlacements }: Brought): Promise<void> {
  const contradiction = await findContradiction(tx, tournament)
  if (contradiction !== undefined) throw await faultOf(contradiction, source, guids)
  const lie = await findLie(tx, {
    tournament,
    hasPlacements,
    // Packages of other variants leave out what draws are checked by, and members of the matches that corrections keep.
    isWhole: source.manifest.variant === 'full',
  })
  if (lie !== undefined) throw await faultOf(lie, source, guids)
}

/** The problem of a row, with its line in the package. */
async function faultOf(
  { kind: name, member, of, words }: Lie,
  source: HintedSource,
  guids: ReadonlyMap<string, string>,
): Promise<Problem> {
  const kind = kinds.find((each) => each.name === name)
  const here = (value: unknown) => (typeof value === 'string' ? (guids.get(value) ?? value) : value)
  if (kind !== undefined) {
    for await (const { line, row } of readRows(source, kind)) {
      const isIt = Object.entries(of).every(([of, value]) => here(row[of]) === value)
      if (isIt) return rowFault({ kind: name, line, member }, words)
    }
  }
  return rowFault({ kind: name, line: null, member }, words)
}
