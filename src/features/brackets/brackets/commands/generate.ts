import type { SignedIn } from '../../../../core/actor.ts'
import { readNameOf } from '../../../../core/names.ts'
import { invalid } from '../../../../core/problem.ts'
import { settle } from '../../../../engine/progress.ts'
import { readSettings, type SettingsInput } from '../../../../engine/settings.ts'
import type { Format } from '../../../../engine/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { Seal } from '../../../../infra/sealed.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import { unknownDivision } from '../../matches/rules.ts'
import { countMatches, deleteMatchesOfBracket, findLastNumber, insertMatches } from '../../matches/store/matches.ts'
import type { MatchRecord } from '../../matches/types.ts'
import { type EntrantsInput, seedApart } from '../rules/entrants.ts'
import {
  asEntrants,
  expectedMatches,
  planMatches,
  type Rematch,
  rematchesOf,
  stateOf,
  toRecords,
} from '../rules/plan.ts'
import { checkRoom, checkRoomForMatches, checkUnplayed, settingsShown } from '../rules/structure.ts'
import { loggedRuling } from '../rules/ties.ts'
import { insertBracket, listBrackets, replaceEntrants, updateBracket } from '../store/brackets.ts'
import { findDivision } from '../store/divisions.ts'
import type { Bracket, BracketEntrant, Division } from '../types.ts'
import { type EnteringTeams, listEntering, sourceOf } from './entering.ts'
import { lockBrackets, lockStructure } from './lock.ts'

/** A bracket with its entrants and matches. */
export interface BracketRecord {
  readonly bracket: Bracket
  readonly entrants: readonly BracketEntrant[]
  /** By match number. */
  readonly matches: readonly MatchRecord[]
}

/** A bracket that was created, or whose matches were made anew. */
export interface MadeBracket extends BracketRecord {
  /** First-round matches between teams of one group. */
  readonly rematches: readonly Rematch[]
}

/** How a bracket is to be made. */
interface Making {
  /** Computes the bracket without saving it. */
  readonly dryRun: boolean
  readonly now: Date
  /** Keyed digest with a secret of the installation; draws are computed from it. */
  readonly seal: Seal
}

export interface BracketInput {
  readonly name: string
  readonly format: Format
  readonly settings?: SettingsInput
  readonly order?: number
  readonly entrants: EntrantsInput
}

/**
 * Creates a bracket with its matches, by default as the last of its division.
 * @param dryRun returns the bracket that would be made, and saves nothing
 * @throws Problem `request.invalid`, `tournament.over`, `division.unknown`, `bracket.too_many`,
 * `bracket.settings_invalid`, `bracket.too_many_matches` and those of `listEntering`
 */
export async function createBracket(
  tx: Tx,
  actor: SignedIn,
  { guid: divisionGuid, tournamentGuid }: Division,
  input: BracketInput,
  { dryRun, now, seal }: Making,
): Promise<MadeBracket> {
  const name = readNameOf('name', input.name)
  await lockStructure(tx, tournamentGuid)
  if ((await findDivision(tx, tournamentGuid, divisionGuid)) === undefined) throw unknownDivision()
  const [others, guids, source] = await Promise.all([
    listBrackets(tx, tournamentGuid),
    newGuids(tx, 1),
    lockSource(tx, input.entrants),
  ])
  checkRoom(others.length)
  const orders = others.filter((other) => other.divisionGuid === divisionGuid).map((other) => other.order)
  const entering = await listEntering(tx, tournamentGuid, input.entrants, source, { seal, isDryRun: dryRun })
  const made = await makeMatches(
    tx,
    {
      tournamentGuid,
      divisionGuid,
      name,
      guid: guids[0] ?? '',
      format: input.format,
      settings: readSettings(input.format, input.settings ?? {}, entering.teams.length),
      order: input.order ?? Math.max(0, ...orders) + 1,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    },
    entering,
    now,
  )
  if (dryRun) return made
  const { bracket } = made
  await insertBracket(tx, bracket)
  await insertContent(tx, made, now)
  emit(tx, {
    type: 'bracket.created',
    subject: bracket.guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { divisionGuid, name, order: bracket.order, ...loggedBracket(made) },
  })
  return made
}

/** Members that are not given keep their values. */
export type Regeneration = Partial<BracketInput> & Pick<BracketInput, 'entrants'> & { readonly force?: boolean }

/**
 * Makes the matches of a bracket anew. The results and corrections of the old matches are lost.
 * @throws Problem `bracket.unknown`, `bracket.played` and those of `createBracket`
 */
export async function generateBracket(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Bracket,
  input: Regeneration,
  { dryRun, now, seal }: Making,
): Promise<MadeBracket> {
  await lockStructure(tx, tournamentGuid)
  const sourceGuid = sourceOf(input.entrants)
  if (sourceGuid === guid) throw invalid('bracket.entrants_invalid', 'A bracket cannot take its teams from itself.')
  const [bracket, source] = await lockBrackets(tx, guid, sourceGuid)
  checkUnplayed(bracket, input.force ?? false)
  const entering = await listEntering(tx, tournamentGuid, input.entrants, source, { seal, isDryRun: dryRun })
  const format = input.format ?? bracket.format
  const kept = format === bracket.format ? settingsShown(bracket) : {}
  const made = await makeMatches(
    tx,
    {
      ...bracket,
      format,
      settings: readSettings(format, input.settings ?? kept, entering.teams.length),
      name: input.name === undefined ? bracket.name : readNameOf('name', input.name),
      order: input.order ?? bracket.order,
    },
    entering,
    now,
  )
  if (dryRun) return made
  const { name, order, settings, status, open, started, roundsMade, ruling } = made.bracket
  const changes = { name, order, format, settings, status, open, started, roundsMade, ruling }
  const after = await updateBracket(tx, guid, changes, now)
  await deleteMatchesOfBracket(tx, guid)
  await insertContent(tx, made, now)
  emit(tx, {
    type: 'bracket.generated',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { name: bracket.name, format: bracket.format, status: bracket.status, started: bracket.started },
    after: { name, ...loggedBracket(made) },
  })
  return { ...made, bracket: after }
}

type Blank = Omit<Bracket, 'status' | 'open' | 'started' | 'roundsMade' | 'ruling'>

/**
 * Builds the entrants and matches of a bracket whose teams are known. Matches with a bye are decided immediately, and
 * their winners advance.
 */
async function makeMatches(tx: Tx, blank: Blank, entering: EnteringTeams, now: Date): Promise<MadeBracket> {
  const { format, settings, divisionGuid, tournamentGuid } = blank
  const plan = planMatches(format, seedApart(entering, format, settings), settings)
  const present = await countMatches(tx, tournamentGuid, blank.guid)
  checkRoomForMatches(present, expectedMatches(format, plan.matches.length, settings))
  const [guids, offset] = await Promise.all([
    newGuids(tx, plan.matches.length),
    findLastNumber(tx, divisionGuid, blank.guid),
  ])
  const entrants = asEntrants(plan.entrants)
  const settled = settle(plan, { withdrawn: new Map() })
  const roundsMade = format === 'swiss' ? 1 : 0
  const bracket: Bracket = {
    ...blank,
    roundsMade,
    ruling: entering.ruling,
    ...stateOf({ ...blank, roundsMade }, entrants, settled),
  }
  return {
    bracket,
    entrants,
    rematches: rematchesOf(plan, entering.origins ?? [], offset),
    matches: toRecords(settled, { bracket, guids, offset, now }),
  }
}

async function insertContent(tx: Tx, { bracket, entrants, matches }: MadeBracket, now: Date): Promise<void> {
  await Promise.all([replaceEntrants(tx, bracket, entrants), insertMatches(tx, matches, now)])
}

async function lockSource(tx: Tx, entrants: EntrantsInput): Promise<Bracket | undefined> {
  const guid = sourceOf(entrants)
  if (guid === undefined) return undefined
  const [source] = await lockBrackets(tx, guid)
  return source
}

/** What the event log says of a new bracket. It leaves out the matches, since there may be thousands. */
function loggedBracket({ bracket, entrants, matches }: MadeBracket) {
  const { format, status, ruling } = bracket
  return { format, status, entrants: entrants.length, matches: matches.length, ...loggedRuling(ruling) }
}
