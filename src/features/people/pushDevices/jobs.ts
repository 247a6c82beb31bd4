import { placeOf } from '../../../infra/clock/store.ts'
import type { Db } from '../../../infra/db/database.ts'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import { enqueue, type Job, type JobContext } from '../../../infra/jobs/jobs.ts'
import { attemptDue } from '../../../infra/outbox/sending.ts'
import { removeGone } from './commands/devices.ts'
import { remindOfMatches, remindOfSheets } from './commands/reminders.ts'
import { kindOf, textOf, topicOf, urgencyOf } from './rules/messages.ts'
import { judgePush, quietEnd, verdictOf } from './rules/sending.ts'
import { deliverJob, findAddressed } from './store/queue.ts'
import {
  deleteOldReminders,
  findNextMs,
  listClosingSheets,
  listStartingMatches,
  type Reminder,
} from './store/reminders.ts'
import type { Message } from './types.ts'

/**
 * Sends a message to a device, by the settings that the device has now. In quiet hours it waits for their end; what is
 * not worth telling then is dropped. A message that was sent when the process died is sent again: the device shows it
 * once, by its tag. (additions: Push)
 */
const deliver: Job = {
  name: deliverJob,
  slots: 8,
  run: async (payload, context) => {
    const message = payload as Message
    const { database, clients, now } = context
    const addressed = await findAddressed(database.db, message)
    const [at, until] = [now(), new Date(message.until)]
    if (addressed === undefined || at >= until) return
    const { device } = addressed
    if (device.mutedKinds.includes(kindOf(message.occasion))) return
    const quietUntil = device.quietHours === null ? null : quietEnd(device.quietHours, at)
    if (quietUntil !== null) {
      if (quietUntil < until) await sendLater(context, message, quietUntil)
      return
    }
    const answer = await clients.push.send(device, {
      text: textOf(message, addressed),
      ttlSeconds: Math.ceil((until.getTime() - at.getTime()) / 1_000),
      urgency: urgencyOf(message.occasion),
      topic: topicOf(message),
    })
    const verdict = verdictOf(message, answer, now())
    if (verdict.kind === 'gone') await database.transaction((tx) => removeGone(tx, device))
    if (verdict.kind === 'retry') await sendLater(context, { ...message, attempts: message.attempts + 1 }, verdict.at)
  },
}

async function sendLater({ database }: JobContext, message: Message, at: Date): Promise<void> {
  await database.transaction((tx) => enqueue(tx, deliverJob, { payload: { ...message }, runAt: at }))
}

/** Another time of the same match or sheet is another reminder, so only those of past times can be deleted. */
const sweep: Job = {
  name: 'pushDevices.sweep',
  cron: '41 4 * * *',
  run: async (_payload, { database, now }) => {
    const before = now()
    await deleteInBatches(database, (tx, limit) => deleteOldReminders(tx, before, limit))
  },
}

export const pushDevicesJobs: readonly Job[] = [deliver, sweep]

const remindMatches: DueWork = {
  inRehearsals: true,
  name: 'pushDevices.remindOfMatches',
  run: async ({ database }) => {
    const due: readonly Reminder[] = await listStartingMatches(database.db)
    if (due.length === 0) return nextMs(database.db, 'matches')
    await database.transaction((tx) => remindOfMatches(tx, due))
    return 0
  },
}

const remindSheets: DueWork = {
  inRehearsals: true,
  name: 'pushDevices.remindOfSheets',
  run: async ({ database }) => {
    const due: readonly Reminder[] = await listClosingSheets(database.db)
    if (due.length === 0) return nextMs(database.db, 'sheets')
    await database.transaction((tx) => remindOfSheets(tx, due))
    return 0
  },
}

/** Elsewhere than in a rehearsal the next look is soon enough. */
async function nextMs(db: Db, of: 'matches' | 'sheets'): Promise<number | null> {
  const place = placeOf(db)
  return place === null ? null : findNextMs(db, place.tournament, of)
}

const retryRecorded: DueWork = {
  inRehearsals: true,
  name: 'pushDevices.retryRecorded',
  run: ({ database }) => attemptDue(database, 'push', judgePush),
}

export const pushDevicesDue: readonly DueWork[] = [remindMatches, remindSheets, retryRecorded]
