import type { Tx } from '../../../../infra/db/database.ts'
import { type Concerned, listOfficials, listPlayers, listUnanswered } from '../store/recipients.ts'
import { type Reminder, takeReminders } from '../store/reminders.ts'
import type { Occasion, Push } from '../types.ts'
import { sendPushes } from './sending.ts'

/** Reminds the players of matches that start soon, and those who work there. Each match has one reminder per time. */
export async function remindOfMatches(tx: Tx, reminders: readonly Reminder[]): Promise<void> {
  const taken = await takeReminders(tx, 'match.starting', reminders)
  const guids = taken.map(({ guid }) => guid)
  const [players, officials] = [await listPlayers(tx, guids), await listOfficials(tx, guids)]
  await sendPushes(tx, [
    ...pushesOf('match.starting', 'matchGuid', taken, players),
    ...pushesOf('duty.starting', 'matchGuid', taken, officials),
  ])
}

/** Reminds those who have not answered a sheet that closes soon. */
export async function remindOfSheets(tx: Tx, reminders: readonly Reminder[]): Promise<void> {
  const taken = await takeReminders(tx, 'sheet.closing', reminders)
  if (taken.length === 0) return
  const asked = await listUnanswered(
    tx,
    taken.map(({ guid }) => guid),
  )
  await sendPushes(tx, pushesOf('sheet.closing', 'sheetGuid', taken, asked))
}

function pushesOf(
  occasion: Occasion,
  member: 'matchGuid' | 'sheetGuid',
  reminders: readonly Reminder[],
  concerned: readonly Concerned[],
): Push[] {
  const byGuid = new Map(reminders.map((reminder) => [reminder.guid, reminder]))
  return concerned.flatMap(({ subject, userGuid }) => {
    const reminder = byGuid.get(subject)
    if (reminder === undefined) return []
    const { tournamentGuid, dueAt } = reminder
    return [{ userGuid, occasion, subject: { tournamentGuid, [member]: subject }, until: dueAt }]
  })
}
