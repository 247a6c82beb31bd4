import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import { invalid } from '../../../../core/problem.ts'
import { oneLine } from '../../../../core/text.ts'
import { readInstant } from '../../../../core/time.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { loadMatch } from '../../../brackets/matches/queries.ts'
import { unknownOverlay } from '../../overlays/resolve.ts'
import type { Overlay } from '../../overlays/types.ts'
import { findPublished } from '../../sceneDocuments/store/drafts.ts'
import type { ControlBody, PointBody } from '../bodies.ts'
import { dataTag } from '../events.ts'
import { readControlView } from '../queries.ts'
import {
  changedMembers,
  checkCustom,
  checkRevision,
  checkScene,
  controlMembers,
  isSamePointing,
  nothingToChange,
  pointedAt,
  shownScene,
  withChanges,
} from '../rules.ts'
import * as store from '../store/control.ts'
import type { Control, ControlChanges } from '../types.ts'
import { type CasterRoom, readCasters, useCasters } from './casters.ts'

export interface Around extends Omit<CasterRoom, 'before'> {
  readonly actor: SignedIn
  readonly overlay: Overlay
  readonly now: Date
}

/**
 * Sets the named members. If two callers set the same member, the later one wins. (OV12)
 * @throws Problem `control.nothing_to_change`, `overlay.unknown`, `overlay.stale`, and the problems of the members
 */
export async function changeControl(tx: Tx, around: Around, { revision, ...body }: ControlBody): Promise<Control> {
  const { actor, overlay, now } = around
  if (controlMembers.every((name) => body[name] === undefined)) throw nothingToChange()
  const before = await lockShown(tx, overlay, revision)
  const after = withChanges(before, await readChanges(tx, around, before, body))
  const changed = changedMembers(before, after)
  const isSceneChosen = body.scene !== undefined
  if (changed.length === 0) {
    if (isSceneChosen) await store.updateSceneSeq(tx, overlay.guid)
    return before
  }
  // Saves only the changed members. While no scene is set and the first one is shown, a change of another member must
  // not set the scene.
  const written = await store.updateControl(tx, after, changed, { by: actor.guid, now, isSceneChosen })
  if (changed.includes('casters')) await useCasters(tx, overlay.guid, after.casters, { ...around, now })
  emit(tx, {
    type: 'overlay.control_changed',
    subject: overlay.guid,
    tournament: overlay.tournamentGuid,
    actor: actor.guid,
    before: membersOf(before, changed),
    after: membersOf(after, changed),
    touches: changed.includes('swapSides') || changed.includes('highlighted') ? [dataTag(overlay.guid)] : [],
  })
  return written
}

/**
 * Locks the control state of an overlay, and returns it with the scene that is shown.
 * @param seen the revision that the caller has seen
 * @throws Problem `overlay.unknown`, `overlay.stale`
 */
async function lockShown(tx: Tx, overlay: Overlay, seen: number | undefined): Promise<Control> {
  const locked = await store.lockControl(tx, overlay.guid)
  if (locked === undefined) throw unknownOverlay()
  if (seen !== undefined && seen !== locked.revision) {
    const present = await readControlView(tx, overlay, locked, { isInside: true })
    checkRevision(locked, seen, () => present)
  }
  if (locked.scene !== null) return locked
  return { ...locked, scene: shownScene(null, (await findPublished(tx, overlay.guid))?.document) }
}

/** Reads only the known members: a body may contain others. */
async function readChanges(
  tx: Tx,
  around: Around,
  before: Control,
  body: Omit<ControlBody, 'revision'>,
): Promise<ControlChanges> {
  const { overlay } = around
  const { scene, swapSides, mapCard, audio, casters, flavour, highlighted, countdownTo, blank, custom } = body
  if (scene !== undefined) checkScene(scene, (await findPublished(tx, overlay.guid))?.document)
  if (custom !== undefined) checkCustom(custom)
  return {
    ...given({ scene, swapSides, mapCard, blank, custom }),
    ...given({ autoAdvance: body.autoAdvance, autoDelayMs: body.autoDelayMs }),
    ...(audio && { audio: given({ active: audio.active, muted: audio.muted, volume: audio.volume }) }),
    ...(flavour !== undefined && { flavour: oneLine(flavour) }),
    ...(casters && { casters: await readCasters(tx, casters, { ...around, before: before.casters }) }),
    ...(highlighted && { highlighted: await readMatches(tx, overlay.tournamentGuid, highlighted) }),
    ...(countdownTo !== undefined && { countdownTo: readInstant(countdownTo, unusableCountdown) }),
  }
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>
}

function unusableCountdown(reason: string) {
  return invalid('control.countdown_invalid', `\`countdownTo\` ${reason}.`)
}

/** @throws Problem `match.unknown`, `match.ambiguous` */
async function readMatches(tx: Tx, tournament: string, named: readonly string[]): Promise<string[]> {
  const matches = await Promise.all(named.map((each) => loadMatch(tx, tournament, each)))
  return [...new Set(matches.map(({ guid }) => guid))]
}

/**
 * Points the overlay at another match, or at none. (OV13)
 * @throws Problem `overlay.unknown`, `overlay.stale`, `match.unknown`, `match.ambiguous`
 */
export async function pointAt(
  tx: Tx,
  { actor, overlay, now }: Pick<Around, 'actor' | 'overlay' | 'now'>,
  { matchGuid, division, revision }: PointBody,
): Promise<Control> {
  const before = await lockShown(tx, overlay, revision)
  const match = matchGuid === null ? null : await loadMatch(tx, overlay.tournamentGuid, matchGuid, division)
  const after = pointedAt(before, match?.guid ?? null)
  if (isSamePointing(before, after)) return before
  const reset = ['matchGuid', 'swapSides', 'mapCard', 'highlighted'] as const
  const written = await store.updateControl(tx, after, reset, { by: actor.guid, now, isPointed: true })
  emit(tx, {
    type: 'overlay.pointed',
    subject: overlay.guid,
    tournament: overlay.tournamentGuid,
    actor: actor.guid,
    before: { match: before.matchGuid },
    after: { match: after.matchGuid },
    touches: [dataTag(overlay.guid)],
  })
  return written
}
