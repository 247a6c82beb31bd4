import { chooseDifficulty, chooseHighest } from '../../catalogue/rules/choosing.ts'
import { identityKey } from '../../catalogue/rules/identities.ts'
import type { Answer, Choice, Finding, MapIdentity, Wish } from '../../catalogue/types.ts'
import type { DifficultyRule, ImportItem, ImportRequest, ImportRow, RowOutcome } from '../types.ts'
import { defaultCharacteristic } from './sources.ts'

/** The outcome of each row of an import. (pools: Adding and importing, rule 4) */

/** The outcome of a row by the catalogue's answer alone, before the comparison with the pool. */
export interface Verdict {
  /** The outcome, unless the map is in the pool already. */
  readonly outcome: Exclude<RowOutcome, 'present'>
  readonly reason: string | null
  readonly choices: readonly Choice[]
  /** The map that the row names; null if unknown. */
  readonly identity: MapIdentity | null
  /** The catalogue's answer with which the map is added; null if it is not added. */
  readonly finding: Answer | null
}

type Wishes = Pick<ImportRequest, 'difficulty' | 'keepMissing'>

/**
 * A map is added if its difficulty is known, from the row or from the import's rule. An outdated version is added as it
 * is. A missing map is added only with `keepMissing`. While the catalogue does not answer, a map is added without its
 * data. (pools: Adding and importing, rule 4)
 * @param finding null for an item without a reference
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
  // The catalogue does not say which difficulties an older version had.
  const identity = hash !== null && hash !== song.hash ? identityOf(hash, wish) : null
  if (identity !== null) return added(identity)
  if (chosen.outcome === 'missing') return { ...nothing, outcome: 'choice', reason: 'map.difficulty_missing', choices }
  return { ...nothing, outcome: 'rejected', reason: 'map.difficulty_unknown', choices }
}

const nothing = { reason: null, choices: [], identity: null, finding: null }

/**
 * A playlist that the catalogue did not return is pending and may be imported again. Anything else is unreadable, and
 * rejected.
 */
function unread(reason: string): Verdict {
  return { ...nothing, outcome: reason === 'catalogue.unreachable' ? 'pending' : 'rejected', reason }
}

function identityOf(hash: string | null, wish: Wish): MapIdentity | null {
  const { difficulty } = wish
  if (hash === null || difficulty === null) return null
  return { hash, difficulty, characteristic: defaultCharacteristic(wish) }
}

/** A row whose map is added, with its item. */
export interface Planned {
  readonly index: number
  readonly item: ImportItem
  readonly identity: MapIdentity
  readonly finding: Answer
}

/** New data about a map that is in the pool already. */
export interface AlreadyInPool extends Pick<Planned, 'item' | 'identity' | 'finding'> {
  readonly poolMapGuid: string
}

export interface Plan {
  /** The rows, still without the GUIDs of the maps to add. */
  readonly rows: readonly ImportRow[]
  readonly added: readonly Planned[]
  /** Maps in the pool with the catalogue's current answer: it may not have answered when they were added. */
  readonly told: readonly AlreadyInPool[]
  /** For each row that repeats an earlier one, by index: the index of the earlier row. */
  readonly repeated: ReadonlyMap<number, number>
}

/** A map that is in the pool already. */
export interface Standing {
  readonly guid: string
  readonly mapGuid: string
  readonly map: MapIdentity
}

/**
 * Adds each map once, in the order of the rows, while the pool has room. Maps that are in the pool already are
 * `present`. (pools: Adding and importing, rules 4 and 5)
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
  const told: AlreadyInPool[] = []
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

/** Returns the rows with the GUIDs of the maps that were added, in the order of the plan. */
export function withMaps(
  { rows, added, repeated }: Plan,
  made: readonly { readonly mapGuid: string; readonly poolMapGuid: string }[],
): ImportRow[] {
  const madeFor = new Map(added.map(({ index }, place) => [index, made[place]]))
  return rows.map((row) => ({ ...row, ...madeFor.get(repeated.get(row.index) ?? row.index) }))
}
