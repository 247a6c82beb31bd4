import { formatInstant } from '../../../../core/time.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockTournament } from '../../../tournaments/tournaments/store/tournaments.ts'
import { noticeMs, publicFields } from '../rules/publishing.ts'
import { cancelPublications, type Publication, publishAnswers, schedulePublications } from '../store/publishing.ts'

/**
 * Private answers to fields that have become public: the teams are notified, and the answers become public seven days
 * later. (D74)
 */

/**
 * Schedules private answers to public fields for publication and cancels it for all other fields. Call it after a
 * tournament's fields have changed. Answers that are scheduled already keep their date.
 */
export async function announceAnswers(tx: Tx, tournamentGuid: string, now: Date): Promise<void> {
  const locked = await lockTournament(tx, tournamentGuid)
  if (locked === undefined) return
  const fields = publicFields(locked.tournament.additionalFields)
  const guids = fields.map(({ guid }) => guid)
  await cancelPublications(tx, tournamentGuid, guids)
  const publicAt = new Date(now.getTime() + noticeMs)
  const scheduled = await schedulePublications(tx, tournamentGuid, guids, publicAt)
  for (const [teamGuid, fieldGuids] of byTeam(scheduled)) {
    emit(tx, {
      type: 'team.answers_announced',
      subject: teamGuid,
      tournament: tournamentGuid,
      actor: null,
      after: {
        fields: fields.filter(({ guid }) => fieldGuids.has(guid)).map(({ label }) => label),
        publicAt: formatInstant(publicAt),
      },
    })
  }
}

/** Publishes the answers that are due, if their fields are still public. */
export async function publishDue(tx: Tx, tournamentGuid: string, now: Date): Promise<void> {
  const locked = await lockTournament(tx, tournamentGuid)
  if (locked === undefined) return
  const fields = publicFields(locked.tournament.additionalFields)
  await cancelPublications(
    tx,
    tournamentGuid,
    fields.map(({ guid }) => guid),
  )
  for (const [teamGuid, fieldGuids] of byTeam(await publishAnswers(tx, tournamentGuid, now))) {
    emit(tx, {
      type: 'team.answers_published',
      subject: teamGuid,
      tournament: tournamentGuid,
      actor: null,
      after: { fieldGuids: [...fieldGuids] },
    })
  }
}

function byTeam(publications: readonly Publication[]): ReadonlyMap<string, ReadonlySet<string>> {
  const teams = Map.groupBy(publications, ({ teamGuid }) => teamGuid)
  return new Map([...teams].map(([team, each]) => [team, new Set(each.map(({ fieldGuid }) => fieldGuid))]))
}
