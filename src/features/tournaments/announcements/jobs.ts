import { placeOf } from '../../../infra/clock/store.ts'
import { readClock } from '../../../infra/db/clock.ts'
import type { Db } from '../../../infra/db/database.ts'
import { findShownInstant, readShown } from '../../../infra/delay/store.ts'
import { findHorizon, readHeldRows } from '../../../infra/held/store.ts'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { Job, JobContext } from '../../../infra/jobs/jobs.ts'
import { webhookOf } from '../chatDeliveries/rules/webhooks.ts'
import { announce, correct } from './commands.ts'
import { sayMatters } from './queries/saying.ts'
import { isAnnounced } from './rules/matters.ts'
import { findNextMs, type Group, listDueGroups, listGroup, postponeGroup } from './store/due.ts'
import { mapTournaments } from './store/facts.ts'
import { deleteOld } from './store/matters.ts'
import type { Matter } from './types.ts'

const say: DueWork = {
  inRehearsals: true,
  name: 'announcements.say',
  run: async (context) => {
    for (const group of await listDueGroups(context.database.db)) {
      // A failure in one tournament must not stop the others.
      await sayGroup(context, group).catch((err: unknown) =>
        context.log.error({ err, tournament: group.tournamentGuid, kind: group.kind }, 'announcement'),
      )
    }
    const place = placeOf(context.database.db)
    return place === null ? null : findNextMs(context.database.db, place.tournament)
  },
}

/**
 * The state is read as the stream shows it, before the transaction: what changes in between is looked at again. What
 * the stream does not show yet waits.
 */
async function sayGroup({ database }: JobContext, group: Group): Promise<void> {
  const { tournamentGuid, kind, announcementGuid } = group
  const now = await readClock(database.db)
  const matters = await listGroup(database.db, group)
  const tournament = (await mapTournaments(database.db, [tournamentGuid])).get(tournamentGuid)
  if (tournament === undefined) return
  const say = async (db: Db, visible: readonly Matter[], shown = tournament) => ({
    visible,
    said: await sayMatters(db, shown, kind, visible, now),
  })
  const horizon = group.isDelayed ? await findHorizon(database.db, tournamentGuid) : null
  const sayShown = () => {
    if (horizon !== null) {
      return readHeldRows(database, 'feed', { inside: [] }, async (db) => {
        const shown = await mapTournaments(db, [tournamentGuid])
        return say(db, await reachedOf(db, tournamentGuid, matters), shown.get(tournamentGuid))
      })
    }
    if (!group.isDelayed) return say(database.db, matters)
    const late = { tournament: tournamentGuid, match: group.matchGuid }
    return readShown(database, 'feed', late, async (db) => say(db, await shownOf(db, matters)))
  }
  const { visible, said } = await sayShown()
  const hidden = matters.filter((matter) => !visible.includes(matter))
  const isWaiting = visible.length === 0 || (announcementGuid !== null && hidden.length > 0)
  await database.transaction(async (tx) => {
    if (isWaiting || hidden.length > 0) await postponeGroup(tx, group, now)
    if (isWaiting) return
    if (announcementGuid !== null) return correct(tx, announcementGuid, matters, said?.message ?? null, now)
    const channel = isAnnounced(tournament, kind) ? tournament.announcements[kind] : undefined
    const isReachable = channel !== undefined && webhookOf(tournament, channel) !== null
    await announce(tx, visible, said, isReachable ? channel : null, now)
  })
}

/** The matters that the connection shows. */
async function shownOf(db: Db, matters: readonly Matter[]): Promise<readonly Matter[]> {
  const instant = await findShownInstant(db)
  return instant === null ? matters : matters.filter(({ happenedAt }) => happenedAt <= instant)
}

/** The matters that the horizon of a held tournament has reached. (V2) */
async function reachedOf(db: Db, tournament: string, matters: readonly Matter[]): Promise<readonly Matter[]> {
  const reached = (await findHorizon(db, tournament))?.horizon
  return reached === undefined ? matters : matters.filter(({ happenedAt }) => happenedAt <= reached)
}

export const announcementsDue: readonly DueWork[] = [say]

const keptMs = 30 * 24 * 3_600_000

const sweep: Job = {
  name: 'announcements.sweep',
  cron: '23 4 * * *',
  run: (_payload, { database, now }) =>
    deleteInBatches(database, (tx) => deleteOld(tx, new Date(now().getTime() - keptMs))),
}

export const announcementsJobs: readonly Job[] = [sweep]
