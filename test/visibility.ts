import { lockTournament } from '../src/features/tournaments/store.ts'
import type { TournamentStatus as Status } from '../src/features/tournaments/types.ts'
import { requestVisibility, reviewRequest } from '../src/features/visibility/commands.ts'
import type { Decision, RequestStatus } from '../src/features/visibility/types.ts'
import type { Caller, Harness } from './harness.ts'
import { type MadeTournament, makeTournament } from './make.ts'

/** What tests of visibility share: who acts, ways to act, and where things stand afterwards. */
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
  async function otherPlatform(): Promise<string> {
    const [row] = await api.sql<{ guid: string }>(
      'insert into platforms (context_id, name) values ($1, $1) returning guid',
      [`circle-${++platformsMade}`],
    )
    return row?.guid as string
  }

  /** A tournament whose request to the system platform is where the test begins. */
  async function arrange(status: Status, request: RequestStatus | null): Promise<MadeTournament> {
    const tournament = await makeTournament(api, organiser, { status, approved: false })
    if (request === null) return tournament
    const decided = ['approved', 'rejected', 'blocked'].includes(request)
    await api.sql(
      `insert into visibility_requests (tournament_guid, platform_guid, status, reason, requested_at, decided_at, decided_by_guid)
       values ($1, $2, $3, $4, '2026-01-01T00:00:00Z', $5, $6)`,
      [
        tournament.guid,
        systemPlatform,
        request,
        request === 'rejected' || request === 'blocked' ? 'The old reason.' : null,
        decided ? '2026-01-02T00:00:00Z' : null,
        decided ? manager.guid : null,
      ],
    )
    if (request === 'approved' && ['approved', 'ongoing', 'completed'].includes(status)) {
      await api.sql(
        `insert into listings (platform_guid, tournament_guid, status, sort_at) values ($1, $2, $3, to_timestamp(0))`,
        [systemPlatform, tournament.guid, status],
      )
    }
    return tournament
  }

  async function stored(tournament: MadeTournament, platform = systemPlatform) {
    const [row] = await api.sql<{ status: RequestStatus; reason: string | null; by: string | null }>(
      'select status, reason, decided_by_guid as by from visibility_requests where tournament_guid = $1 and platform_guid = $2',
      [tournament.guid, platform],
    )
    return row
  }

  /** Where the tournament stands: its status, and the status under which the platform lists it. */
  async function standing(tournament: MadeTournament, platform = systemPlatform) {
    const [row] = await api.sql<{ status: Status; listed: Status | null }>(
      `select t.status, l.status as listed from tournaments t
       left join listings l on l.tournament_guid = t.guid and l.platform_guid = $2 where t.guid = $1`,
      [tournament.guid, platform],
    )
    return [row?.status, row?.listed]
  }

  /** What the tournament's staff can read of its visibility. */
  async function audit(tournament: MadeTournament) {
    return api.sql(
      `select type, subject, actor, before, after from event_log where tournament = $1 and type like 'visibility.%' order by seq`,
      [tournament.guid],
    )
  }

  /** Acts on any platform as the operations on platforms will. */
  async function onPlatform(
    tournament: MadeTournament,
    guid: string,
    step: 'ask' | Decision,
    reason: string | null = null,
  ) {
    return api.app.database.transaction(async (tx) => {
      const locked = await lockTournament(tx, tournament.guid)
      if (locked === undefined) throw new Error('no tournament')
      const platform = { guid, contextId: 'any', isSystem: guid === systemPlatform }
      if (step === 'ask') return requestVisibility(tx, locked.tournament, platform, organiser.guid, new Date())
      const verdict = { decision: step, reason, actorGuid: manager.guid }
      return reviewRequest(tx, locked.tournament, platform, verdict, new Date())
    })
  }

  return {
    ...{ organiser, manager, systemPlatform, member, otherPlatform, arrange },
    ...{ act, ask, approve, reject, onPlatform },
    ...{ stored, standing, audit },
  }
}
