import { setImmediate } from 'node:timers/promises'
import type { Tx } from '../../../../infra/db/database.ts'
import { maxPlaced } from '../../../brackets/brackets/commands/placements.ts'
import { listPlacements } from '../../../brackets/brackets/queries.ts'
import { maxBrackets, maxMatches } from '../../../brackets/brackets/rules/structure.ts'
import { listBrackets, listEntrants } from '../../../brackets/brackets/store/brackets.ts'
import { findMatch, listMatchesOfBracket } from '../../../brackets/matches/store/matches.ts'
import { findQualifier } from '../../../brackets/qualifiers/store/qualifiers.ts'
import { listRows } from '../../../flows/flowSessions/store/rows.ts'
import { countMatches, listChanged, listCorrectionsAfter, listSessions, readPlaced } from '../store/recomputing.ts'
import { correctionLie, type Outline, outlineOf } from './corrections.ts'
import { courseLie } from './course.ts'
import { firstLie, type Lie, ofBracket, type WholeBracket } from './lies.ts'
import { logLie, mostApplied } from './logs.ts'
import { rulingLie } from './rulings.ts'
import { type Past, pairingLie, structureLie } from './structure.ts'

/** Computes what follows from the rows of a package, and compares it with what they say. (P6) */

export interface Written {
  /** GUID. */
  readonly tournament: string
  /** Whether logs, draws and what corrections keep are whole. */
  readonly isWhole: boolean
  /** Whether placements were taken. */
  readonly hasPlacements: boolean
}

/** The first row that contradicts what follows from the others; undefined where none does. */
export async function findLie(tx: Tx, written: Written): Promise<Lie | undefined> {
  return (
    (await findInBrackets(tx, written)) ??
    (written.hasPlacements ? await findInPlacements(tx, written) : undefined) ??
    (written.isWhole ? await findInLogs(tx, written) : undefined)
  )
}

async function findInBrackets(tx: Tx, { tournament, isWhole }: Written): Promise<Lie | undefined> {
  const [brackets, counts, changes] = [
    await listBrackets(tx, tournament),
    await countMatches(tx, tournament),
    await listChanged(tx, tournament),
  ]
  const [another] = brackets.slice(maxBrackets)
  if (another !== undefined) return ofBracket(another, null, `is one of more than ${maxBrackets}`)
  const outlines = new Map<string, Outline>()
  let matches = 0
  for (const bracket of brackets) {
    matches += counts.get(bracket.guid) ?? 0
    if (matches > maxMatches) return ofBracket(bracket, null, `has more matches than are left of ${maxMatches}`)
    const whole: WholeBracket = {
      bracket,
      entrants: await listEntrants(tx, bracket.guid),
      matches: await listMatchesOfBracket(tx, bracket.guid),
    }
    const past = { isUnchanged: !changes.changed.has(bracket.guid), hasReturned: changes.returned.has(bracket.guid) }
    const lie = bracketLie(whole, past)
    if (lie !== null) return lie
    outlines.set(bracket.guid, outlineOf(whole))
    // Other requests are served between two brackets.
    await setImmediate()
  }
  if (!isWhole) return undefined
  const ruled = await findQualifier(tx, tournament)
  return (
    firstLie(brackets, (bracket) => rulingLie('brackets', bracket)) ??
    (ruled === undefined ? null : rulingLie('qualifier', ruled)) ??
    (await findInCorrections(tx, tournament, outlines))
  )
}

/** The first row of a bracket that contradicts what follows from the others. */
export function bracketLie(whole: WholeBracket, past: Past): Lie | null {
  return structureLie(whole, past) ?? courseLie(whole) ?? pairingLie(whole, past)
}

const correctionsAtOnce = 20

async function findInCorrections(
  tx: Tx,
  tournament: string,
  outlines: ReadonlyMap<string, Outline>,
): Promise<Lie | undefined> {
  let last: string | null = null
  for (;;) {
    const corrections = await listCorrectionsAfter(tx, tournament, last, correctionsAtOnce)
    const lie = firstLie(corrections, (correction) => correctionLie(correction, outlines))
    if (lie !== null) return lie
    if (corrections.length < correctionsAtOnce) return undefined
    last = corrections.at(-1)?.guid ?? null
  }
}

/** The placements of a completed tournament are those of its brackets. Until then it has none, or has them already. */
async function findInPlacements(tx: Tx, { tournament }: Written): Promise<Lie | undefined> {
  const { placements: told, status } = await readPlaced(tx, tournament)
  if (status !== 'completed' && told.length === 0) return undefined
  const computed = (await listPlacements(tx, tournament)).slice(0, maxPlaced)
  const places = new Map(computed.map(({ teamGuid, place }) => [teamGuid, place]))
  const wrong = told.find(({ teamGuid, place }) => places.get(teamGuid) !== place)
  if (wrong !== undefined) {
    const place = places.get(wrong.teamGuid)
    const words = place === undefined ? 'is that of a team that no completed bracket places' : `must be ${place}`
    return { kind: 'placements', member: 'place', of: { teamGuid: wrong.teamGuid }, words }
  }
  if (new Set(told.map(({ teamGuid }) => teamGuid)).size === computed.length && told.length === computed.length) return
  const of = { guid: tournament }
  return {
    kind: 'tournament',
    member: null,
    of,
    words: `must have ${computed.length} placements, and has ${told.length}`,
  }
}

async function findInLogs(tx: Tx, { tournament }: Written): Promise<Lie | undefined> {
  const budget = { left: mostApplied }
  for (const { record, seed } of await listSessions(tx, tournament)) {
    const match = record.matchGuid === null ? null : ((await findMatch(tx, record.matchGuid)) ?? null)
    const rows = await listRows(tx, record.guid)
    const lie = logLie({ record, seed, rows, match }, budget)
    if (lie !== null) return lie
    await setImmediate()
  }
  return undefined
}
