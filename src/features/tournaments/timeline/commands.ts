import type { SignedIn } from '../../../core/actor.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { lockTournament } from '../tournaments/commands/lock.ts'
import type { LoggedTimelineEvent } from './events.ts'
import { planReplacement, type TimelineEventInput } from './rules.ts'
import * as store from './store.ts'
import type { TimelineEvent } from './types.ts'

/**
 * Replaces the whole timeline. Of two concurrent replacements, the later one wins. Returns the new timeline and the
 * number of deleted events.
 * @throws Problem `tournament.unknown` and the problems of `planReplacement`
 */
export async function replaceTimeline(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  wanted: readonly TimelineEventInput[],
): Promise<{ events: TimelineEvent[]; deleted: number }> {
  await lockTournament(tx, tournamentGuid)
  const current = await store.listTimeline(tx, tournamentGuid)
  const { created, updated, deleted } = planReplacement(current, wanted)
  await store.deleteEvents(
    tx,
    deleted.map(({ guid }) => guid),
  )
  await store.updateEvents(tx, updated)
  const inserted = await store.insertEvents(tx, tournamentGuid, created)
  const events = await store.listTimeline(tx, tournamentGuid)
  const after = [...updated, ...inserted]
  if (deleted.length + after.length > 0) {
    const changed = new Set([...deleted, ...updated].map(({ guid }) => guid))
    emit(tx, {
      type: 'timeline.replaced',
      subject: tournamentGuid,
      tournament: tournamentGuid,
      actor: actor.guid,
      before: { timelineEvents: current.filter(({ guid }) => changed.has(guid)).map(logged) },
      after: { timelineEvents: after.map(logged) },
    })
  }
  return { events, deleted: deleted.length }
}

function logged({ guid, title, icon, startTime, endTime }: TimelineEvent): LoggedTimelineEvent {
  return {
    guid,
    title,
    icon,
    startTime: formatInstant(startTime),
    endTime: formatInstant(endTime),
  }
}
