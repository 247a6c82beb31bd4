import { chooseDifficulty, chooseHighest } from '../../catalogue/rules/choosing.ts'
import { identityKey } from '../../catalogue/rules/identities.ts'
import type { Answer, Choice, Finding, MapIdentity, Wish } from '../../catalogue/types.ts'
import type { DifficultyRule, ImportItem, ImportRequest, ImportRow, RowOutcome } from '../types.ts'
import { usualCharacteristic } from './sources.ts'

/** What becomes of each row of an import. (pools: Adding and importing, rule 4) */

/** What the catalogue says of a row, before it is compared with the pool. */
export interface Verdict {
  /** What becomes of it, unless the map is there already. */
  readonly outcome: Exclude<RowOutcome, 'present'>
  readonly reason: string | null
  readonly choices: readonly Choice[]
  /** The map that is meant; null where that is not known. */
  readonly identity: MapIdentity | null
  /** With what it is added; null where it is not. */
  readonly finding: Answer | null
}

type Wishes = Pick<ImportRequest, 'difficulty' | 'keepMissing'>

/**
 * A map is added where its difficulty is known, as it was written or by the rule of the import; an outdated version as it
 * is, one that the catalogue does not have if that is wished, and unseen while the catalogue does not answer.
 * (pools: Adding and importing, rule 4)
 * @param finding null of an item that names nothing
 */
export function judge(item: ImportItem, finding: Finding | null, { difficulty: rule, keepMissing }: Wishes): Verdict {
  if (finding === null) return unread(item.fault ?? 'map.reference_invalid')
  const { hash, named } = finding
  const wish = {
    difficulty: item.difficulty ?? named.difficulty ?? (rule === 'ask' || rule === 'highest' ? null : rule),
    characteristic: item.characteristic ?? named.characteristic,
  }
  if (finding.outcome === 'found') return judgeFound(finding, wish, rule)
  const identity = identityOf(hash, wish)
  const isMissing = finding.outcome === 'unknown'
  return {
    outcome: isMissing ? 'missing' : 'pending',
    reason: isMissing ? 'map.unknown' : 'catalogue.unreachable',
    choices: [],
    identity,
    finding: identity === null || (isMissing && !keepMissing) ? null : finding,
  }
}

function judgeFound(finding: Extract<Finding, { outcome: 'found' }>, wish: Wish, rule: DifficultyRule): Verdict {
  const { hash, song } = finding
  const highest = rule === 'highest' && wish.difficulty === null ? chooseHighest(song, wish.characteristic) : null
  const chosen =
    highest === null ? chooseDifficulty(song, wish) : ({ outcome: 'chosen', choice: highest, choices: [] } as const)
  const added = (identity: MapIdentity): Verdict => ({ ...nothing, outcome: 'added', identity, finding })
  if (chosen.outcome === 'chosen') return added({ hash: hash ?? song.hash, ...chosen.choice })
  const { choices } = chosen
  // Which difficulties an older version had, nobody tells.
  const identity = hash !== null && hash !== song.hash ? identityOf(hash, wish) : null
  if (identity !== null) return added(identity)
  if (chosen.outcome === 'missing') return { ...nothing, outcome: 'choice', reason: 'map.difficulty_missing', choices }
  return { ...nothing, outcome: 'rejected', reason: 'map.difficulty_unknown', choices }
}

const nothing = { reason: null, choices: [], identity: null, finding: null }

/** A playlist that the catalogue did not tell of may be asked for once more; everything else is not readable. */
function unread(reason: string): Verdict {
  return { ...nothing, outcome: reason === 'catalogue.unreachable' ? 'pending' : 'rejected', reason }
}

function identityOf(hash: string | null, wish: Wish): MapIdentity | null {
  const { difficulty } = wish
  if (hash === null || difficulty === null) return null
  return { hash, difficulty, characteristic: usualCharacteristic(wish) }
}

/** A row that is added, with the item that it was made of. */
export interface Planned {
  readonly index: number
  readonly item: ImportItem
  readonly identity: MapIdentity
  readonly finding: Answer
}

/** What is said of a map that stands in the pool. */
export interface Told extends Pick<Planned, 'item' | 'identity' | 'finding'> {
  readonly poolMapGuid: string
}

export interface Plan {
  /** Without the maps that are yet to be entered and added. */
  readonly rows: readonly ImportRow[]
  readonly added: readonly Planned[]
  /** Of maps that stand in the pool, what the catalogue says now: it may not have answered when they were added. */
  readonly told: readonly Told[]
  /** Rows whose map is added by an earlier one, by its index. */
  readonly repeated: ReadonlyMap<number, number>
}

/** A map that stands in the pool. */
export interface Standing {
  readonly guid: string
  readonly mapGuid: string
  readonly map: MapIdentity
}

/**
 * Each map is added once, in the order of the rows, as long as the pool has room; what stands in it already is present.
 * (pools: Adding and importing, rules 4 and 5)
 */
export function plan(
  items: readonly ImportItem[],
  verdicts: readonly Verdict[],
  standing: readonly Standing[],
  room: number,
): Plan {
  const there = new Map(standing.map((one) => [identityKey(one.map), one]))
  const firstRows = new Map<string, number>()
  const added: Planned[] = []
  const told: Told[] = []
  const repeated = new Map<number, number>()
  const rows = items.map((item, index): ImportRow => {
    const { outcome, reason, choices, identity, finding } = verdicts[index] ?? unread('map.reference_invalid')
    const row = { index, input: item.input, mapGuid: null, poolMapGuid: null, choices: [] }
    const key = identity === null ? '' : identityKey(identity)
    const found = there.get(key)
    if (found !== undefined) {
      if (finding !== null) told.push({ item, identity: found.map, finding, poolMapGuid: found.guid })
      return { ...row, outcome: 'present', reason: null, mapGuid: found.mapGuid, poolMapGuid: found.guid }
    }
    const first = firstRows.get(key)
    if (first !== undefined) {
      repeated.set(index, first)
      return { ...row, outcome: 'present', reason: null }
    }
    if (identity === null || finding === null) return { ...row, outcome, reason, choices: [...choices] }
    if (added.length >= room) return { ...row, outcome: 'rejected', reason: 'pool.full' }
    firstRows.set(key, index)
    added.push({ index, item, identity, finding })
    return { ...row, outcome, reason }
  })
  return { rows, added, told, repeated }
}

/** The rows with the maps that were entered and added, in the order of the plan. */
export function withMaps(
  { rows, added, repeated }: Plan,
  made: readonly { readonly mapGuid: string; readonly poolMapGuid: string }[],
): ImportRow[] {
  const madeFor = new Map(added.map(({ index }, place) => [index, made[place]]))
  return rows.map((row) => ({ ...row, ...madeFor.get(repeated.get(row.index) ?? row.index) }))
}
