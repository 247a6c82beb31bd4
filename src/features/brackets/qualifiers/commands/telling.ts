import type { Told } from '../../../../infra/clients/assistant/messages.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { listDelivered, lockLinkForShare, noteDelivery } from '../../../assistant/assistantLinks/store.ts'
import { attemptOf, countsOf, placeholderId, placeOf, playKey, resultId, tiedMap } from '../rules/assistant.ts'
import { otherWay, reportId, type Way } from '../rules/attempt-reports.ts'
import { statusAt } from '../rules/status.ts'
import { type Announced, findPlayers, findRecorder, listKnownPlays, listPlaceholders } from '../store/assistant.ts'
import { listMaps, lockQualifier, updateQualifier } from '../store/qualifiers.ts'
import type { Attempt } from '../types.ts'
import { record } from './attempts.ts'

export type ReportedAttempt = Told & { readonly type: 'attempt' }

interface AttemptReport {
  readonly tournamentGuid: string
  readonly report: ReportedAttempt
  /** The way in which the assistant reported the attempt; it may report the same attempt both ways. (AS26) */
  readonly way: Way
  /** When it was played, if known. */
  readonly playedAt: Date
  readonly now: Date
}

/**
 * Records an attempt that the assistant reports, while the qualifier is open. An attempt that begins is a placeholder,
 * which its result replaces. Attempts of unknown players or maps, and attempts above the limit, are left out. (AS24)
 * @returns null if the attempt is known already or is left out
 */
export async function recordReported(tx: Tx, attemptReport: AttemptReport): Promise<Attempt | null> {
  const { tournamentGuid, report, way, playedAt, now } = attemptReport
  const link = await lockLinkForShare(tx, tournamentGuid)
  const isOurs =
    link?.enabled === true && link.assistantGuid === report.tournament && link.qualifierEvents.includes(report.event)
  if (!isOurs || report.map === null) return null
  const recorder = await findRecorder(tx, tournamentGuid)
  const qualifier = await lockQualifier(tx, tournamentGuid)
  if (qualifier === undefined || recorder === undefined || recorder.status === 'cancelled') return null
  if (statusAt(qualifier, now) !== 'open') return null
  const maps = await listMaps(tx, tournamentGuid)
  const { entry, event } = report
  const mapGuid = tiedMap(report.map, maps)?.guid
  const userGuid = (await findPlayers(tx, [entry.platformId])).get(entry.platformId)
  if (mapGuid === undefined || userGuid === undefined) return null

  const player = { userGuid, mapGuid }
  const place = placeOf({ event, map: entry.mapGuid }, entry.platformId)
  const announced = await listPlaceholders(tx, qualifier.guid, player)
  if (entry.isPlaceholder) {
    if (await cameOtherwise(tx, announced, attemptReport)) return null
  } else {
    const known = await listKnownPlays(tx, qualifier.guid, [userGuid])
    if (known.has(playKey({ ...player, ...countsOf(entry) }))) return null
  }
  const externalId = entry.isPlaceholder
    ? placeholderId(place, announced.length + 1)
    : (announced.find(({ isOpen }) => isOpen)?.externalId ?? resultId(place, entry))
  const given = attemptOf(entry, { ...player, externalId, playedAt })
  const { accepted } = await record(tx, recorder.recorderGuid, { qualifier, maps }, [given], now)
  const [attempt] = accepted
  if (attempt === undefined) return null
  if (entry.isPlaceholder) await noteDelivery(tx, tournamentGuid, reportId(attempt.guid, way))
  await updateQualifier(tx, qualifier.guid, { boardChangedAt: now })
  emit(tx, {
    type: 'qualifier.attempts_recorded',
    subject: qualifier.guid,
    tournament: tournamentGuid,
    actor: null,
    after: { attempts: 1 },
  })
  return attempt
}

/** Whether the ledger has this placeholder from the other way. Each placeholder is matched once. (AS26) */
async function cameOtherwise(
  tx: Tx,
  announced: readonly Announced[],
  { tournamentGuid, way }: AttemptReport,
): Promise<boolean> {
  const ways = [way, otherWay(way)]
  const ids = announced.flatMap(({ guid }) => ways.map((each) => reportId(guid, each)))
  const delivered = await listDelivered(tx, tournamentGuid, ids)
  const same = announced.find(
    ({ guid }) => delivered.has(reportId(guid, otherWay(way))) && !delivered.has(reportId(guid, way)),
  )
  if (same === undefined) return false
  await noteDelivery(tx, tournamentGuid, reportId(same.guid, way))
  return true
}
