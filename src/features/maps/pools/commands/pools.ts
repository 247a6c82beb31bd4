import { hash, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { nameKeyOf } from '../../../../core/names.ts'
import { conflict } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { changedTexts, useShown } from '../../../../infra/media/texts.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import type { Cover } from '../../../../infra/pictures/pictures.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { poolsTag } from '../events.ts'
import type { Reader } from '../queries/pools.ts'
import { checkNeverPublished, checkReady, failuresOf } from '../rules/publishing.ts'
import { checkSettable, defaultSettings, maxPools, type PoolInput, readSettings } from '../rules/settings.ts'
import { deleteCover, writeCover } from '../store/covers.ts'
import { listFlairs } from '../store/flairs.ts'
import { listWholeMaps } from '../store/maps.ts'
import {
  deletePool as deleteRow,
  insertPool,
  listPools,
  orderPools,
  type PoolChanges,
  updatePool,
} from '../store/pools.ts'
import type { Pool } from '../types.ts'
import { checkNotStale, lockPool, type Writing } from './changing.ts'

/** The settings in a request. `cover` is a decoded picture; null removes the cover. */
export type PoolWish = PoolInput & { readonly cover?: Cover | null }

/**
 * Creates a draft at the end of the list, or at the given position.
 * @throws Problem `tournament.cancelled`, `pool.invalid`, `flair.unknown`, `pool.too_many`, and `pool.name_taken` and
 *   `pool.qualifier_exists` by their constraints
 */
export async function createPool(
  tx: Tx,
  { actor, tournament, now }: Writing,
  { cover, ...input }: PoolWish & { readonly name: string },
): Promise<Pool> {
  const locked = await lockTournament(tx, tournament.guid)
  checkNotCancelled(locked.tournament)
  const [listed, flairs] = await Promise.all([listPools(tx, tournament.guid), listFlairs(tx, tournament.guid)])
  if (listed.length >= maxPools) {
    throw conflict('pool.too_many', `A tournament has at most ${maxPools} pools; archived ones count, too.`)
  }
  const settings = readSettings(input, { ...defaultSettings, name: '' }, flairs)
  const place = Math.min(input.order ?? listed.length, listed.length)
  const made = await insertPool(
    tx,
    { ...settings, nameKey: nameKeyOf(settings.name), tournamentGuid: tournament.guid, order: listed.length },
    now,
  )
  await orderPools(tx, listed.map(({ guid }) => guid).toSpliced(place, 0, made.guid))
  const { description } = made
  const room = { owners: [actor.guid], tournamentGuid: tournament.guid }
  await useShown(tx, { subject: 'pool', subjectGuid: made.guid }, { description }, { room, now })
  if (cover != null) await writeCover(tx, made.guid, cover)
  const pool = cover == null ? made : await updatePool(tx, made.guid, { coverHash: coverHashOf(cover) }, now)
  emit(tx, {
    type: 'pool.created',
    subject: pool.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: { name: pool.name, kind: pool.kind },
  })
  return { ...pool, order: place }
}

/**
 * Changes the given settings. (pools: Who may do what)
 * @throws Problem the problems of `lockPool`, `createPool` and `checkSettable`, `pool.stale`
 */
export async function updatePoolSettings(
  tx: Tx,
  { actor, tournament, now }: Writing,
  guid: string,
  { draftRevision, ...wish }: PoolWish & { readonly draftRevision?: number },
  reader: Pick<Reader, 'publicUrl'>,
): Promise<Pool> {
  const { cover, order, ...input } = wish
  if (order !== undefined) await lockTournament(tx, tournament.guid)
  const pool = await lockPool(tx, guid, tournament)
  checkSettable(pool, Object.keys(wish))
  await checkNotStale(tx, tournament, pool, draftRevision, { ...reader, actor, now })
  const settings = readSettings(input, pool, await listFlairs(tx, tournament.guid))
  const names = (Object.keys(settings) as (keyof typeof settings)[]).filter(
    (name) => !isDeepStrictEqual(settings[name], pool[name]),
  )
  const changes: PoolChanges = {
    ...Object.fromEntries(names.map((name) => [name, settings[name]])),
    ...(names.includes('name') ? { nameKey: nameKeyOf(settings.name) } : {}),
    ...(await changedCover(tx, pool, cover)),
  }
  const isMoved = order !== undefined && (await movePool(tx, pool, order))
  if (Object.keys(changes).length === 0 && !isMoved) return pool
  const isShown = pool.status === 'published'
  // A move past drafts alone changes nothing for the public.
  const isSeenAnew = isShown && Object.keys(changes).length > 0
  const changed = await updatePool(tx, guid, { ...changes, ...(isSeenAnew ? { shownAt: now } : {}) }, now)
  const room = { owners: [actor.guid], tournamentGuid: tournament.guid }
  const texts = changedTexts(['description'], pool, changed)
  await useShown(tx, { subject: 'pool', subjectGuid: guid }, texts, { room, now })
  if (pool.publishAt !== null && names.includes('slots')) {
    checkReady(failuresOf(changed.slots, await listWholeMaps(tx, [guid])), pool.forcedFailures ?? [])
  }
  const logged = {
    ...settingsOf(changed),
    ...(cover === undefined ? {} : { cover: cover === null ? 'removed' : 'set' }),
  }
  const before = Object.fromEntries(Object.entries(settingsOf(pool)).filter(([name]) => names.includes(name as never)))
  const after = Object.fromEntries(
    Object.entries(logged).filter(([name]) => names.includes(name as never) || name === 'cover'),
  )
  const moved = isMoved ? { order } : {}
  const common = { subject: guid, tournament: tournament.guid, actor: actor.guid }
  if (isShown) {
    emit(tx, { ...common, type: 'pool.updated', before, after: { ...after, ...moved }, touches: [poolsTag] })
  } else {
    emit(tx, { ...common, type: 'pool.drafted', before, after: { ...after, ...moved } })
  }
  return changed
}

/** Returns the settings for the event log. Long texts are left out: the log only says that they changed. */
function settingsOf(pool: Pool) {
  const { name, description, kind, slots, playlistTitle, playlistAuthor, previewRoles } = pool
  return {
    name,
    kind,
    slots,
    playlistTitle,
    playlistAuthor,
    previewRoles,
    description: loggedText(description),
    playlistDescription: loggedText(pool.playlistDescription),
  }
}

export function loggedText(text: string | null): string | null {
  return text?.slice(0, 200) ?? null
}

async function changedCover(tx: Tx, pool: Pool, cover: Cover | null | undefined): Promise<PoolChanges> {
  if (cover === undefined) return {}
  if (cover === null) {
    if (pool.coverHash === null) return {}
    await deleteCover(tx, pool.guid)
    return { coverHash: null }
  }
  const coverHash = coverHashOf(cover)
  if (coverHash === pool.coverHash) return {}
  await writeCover(tx, pool.guid, cover)
  return { coverHash }
}

/** What tells covers apart in their addresses. */
export function coverHashOf({ picture }: Pick<Cover, 'picture'>): string {
  return hash('sha256', picture, 'base64url').slice(0, 16)
}

/** Returns whether the position changed. */
async function movePool(tx: Tx, pool: Pool, order: number): Promise<boolean> {
  const guids = (await listPools(tx, pool.tournamentGuid)).map(({ guid }) => guid)
  const others = guids.filter((guid) => guid !== pool.guid)
  const wanted = others.toSpliced(Math.min(order, others.length), 0, pool.guid)
  if (isDeepStrictEqual(wanted, guids)) return false
  await orderPools(tx, wanted)
  return true
}

/**
 * Deletes a draft that was never published, with all votes and comments on its maps.
 * @throws Problem the problems of `lockPool`, `pool.was_published`
 */
export async function deletePool(tx: Tx, { actor, tournament, now }: Writing, guid: string): Promise<void> {
  const pool = await lockPool(tx, guid, tournament)
  checkNeverPublished(pool)
  await deleteRow(tx, guid)
  await endUsages(tx, [guid], now)
  emit(tx, {
    type: 'pool.deleted',
    subject: guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: { name: pool.name },
  })
}

/** Number of bytes of a preview key; 43 characters as text. */
const keyBytes = 32

/**
 * Gives a draft a new preview key, with which the game can load its playlist. Replaces the old key.
 * @returns the key; only its hash is stored
 * @throws Problem the problems of `lockPool`, `pool.wrong_status`
 */
export async function setPreviewKey(tx: Tx, writing: Writing, guid: string): Promise<string> {
  const key = randomBytes(keyBytes).toString('base64url')
  await writePreviewKey(tx, writing, guid, previewKeyHash(key))
  return key
}

export async function removePreviewKey(tx: Tx, writing: Writing, guid: string): Promise<void> {
  await writePreviewKey(tx, writing, guid, null)
}

async function writePreviewKey(
  tx: Tx,
  { actor, tournament, now }: Writing,
  guid: string,
  previewKeyHash: Buffer | null,
): Promise<void> {
  const pool = await lockPool(tx, guid, tournament)
  if (pool.status !== 'draft') {
    throw conflict('pool.wrong_status', 'Only a draft has a preview key; everybody can load the playlist of this pool.')
  }
  if (previewKeyHash === null && pool.previewKeyHash === null) return
  await updatePool(tx, guid, { previewKeyHash }, now)
  emit(tx, {
    type: 'pool.drafted',
    subject: guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: { hasPreviewKey: pool.previewKeyHash !== null },
    after: { hasPreviewKey: previewKeyHash !== null },
  })
}

/** A key of 256 random bits needs no slow hash. */
export function previewKeyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}
