import { readClock } from '../../../infra/db/clock.ts'
import type { Db } from '../../../infra/db/database.ts'
import { readShown } from '../../../infra/delay/store.ts'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { Job, JobContext } from '../../../infra/jobs/jobs.ts'
import { webhookOf } from '../chatDeliveries/rules/webhooks.ts'
import { announce, correct } from './commands.ts'
import { sayMatters } from './queries/saying.ts'
import { isAnnounced } from './rules/matters.ts'
import { mapTournaments } from './store/facts.ts'
import { deleteOld, type Group, listDueGroups, listGroup, postponeGroup } from './store/matters.ts'

const say: DueWork = {
  name: 'announcements.say',
  run: async (context) => {
    for (const group of await listDueGroups(context.database.db)) {
      // A failure in one tournament must not stop the others.
      await sayGroup(context, group).catch((err: unknown) =>
        context.log.error({ err, tournament: group.tournamentGuid, kind: group.kind }, 'announcement'),
      )
    }
    return null
  },
}

/** The state is read as the stream shows it, before the transaction: a change in between is looked at again. */
async function sayGroup({ database }: JobContext, group: Group): Promise<void> {
  const { tournamentGuid, kind, announcementGuid } = group
  const now = await readClock(database.db)
  const matters = await listGroup(database.db, group)
  const isHidden = matters.some(
    ({ dueAt, happenedAt }) =>
      dueAt !== null && dueAt <= now && happenedAt.getTime() + group.seconds * 1_000 > now.getTime(),
  )
  if (matters.length === 0 || isHidden) return database.transaction((tx) => postponeGroup(tx, group))
  const tournament = (await mapTournaments(database.db, [tournamentGuid])).get(tournamentGuid)
  if (tournament === undefined) return
  const read = (db: Db) => sayMatters(db, tournament, kind, matters, now)
  const said = group.isDelayed
    ? await readShown(database, 'feed', { tournament: tournamentGuid, match: group.matchGuid }, read)
    : await read(database.db)
  if (announcementGuid !== null) {
    return database.transaction((tx) => correct(tx, announcementGuid, matters, said?.message ?? null, now))
  }
  const channel = isAnnounced(tournament, kind) ? tournament.announcements[kind] : undefined
  const isReachable = channel !== undefined && webhookOf(tournament, channel) !== null
  await database.transaction((tx) => announce(tx, matters, said, isReachable ? channel : null, now))
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
