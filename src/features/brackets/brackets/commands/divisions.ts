import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import { invalid } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { unknownDivision } from '../../matches/rules.ts'
import {
  checkRoom,
  checkStructureOpen,
  checkUnplayed,
  defaultId,
  readDivisionName,
  readId,
} from '../rules/divisions.ts'
import * as store from '../store/divisions.ts'
import type { Division } from '../types.ts'

export interface DivisionInput {
  readonly id?: string
  readonly name?: string
  readonly order?: number
}

/**
 * Creates a division, by default as the last one.
 * @throws Problem `division.invalid`, `tournament.over`, `division.too_many`, `division.id_taken` by its constraint
 */
export async function createDivision(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  input: DivisionInput & { readonly name: string },
): Promise<Division> {
  const name = readDivisionName(input.name)
  const wanted = input.id === undefined ? undefined : readId(input.id)
  const others = await lockStructure(tx, tournamentGuid)
  checkRoom(others.length)
  const id = wanted ?? defaultId(name, new Set(others.map((division) => division.id)))
  const order = input.order ?? Math.max(0, ...others.map((division) => division.order)) + 1
  const division = await store.insertDivision(tx, { tournamentGuid, id, name, order })
  emit(tx, {
    type: 'division.created',
    subject: division.guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { id, name, order },
  })
  return division
}

/**
 * Changes the given settings. If all of them hold already, nothing is saved.
 * @throws Problem `division.nothing_to_change`, `division.invalid`, `tournament.over`, `division.unknown`,
 * `division.id_taken` by its constraint
 */
export async function updateDivision(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Division,
  input: DivisionInput,
  now: Date,
): Promise<Division> {
  const wanted = {
    ...(input.id === undefined ? {} : { id: readId(input.id) }),
    ...(input.name === undefined ? {} : { name: readDivisionName(input.name) }),
    ...(input.order === undefined ? {} : { order: input.order }),
  }
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  if (names.length === 0) throw invalid('division.nothing_to_change', 'Give at least one of name, id and order.')
  const division = find(await lockStructure(tx, tournamentGuid), guid)
  const changed = names.filter((name) => wanted[name] !== division[name])
  if (changed.length === 0) return division
  const after = await store.updateDivision(tx, guid, wanted, now)
  emit(tx, {
    type: 'division.updated',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: membersOf(division, changed),
    after: membersOf(after, changed),
  })
  return after
}

/**
 * Deletes a division and its brackets, provided that none of them was played.
 * @throws Problem `tournament.over`, `division.unknown`, `division.played`
 */
export async function deleteDivision(tx: Tx, actor: SignedIn, { guid, tournamentGuid }: Division): Promise<void> {
  const { id, name, order } = find(await lockStructure(tx, tournamentGuid), guid)
  const brackets = await store.lockBracketsOf(tx, guid)
  checkUnplayed(brackets)
  await store.deleteDivision(tx, guid)
  emit(tx, {
    type: 'division.deleted',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { id, name, order, bracketGuids: brackets.map((bracket) => bracket.guid) },
  })
}

/** Locks the tournament for a change of its structure, and returns its current divisions. */
async function lockStructure(tx: Tx, tournamentGuid: string): Promise<readonly Division[]> {
  const { tournament } = await lockTournament(tx, tournamentGuid)
  checkStructureOpen(tournament)
  return store.listDivisions(tx, tournamentGuid)
}

function find(divisions: readonly Division[], guid: string): Division {
  const division = divisions.find((candidate) => candidate.guid === guid)
  if (division === undefined) throw unknownDivision()
  return division
}
