import { requestVisibility, reviewRequest } from '../src/features/listing/visibility/commands.ts'
import type { Decision, RequestStatus } from '../src/features/listing/visibility/types.ts'
import { lockTournament } from '../src/features/tournaments/tournaments/store/tournaments.ts'
import type { TournamentStatus as Status } from '../src/features/tournaments/tournaments/types.ts'
import type { Caller, Harness } from './harness.ts'
import { type MadeTournament, makeTournament } from './make.ts'

/** Helpers for tests of visibility: callers, acts, and the resulting state. */
export type Visibility = Awaited<ReturnType<typeof makeVisibility>>

export async function makeVisibility(api: Harness) {
  const organiser = await api.user()
  const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
  const [system] = await api.sql<{ guid: string }>('select guid from platforms where is_system')
  const systemPlatform = system?.guid as string

  const act = (
    as: Caller | null,
    tournament: { guid: string },
    verb: 'request' | 'approve' | 'reject',
    body?: unknown,
  ) => api.post(`/tournaments/${tournament.guid}/visibility/${verb}`, as, body)
  const ask = (tournament: { guid: string }, as: Caller | null = organiser) => act(as, tournament, 'request')
  const approve = (tournament: { guid: string }, as: Caller | null = manager) => act(as, tournament, 'approve')
  const reject = (
    tournament: { guid: string },
    as: Caller | null = manager,
    body: unknown = { reason: 'No rules yet.' },
  ) => act(as, tournament, 'reject', body)

  async function member(role: 'admin' | 'reviewer', platform = systemPlatform): Promise<Caller> {
    const user = await api.user()
    await api.sql('insert into platform_members (platform_guid, user_guid, role) values ($1, $2, $3)', [
      platform,
      user.guid,
      role,
    ])
    return user
  }

  let platformsMade = 0
  /** A platform with its context id. */
  async function community(): Promise<{ readonly guid: string; readonly id: string }> {
    const id = `circle-${++platformsMade}`
    const [row] = await api.sql<{ guid: string }>(
      'insert into platforms (context_id, name) values ($1, $1) returning guid',
      [id],
    )
    return { guid: row?.guid as string, id }
  }
  const otherPlatform = async () => (await community()).guid

  /** A tournament in this status, with a request to the system platform in this status. */
  async function arrange(status: Status, request: RequestStatus | null): Promise<MadeTournament> {
    const tournament = await makeTournament(api, organiser, { status, approved: false })
    if (request !== null) await place(tournament, systemPlatform, request)
    return tournament
  }

  /** A request that was made and decided long ago. */
  async function place(tournament: MadeTournament, platform: string, request: RequestStatus): Promise<string> {
    const decided = ['approved', 'rejected', 'blocked'].includes(request)
    const reason = request === 'rejected' || request === 'blocked' ? 'The old reason.' : null
    const [row] = await api.sql<{ guid: string }>(
      `insert into visibility_requests (tournament_guid, platform_guid, status, reason, requested_at, decided_at, decided_by_guid)
       values ($1, $2, $3, $4, '2026-01-01T00:00:00Z', $5, $6) returning guid`,
      [
        tournament.guid,
        platform,
        request,
        reason,
        decided ? '2026-01-02T00:00:00Z' : null,
        decided ? manager.guid : null,
      ],
    )
    const guid = row?.guid as string
    if (decided) {
      await api.sql(
        `insert into visibility_decisions (request_guid, decision, reason, decided_at, decided_by_guid)
         values ($1, $2, $3, '2026-01-02T00:00:00Z', $4)`,
        [guid, request, reason, manager.guid],
      )
    }
    if (request === 'approved') {
      await api.sql(
        `insert into listings (platform_guid, tournament_guid, status, sort_at)
         select $1, guid, status, to_timestamp(0) from tournaments
         where guid = $2 and status in ('approved', 'ongoing', 'completed')`,
        [platform, tournament.guid],
      )
    }
    return guid
  }

  const overview = (tournament: { guid: string }, as: Caller | null = organiser) =>
    api.get(`/tournaments/${tournament.guid}/visibility`, as)
  const choose = (tournament: { guid: string }, body: unknown, as: Caller | null = organiser) =>
    api.put(`/tournaments/${tournament.guid}/visibility`, as, body)
  const queue = (platform: { id: string }, as: Caller | null, query = '') =>
    api.get(`/tournament-platforms/${platform.id}/requests${query}`, as)
  const review = (platform: { id: string }, request: string, as: Caller | null, body?: unknown) =>
    api.post(`/tournament-platforms/${platform.id}/requests/${request}/review`, as, body)
  const history = (platform: { id: string }, request: string, as: Caller | null, query = '') =>
    api.get(`/tournament-platforms/${platform.id}/requests/${request}/history${query}`, as)

  async function stored(tournament: MadeTournament, platform = systemPlatform) {
    const [row] = await api.sql<{ status: RequestStatus; reason: string | null; by: string | null }>(
      'select status, reason, decided_by_guid as by from visibility_requests where tournament_guid = $1 and platform_guid = $2',
      [tournament.guid, platform],
    )
    return row
  }

  /** The status of the tournament, and the status under which the platform lists it. */
  async function standing(tournament: MadeTournament, platform = systemPlatform) {
    const [row] = await api.sql<{ status: Status; listed: Status | null }>(
      `select t.status, l.status as listed from tournaments t
       left join listings l on l.tournament_guid = t.guid and l.platform_guid = $2 where t.guid = $1`,
      [tournament.guid, platform],
    )
    return [row?.status, row?.listed]
  }

  /** The events about its visibility that the tournament's staff can read. */
  async function audit(tournament: MadeTournament) {
    return api.sql(
      `select type, subject, actor, before, after from event_log where tournament = $1 and type like 'visibility.%' order by seq`,
      [tournament.guid],
    )
  }

  /** The events of platforms about the requests of a tournament. */
  async function told(tournament: MadeTournament) {
    return api.sql(
      `select type, subject, tournament, actor, before, after from event_log
       where type like 'platform.visibility%' and after->>'tournamentGuid' = $1 order by seq`,
      [tournament.guid],
    )
  }

  /** Acts on any platform, without the operations. */
  async function onPlatform(
    tournament: MadeTournament,
    guid: string,
    step: 'ask' | Decision,
    reason: string | null = null,
  ) {
    return api.app.database.transaction(async (tx) => {
      const locked = await lockTournament(tx, tournament.guid)
      if (locked === undefined) throw new Error('no tournament')
      const platform = { guid, isSystem: guid === systemPlatform }
      if (step === 'ask') return requestVisibility(tx, locked.tournament, platform, organiser.guid, new Date())
      const verdict = { decision: step, reason, actorGuid: manager.guid }
      return reviewRequest(tx, locked.tournament, platform, verdict, new Date())
    })
  }

  return {
    organiser,
    manager,
    systemPlatform,
    main: { guid: systemPlatform, id: 'main' },
    member,
    community,
    otherPlatform,
    arrange,
    place,
    act,
    ask,
    approve,
    reject,
    onPlatform,
    overview,
    choose,
    queue,
    review,
    history,
    stored,
    standing,
    audit,
    told,
  }
}
