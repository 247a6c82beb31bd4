import { readName, readNameOrNone } from '../../../../core/names.ts'
import { conflict, forbidden, invalid } from '../../../../core/problem.ts'
import type { TournamentRole } from '../../../../core/roles.ts'
import { readMarkdown } from '../../../../core/text.ts'
import { mayPreview } from '../policy.ts'
import type { Flair, Pool, PoolKind, Slot } from '../types.ts'

/** Reads and checks the settings of a pool. (pools: Records, Pool) */

export const maxPools = 100
export const maxName = 100
export const maxDescription = 2_000
export const maxPlaylistTitle = 200
export const maxPlaylistAuthor = 100
export const maxPlaylistDescription = 2_000
export const maxSlotCount = 50

export interface PoolInput {
  readonly name?: string
  readonly description?: string | null
  readonly kind?: PoolKind
  readonly order?: number
  readonly slots?: readonly Slot[]
  readonly playlist?: {
    readonly title?: string | null
    readonly author?: string | null
    readonly description?: string | null
  }
  readonly previewRoles?: readonly TournamentRole[]
}

export type PoolSettings = Pick<
  Pool,
  | 'name'
  | 'description'
  | 'kind'
  | 'slots'
  | 'playlistTitle'
  | 'playlistAuthor'
  | 'playlistDescription'
  | 'previewRoles'
>

export const defaultSettings: Omit<PoolSettings, 'name'> = {
  description: null,
  kind: 'match',
  slots: [],
  playlistTitle: null,
  playlistAuthor: null,
  playlistDescription: '',
  previewRoles: [],
}

/**
 * Applies the given settings to the old ones. A playlist text without visible characters resets it to the default.
 * (pools: Records, Pool; D56)
 * @param flairs the tournament's flairs
 * @throws Problem `pool.invalid`, `flair.unknown`
 */
export function readSettings(input: PoolInput, before: PoolSettings, flairs: readonly Flair[]): PoolSettings {
  const { name, description, kind, slots, playlist = {}, previewRoles } = input
  const { title, author, description: about } = playlist
  return {
    name: name === undefined ? before.name : readPoolName(name),
    description:
      description === undefined
        ? before.description
        : description === null
          ? null
          : readMarkdown(description, maxDescription) || null,
    kind: kind ?? before.kind,
    slots: slots === undefined ? before.slots : readSlots(slots, flairs),
    playlistTitle: title === undefined ? before.playlistTitle : readNameOrNone(title),
    playlistAuthor: author === undefined ? before.playlistAuthor : readNameOrNone(author),
    playlistDescription: about === undefined ? before.playlistDescription : (about ?? ''),
    previewRoles: previewRoles === undefined ? before.previewRoles : readRoles(previewRoles),
  }
}

function readPoolName(text: string): string {
  const read = readName(text)
  if (!read.ok) throw invalid('pool.invalid', `The body's member "name" ${read.reason}.`)
  return read.value
}

function readSlots(slots: readonly Slot[], flairs: readonly Flair[]): Slot[] {
  const read = slots.map(({ flairGuid, count }) => ({ flairGuid: flairGuid.toLowerCase(), count }))
  for (const { flairGuid } of read) checkFlair(flairGuid, flairs)
  if (new Set(read.map(({ flairGuid }) => flairGuid)).size < read.length) {
    throw invalid('pool.invalid', 'Each flair may stand among the slots once.')
  }
  return read
}

/** @throws Problem `flair.unknown` */
export function checkFlair(guid: string | null, flairs: readonly Pick<Flair, 'guid'>[]): void {
  if (guid === null || flairs.some((flair) => flair.guid === guid)) return
  throw invalid('flair.unknown', `The tournament has no flair ${guid}; load the flairs again.`)
}

function readRoles(roles: readonly TournamentRole[]): TournamentRole[] {
  const needless = roles.find((role) => !mayPreview(role))
  if (needless !== undefined) {
    throw invalid('pool.invalid', `${needless} reads every pool; "previewRoles" names other roles.`)
  }
  return [...new Set(roles)].toSorted()
}

/**
 * Settings of a published pool that may change without a correction: its names and its look. The others may change only
 * in a draft. (pools: Who may do what)
 */
const changeableOnceShown: readonly string[] = ['name', 'description', 'order', 'playlist', 'cover']

/** @throws Problem `pool.wrong_status` */
export function checkSettable({ status }: Pick<Pool, 'status'>, names: readonly string[]): void {
  if (status === 'draft') return
  const barred = names.find((name) => !changeableOnceShown.includes(name))
  if (status === 'archived') throw conflict('pool.wrong_status', 'The pool is archived; unarchive it first.')
  if (barred !== undefined) {
    throw conflict('pool.wrong_status', `"${barred}" is set while the pool is a draft; unpublish it first.`)
  }
}

/**
 * Poolers may change the maps of a draft. Only heads may change those of a published pool, with a reason. The maps of
 * an archived pool cannot be changed. (pools: Who may do what)
 * @throws Problem `pool.wrong_status`, `pool.for_heads`, `pool.reason_missing`
 */
export function checkMapsWritable({ status }: Pick<Pool, 'status'>, isHead: boolean, reason: string | null): void {
  if (status === 'draft') return
  if (!isHead) throw forHeads()
  if (status === 'archived') throw conflict('pool.wrong_status', 'The pool is archived; unarchive it first.')
  if (reason === null) {
    throw invalid('pool.reason_missing', 'The pool is published: give the reason of the correction as "reason".')
  }
}

export function forHeads() {
  return forbidden('pool.for_heads', 'Only the organiser, admins and head poolers change a pool that is published.')
}

/**
 * When two callers edit the same state, the first one wins: checks the revision that the caller has seen.
 * (pools: Operations)
 */
export function checkDraftRevision({ draftRevision }: Pick<Pool, 'draftRevision'>, seen: number | undefined): boolean {
  return seen === undefined || seen === draftRevision
}
