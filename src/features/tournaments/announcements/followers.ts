import type { Tx } from '../../../infra/db/database.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import {
  type AnnouncedEvent,
  announcedTypes,
  isAnnounced,
  mattersOf,
  mayReadyRound,
  newMatter,
  registrationMatters,
  revisionOf,
} from './rules/matters.ts'
import { type AnnouncingTournament, mapTournaments } from './store/facts.ts'
import { deleteRegistrationMatters, insertMatters, listReadyRounds, reviseMatters } from './store/matters.ts'
import type { NewMatter } from './types.ts'

/** Collects what is to be said in the chat; what happens before a kind is switched on is not said later. */
export const announcementsFollower = followerOf({
  name: 'announcements',
  from: 'now',
  types: announcedTypes,
  gatherMs: 100,
  makesDue: true,
  async handle(tx, events) {
    const known = await mapTournaments(tx, [...new Set(events.flatMap(({ tournament }) => tournament ?? []))])
    const announcing = events.flatMap((event) => {
      const tournament = event.tournament === null ? undefined : known.get(event.tournament)
      const isSilent = tournament === undefined || Object.keys(tournament.announcements).length === 0
      return isSilent ? [] : [{ event, tournament }]
    })
    const made = announcing.flatMap(({ event, tournament }) =>
      mattersOf(event).filter(({ kind }) => isAnnounced(tournament, kind)),
    )
    await insertMatters(tx, [...made, ...(await roundMatters(tx, announcing))])
    for (const { event } of announcing) {
      const revision = revisionOf(event)
      if (revision !== null) await reviseMatters(tx, revision)
    }
    await planRegistration(tx, events, known)
  },
})

interface Announcing {
  readonly event: AnnouncedEvent
  readonly tournament: AnnouncingTournament
}

async function roundMatters(tx: Tx, announcing: readonly Announcing[]): Promise<NewMatter[]> {
  const concerned = announcing.filter(
    ({ event, tournament }) => mayReadyRound(event) && isAnnounced(tournament, 'round_ready'),
  )
  const last = concerned.at(-1)
  if (last === undefined) return []
  const subjects = [...new Set(concerned.map(({ event }) => event.subject))]
  return (await listReadyRounds(tx, subjects)).map(({ tournamentGuid, bracketGuid, round, matchGuid }) => ({
    ...newMatter(
      'round_ready',
      { tournamentGuid, subjectGuid: bracketGuid, at: last.event.at },
      // A round whose matches are made anew is another one.
      `${bracketGuid}:${round}:${matchGuid}`,
      { round },
    ),
    matchGuid,
  }))
}

/** Plans anew when the registration is announced, in tournaments whose settings or status changed. */
async function planRegistration(
  tx: Tx,
  events: readonly AnnouncedEvent[],
  known: ReadonlyMap<string, AnnouncingTournament>,
): Promise<void> {
  const changes = events.filter(({ type }) => type === 'tournament.updated' || type === 'tournament.status_changed')
  for (const [guid, ofTournament] of Map.groupBy(changes, ({ subject }) => subject)) {
    const tournament = known.get(guid)
    const last = ofTournament.at(-1)
    if (tournament === undefined || last === undefined) continue
    await deleteRegistrationMatters(tx, guid)
    const isNew = ofTournament.some(
      (event) => event.type === 'tournament.status_changed' && event.before.status === 'draft',
    )
    const planned = registrationMatters(tournament, isNew, last.at)
    await insertMatters(
      tx,
      planned.filter(({ kind }) => isAnnounced(tournament, kind)),
    )
  }
}
