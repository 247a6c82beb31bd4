import { formatInstant } from '../../../../core/time.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockTournament } from '../../../tournaments/tournaments/store/tournaments.ts'
import { noticeMs, publicFields } from '../rules/publishing.ts'
import { cancelPublications, type Publication, publishAnswers, schedulePublications } from '../store/publishing.ts'

/** Private answers whose fields are public now: their teams are told, and seven days later they are public too. (D74) */

/**
 * Sees to it that private answers become public where their fields are, and nowhere else. Call once the fields of a
 * tournament have changed; what is so already stays as it is.
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

/** Makes public what is due, by the fields as they are then. */
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
