import type { SignedIn } from '../../../core/actor.ts'
import { readNameOf } from '../../../core/names.ts'
import { clockTag, workAt } from '../../../infra/clock/store.ts'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { everythingTag } from '../../../infra/events/head.ts'
import { forgetNamesIn } from '../../../infra/outbox/sending.ts'
import type { Faults } from '../../../infra/outbox/types.ts'
import { busyWithImports, runningImport } from '../../../infra/packages/gate.ts'
import type { Services } from '../../../services.ts'
import { deleteAttempts } from '../../brackets/qualifiers/store/attempts.ts'
import { restartBrackets } from '../../brackets/results/commands/restart.ts'
import { deleteSessions } from '../../flows/flowSessions/store/sessions.ts'
import { importPackage } from '../../packages/packages/commands/importing.ts'
import { bringUpload } from '../../packages/packages/commands/taking.ts'
import { checkPackage, type SentPackage } from '../../packages/packages/prepare.ts'
import { makePackage } from '../../packages/packages/queries.ts'
import { takeImportPlace } from '../../packages/packages/store/gate.ts'
import { insertPackagePeople, listPackagePeople } from '../../packages/packages/store/package-people.ts'
import type { ImportedPackage } from '../../packages/packages/types.ts'
import { forgetNames, takeNames } from '../../people/users/store/placeholders.ts'
import { lockUsersForKeyShare } from '../../people/users/store/users.ts'
import { requeueMatches } from '../../streaming/channels/store.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { removeTournament } from '../../tournaments/tournaments/commands/organiser.ts'
import { listRehearsalGuids, markRehearsal, writeSpoilerMode } from '../../tournaments/tournaments/store/rehearsals.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { ClockBody, FaultsBody, RehearsalBody, RenameBody } from './bodies.ts'
import { rehearsalsTag } from './events.ts'
import { readStrongest } from './queries.ts'
import {
  checkNotNested,
  checkRoom,
  chooseNoShows,
  faultsOf,
  namedIn,
  newSeed,
  newShortId,
  startOf,
  unknownRehearsal,
} from './rules.ts'
import * as store from './store.ts'
import type { Rehearsal } from './types.ts'

interface Making {
  readonly actor: SignedIn
  readonly tournament: Tournament
  readonly body: RehearsalBody
  /** The package that is copied; null for one that is made of the tournament as it is now. */
  readonly sent: SentPackage | null
  readonly services: Services
  readonly now: Date
}

/**
 * A tournament has room for one more rehearsal, and is none.
 * @throws Problem `rehearsal.nested`, `rehearsal.too_many`
 */
export async function checkPlace(db: Db, tournament: Tournament): Promise<void> {
  checkNotNested(tournament)
  checkRoom((await listRehearsalGuids(db, tournament.guid)).length)
}

/**
 * Copies a tournament by a package that was sent, or that is made of it as it is now, with everything in it. (R1)
 * @throws Problem those of `importPackage`, `rehearsal.nested`, `rehearsal.too_many`, `rehearsal.no_shows_invalid`, `import.running`, `service.busy`, `package.too_large`,
 *   `media.quota_exceeded`
 */
export async function makeRehearsal(tx: Tx, making: Making): Promise<Rehearsal> {
  const { actor, tournament, body, now } = making
  const name = readNameOf('name', body.name)
  // Before the copy is made, which takes long, and again under the lock of the tournament.
  await checkPlace(tx, tournament)
  const seed = body.seed ?? newSeed()
  const taken = await takeImportPlace(tx, actor.guid)
  if (taken === 'user') throw runningImport()
  if (taken === 'service') throw busyWithImports()
  const { tournamentGuid: guid, guids, people } = await copy(tx, making)
  const { tournament: real } = await lockTournament(tx, tournament.guid)
  checkRoom((await listRehearsalGuids(tx, tournament.guid)).length)
  await markRehearsal(tx, guid, tournament.guid)
  const startsAt = startOf(body.startsAt, now)
  // What follows has an instant of its clock.
  await workAt(tx, { tournament: guid, instant: startsAt, isFixed: true })
  await keepOriginals(tx, { guid, of: tournament.guid }, people)
  // Before the attempts are taken back.
  const strongest = await readStrongest(tx, guid)
  const isReset = body.reset ?? false
  if (isReset) await takeBack(tx, guid, startsAt)
  const teams = await store.listTakingPart(tx, guid)
  const noShows = chooseNoShows(teams, namedIn(guids, body.noShows ?? 0), seed)
  const source = making.sent === null ? ('now' as const) : ('package' as const)
  const made = { guid, name, source, isReset, seed, noShows, strongest, createdBy: actor.guid, createdAt: now }
  await store.insertRehearsal(tx, made, startsAt)
  // What was taken back is so for viewers at once; late is only what happens from now on.
  if (real.spoilerMode === 'held') await writeSpoilerMode(tx, guid, real.spoilerMode)
  const found = await store.findRehearsal(tx, guid)
  if (found === undefined) throw new Error('a rehearsal is gone that was just made')
  emit(tx, {
    type: 'rehearsal.created',
    subject: guid,
    actor: actor.guid,
    touches: [rehearsalsTag(tournament.guid), ...(real.spoilerMode === 'held' ? [everythingTag] : [])],
  })
  return found
}

/**
 * Keeps whose place each placeholder has, so that their names go with the accounts. Those of accounts that are deleted
 * already, maybe since the package was made, are as the deletion left them. (R1, D35)
 */
async function keepOriginals(
  tx: Tx,
  { guid, of }: Pick<Rehearsal, 'guid' | 'of'>,
  people: ImportedPackage['people'],
): Promise<void> {
  const named = await listPackagePeople(tx, of)
  const accounts = new Map([...named].map(([account, { packageGuid }]) => [packageGuid, account]))
  const places = people.map((person) => ({ of: accounts.get(person.guid) ?? person.guid, placeholder: person.user }))
  const there = await lockUsersForKeyShare(
    tx,
    places.map((place) => place.of),
  )
  const kept = places.filter((place) => there.has(place.of))
  await insertPackagePeople(
    tx,
    guid,
    kept.map((place) => ({ packageGuid: place.of, userGuid: place.placeholder, wasPlaceholder: true })),
  )
  const gone = places.filter((place) => !there.has(place.of))
  await takeNames(tx, gone)
}

/** When somebody is deleted, nothing tells their name in rehearsals any more. (R1, D35) */
export async function forgetPerson(tx: Tx, { guid }: { readonly guid: string }, now: Date): Promise<void> {
  const placeholders = await store.listPlacesOf(tx, guid)
  if (placeholders.length === 0) return
  await forgetNamesIn(tx, placeholders)
  await forgetNames(tx, placeholders, now)
  for (const subject of placeholders) emit(tx, { type: 'user.deleted', subject, actor: null, rights: true })
}

/** Takes back what was played, before anybody sees the rehearsal. (R1) */
async function takeBack(tx: Tx, guid: string, now: Date): Promise<void> {
  await deleteSessions(tx, guid)
  await deleteAttempts(tx, guid)
  await restartBrackets(tx, guid, now)
  await requeueMatches(tx, guid)
}

async function copy(tx: Tx, { actor, tournament, sent, services, now }: Making): Promise<ImportedPackage> {
  const wish = { mode: 'copy', id: newShortId(), parts: 'all', caller: actor.guid, isRehearsal: true } as const
  if (sent !== null) return await bringUpload(tx, { actor, wish, ...sent, services, now })
  // Files stay where they are: the copy has the same ones.
  const everything = { variant: 'full', isPrivate: true, hasMedia: false } as const
  const made = await makePackage(tournament.guid, everything, { services, now })
  return services.packages.workshop.filed(made, async (path) => {
    const { source } = await checkPackage({ path }, services, now)
    return await importPackage(tx, source, { ...wish, sharesFiles: true }, { services, now })
  })
}

/**
 * Sets how the receivers answer from now on, for all kinds. (R3)
 * @throws Problem `rehearsal.unknown` if it was deleted meanwhile
 */
export async function setFaults(
  tx: Tx,
  actor: SignedIn,
  { guid, of }: Pick<Rehearsal, 'guid' | 'of'>,
  body: FaultsBody,
): Promise<Faults> {
  const faults = faultsOf(body)
  if (!(await store.writeFaults(tx, guid, faults))) throw unknownRehearsal()
  emit(tx, {
    type: 'rehearsal.faults_changed',
    subject: guid,
    tournament: guid,
    actor: actor.guid,
    touches: [rehearsalsTag(of)],
  })
  return faults
}

/** @throws Problem `rehearsal.unknown` if it was deleted meanwhile */
export async function renameRehearsal(
  tx: Tx,
  actor: SignedIn,
  rehearsal: Rehearsal,
  body: RenameBody,
): Promise<Rehearsal> {
  const name = readNameOf('name', body.name)
  const before = await store.lockName(tx, rehearsal.guid)
  if (before === undefined) throw unknownRehearsal()
  if (before === name) return { ...rehearsal, name }
  await store.writeName(tx, rehearsal.guid, name)
  emit(tx, {
    type: 'rehearsal.renamed',
    subject: rehearsal.guid,
    actor: actor.guid,
    before: { name: before },
    after: { name },
    touches: [rehearsalsTag(rehearsal.of)],
  })
  return { ...rehearsal, name }
}

/**
 * Deletes a rehearsal with everything in it, whatever its status. (R1)
 * @param actorGuid null for the service itself
 * @throws Problem `rehearsal.unknown` if it was deleted meanwhile
 */
export async function deleteRehearsal(
  tx: Tx,
  actorGuid: string | null,
  { guid, of }: Pick<Rehearsal, 'guid' | 'of'>,
  now: Date,
): Promise<void> {
  const name = await store.lockName(tx, guid)
  if (name === undefined) throw unknownRehearsal()
  await removeTournament(tx, actorGuid, guid, now)
  emit(tx, {
    type: 'rehearsal.deleted',
    subject: guid,
    actor: actorGuid,
    before: { name },
    touches: [rehearsalsTag(of)],
  })
}

interface Move {
  /** Nothing is moved if the work has gone on from there meanwhile. */
  readonly from: Date
  readonly to: Date
}

/** Notes that everything that was due up to an instant has run. */
export async function noteRun(tx: Tx, rehearsal: string, { from, to }: Move): Promise<void> {
  await store.writeRun(tx, rehearsal, from, to)
}

/** Moves a clock on to an instant, unless it is there already, after everything that was due has run. */
export async function moveClock(
  tx: Tx,
  rehearsal: string,
  { from, to, actor }: Move & { readonly actor: string | null },
): Promise<void> {
  await workAt(tx, { tournament: rehearsal, instant: to, isFixed: true })
  const of = await store.writeMove(tx, rehearsal, from, to)
  if (of !== undefined) emitChanged(tx, { guid: rehearsal, of }, actor)
}

/**
 * Pauses a clock, lets it run, or changes its rate; it goes on from its present.
 * @throws Problem `rehearsal.unknown` if the rehearsal was deleted meanwhile
 */
export async function setClock(
  tx: Tx,
  actor: string,
  { guid, of }: Pick<Rehearsal, 'guid' | 'of'>,
  { rate, paused }: Pick<ClockBody, 'rate' | 'paused'>,
): Promise<void> {
  if (rate === undefined && paused === undefined) return
  const instant = await store.writeClock(tx, guid, { rate, isPaused: paused })
  if (instant === undefined) throw unknownRehearsal()
  await workAt(tx, { tournament: guid, instant, isFixed: true })
  emitChanged(tx, { guid, of }, actor)
}

function emitChanged(tx: Tx, { guid, of }: Pick<Rehearsal, 'guid' | 'of'>, actor: string | null): void {
  emit(tx, {
    type: 'rehearsal.clock_changed',
    subject: guid,
    tournament: guid,
    actor,
    touches: [clockTag(guid), rehearsalsTag(of)],
  })
}
