import { randomUUID } from 'node:crypto'
import { operations } from '../src/app.ts'
import { parametersOf } from '../src/core/operation.ts'
import { exampleOf } from '../src/infra/http/examples.ts'
import { assistantCommands } from './assistant-commands.ts'
import { makeSheet, says, span } from './availability.ts'
import { badgeCommands } from './badge-commands.ts'
import { addBracket, makeBracket } from './bracket-play.ts'
import type { FakeAssistant } from './fakes/assistant/types.ts'
import { flowCommands } from './flow-commands.ts'
import type { Caller, Harness, Reply } from './harness.ts'
import { grantRole, type MadeTeam, type MadeTournament, makeTeam, makeTournament, platformMember } from './make.ts'
import { overlayCommands } from './overlay-commands.ts'
import { poolCommands } from './pool-commands.ts'
import { proposalCommands } from './proposal-commands.ts'
import { done, makePlayers, open, play } from './qualifiers.ts'
import { rehearsalCommands } from './rehearsal-commands.ts'
import { streamCommands } from './stream-commands.ts'

/** Every command of a tournament, as a request that succeeds unless something prevents it. */

export const tournamentCommands = operations.filter(
  ({ kind, path, ownCredentials }) =>
    kind === 'command' && ownCredentials === undefined && /^\/tournaments\/:tournament(\/|$)/.test(path),
)

/** The right by which the caller may use the command; each has a user of its own. */
export type By = 'organiser' | 'admin' | 'reviewer' | 'captain' | 'player'

export interface Request {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly by: By
  readonly caller: Caller
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly tournament: MadeTournament
  /** The team of the caller, when its captain may use the command. */
  readonly team: MadeTeam | undefined
}

export interface Stage {
  readonly organiser: Caller
  readonly admin: Caller
  readonly reviewer: Caller
  readonly tournaments: readonly MadeTournament[]
  /** The completed ones among them. */
  readonly completed: readonly MadeTournament[]
  /** In an order in which each request leaves the state that later ones need. */
  readonly requests: readonly Request[]
  send(request: Request, headers?: Record<string, string>): Promise<Reply>
}

interface Wish {
  readonly by?: By
  readonly caller?: Caller
  readonly body?: unknown
  readonly in?: MadeTournament
  readonly team?: MadeTeam
  readonly headers?: Readonly<Record<string, string>>
  /** Values of path parameters. */
  readonly at?: Readonly<Record<string, string>>
}

type TeamStatus = 'unregistered' | 'registered' | 'qualified'

/** The teams that commands are about, by what is done with each. */
const teamStatuses = {
  deleted: 'unregistered',
  changed: 'unregistered',
  inviting: 'unregistered',
  fielded: 'unregistered',
  parted: 'unregistered',
  registered: 'unregistered',
  withdrawn: 'registered',
  returned: 'registered',
  unregistered: 'registered',
  answering: 'registered',
  qualified: 'registered',
  disqualified: 'qualified',
} as const satisfies Readonly<Record<string, TeamStatus>>

const later = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString()

/** @param fake a fake assistant that trusts the service's tokens */
export async function makeStage(api: Harness, fake: FakeAssistant): Promise<Stage> {
  const made = await makeBracket(api, {
    teams: 16,
    format: 'single_elimination',
    tournament: { status: 'approved' },
  })
  const { organiser, cup, path, bracket } = made
  const admin = await api.user()
  const [system] = await api.sql<{ guid: string }>('select guid from platforms where is_system')
  const reviewer = await platformMember(api, { guid: system?.guid as string }, 'reviewer')
  const draft = async () => {
    const tournament = await makeTournament(api, organiser, { status: 'draft' })
    await api.sql(
      `insert into visibility_requests (tournament_guid, platform_guid, status) values ($1, $2, 'pending')`,
      [tournament.guid, system?.guid],
    )
    return tournament
  }
  const [unasked, toApprove, toReject] = [await draft(), await draft(), await draft()]
  const closed = { organiser, tournament: await makeTournament(api, organiser), coordinator: organiser, path: '' }
  const [pooled, rehearsed] = [await makeTournament(api, organiser), await makeTournament(api, organiser)]
  const heldBack = await makeTournament(api, organiser, { status: 'ongoing' })
  await done(api.patch(`/tournaments/${heldBack.guid}`, organiser, { spoilerMode: 'held', streamDelaySeconds: 60 }))
  const completed = await Promise.all([1, 2, 3].map(() => makeTournament(api, organiser, { status: 'completed' })))
  await api.sql('update tournaments set completed_at = now() where guid = any($1)', [completed.map(({ guid }) => guid)])
  const tournaments = [cup, closed.tournament, pooled, rehearsed, heldBack, unasked, toApprove, toReject, ...completed]
  for (const tournament of tournaments) await grantRole(api, tournament, admin, 'role:admin')

  const byNumber = (number: number) => bracket.matches.find((match: { number: number }) => match.number === number)
  const matchOf = (number: number) => byNumber(number).guid as string
  const post = async (address: string, body: unknown = {}) =>
    (await done(api.post(path + address, organiser, body))).body
  const put = async (address: string, body: unknown) => (await done(api.put(path + address, organiser, body))).body
  const score = { outcome: 'score', scores: [2, 0] }

  // Matches 1 to 8 have both teams. The following have reports:
  await put('/matches/3/games/1', { sides: [{ score: 2 }, { score: 1 }] })
  await put('/matches/5/result', score)
  await put('/matches/6/result', score)
  const { revision } = (await api.get(`${path}/brackets/${bracket.guid}`, organiser)).body
  const { correctionGuid } = await put('/matches/6/result', { outcome: 'score', scores: [2, 1], revision })
  const seen = (await api.get(`${path}/brackets/${bracket.guid}`, organiser)).body.revision

  const division = async (id: string) => (await post('/divisions', { name: id, id })).guid as string
  const bracketIn = async (
    id: string,
    format: 'single_elimination' | 'swiss' = 'single_elimination',
    settings = {},
  ) => {
    await division(id)
    return addBracket(api, { ...made, teams: made.teams.slice(0, 4) }, { format, settings, division: id })
  }
  const spare = {
    renamed: await division('renamed'),
    emptied: await division('emptied'),
    filled: await division('filled'),
  }
  const [flowMatch = ''] = (await bracketIn('flow')).matches.map(({ guid }: { guid: string }) => guid)
  const { matches: sung } = await bracketIn('songs')
  const [toUpdate, toGenerate, toPlace, toDelete] = [
    await bracketIn('update'),
    await bracketIn('generate'),
    await bracketIn('place'),
    await bracketIn('delete'),
  ]
  const swiss = await bracketIn('swiss', 'swiss', { rounds: 2 })
  for (const { number } of swiss.matches) await put(`/matches/${number}/result?division=swiss`, score)

  const captained = async (status: TeamStatus) => {
    const [captain, successor, mate] = await Promise.all([api.user(), api.user(), api.user()])
    const team = await makeTeam(api, cup, captain, { members: [successor, mate], status })
    return { captain, mate, team }
  }
  const captains = await Promise.all(
    Object.entries(teamStatuses).map(async ([name, status]) => [name, await captained(status)] as const),
  )
  const teams = Object.fromEntries(captains) as Record<keyof typeof teamStatuses, (typeof captains)[number][1]>
  await api.sql('update team_members set is_active = false where user_guid = any($1)', [
    Object.values(teams).map(({ mate }) => mate.guid),
  ])

  const qualifier = { organiser, tournament: cup, coordinator: organiser, path: `${path}/qualifier` }
  const maps = await open(api, qualifier, { attempts: 9 })
  const [player] = await makePlayers(api, qualifier)
  if (player === undefined) throw new Error('there is no player')
  await play(api, qualifier, maps, player, [500, 500])
  const [voided] = await api.sql<{ guid: string }>('select guid from qualifier_attempts where user_guid = $1', [
    player.guid,
  ])
  const closedPath = { ...closed, path: `/tournaments/${closed.tournament.id}/qualifier` }
  const closedMaps = await open(api, closedPath)
  const [finalist] = await makePlayers(api, closedPath)
  if (finalist === undefined) throw new Error('there is no finalist')
  await play(api, closedPath, closedMaps, finalist, [500, 500])
  await done(api.put(closedPath.path, organiser, { status: 'closed' }))

  const [sheet, replaced, removed] = [
    await makeSheet(api, cup, organiser),
    await makeSheet(api, cup, organiser),
    await makeSheet(api, cup, organiser),
  ]
  const teamSheet = await makeSheet(api, cup, organiser, { audience: 'teams' })
  const wanted = {
    matches: [matchOf(8)],
    sheets: [],
    rules: { minutesPerMatch: 60, earliest: later(1), latest: later(2) },
  }
  const proposal = await post('/schedule/proposals', wanted)

  const update = async () => (await post('/updates', { guid: randomUUID(), content: 'News.' })).update.guid as string
  const [edited, deleted, failed] = [await update(), await update(), await update()]
  await api.sql(
    `with delivery as (
       insert into chat_deliveries (guid, tournament_guid, status, revision, attempts, failures, updated_at)
       values ($1, $2, 'failed', 1, 1, 1, now()) returning guid)
     insert into chat_parts (delivery_guid, index, status, message, revision)
     select guid, 0, 'failed', '{"content":"News.","embeds":[]}', 1 from delivery`,
    [failed, cup.guid],
  )
  const holder = await api.user()
  await grantRole(api, cup, holder, 'role:caster')
  const [newcomer, invited, granted, heir] = await Promise.all([api.user(), api.user(), api.user(), api.user()])

  const flow = async (name: string) => (await post('/flows', { name, basedOn: 'accsaber-bo3' })).guid as string
  const [replacedFlow, deletedFlow] = [await flow('To replace'), await flow('To delete')]
  const plainSteps = [{ repeat: 'until_decided', steps: [{ action: 'pick', actor: 'referee' }, { action: 'play' }] }]
  const timeline = { timelineEvents: [{ title: 'Finals', icon: 'flag', startTime: later(3) }] }
  const sheetBody = { title: 'Finals', mode: 'days', timezone: 'UTC', windows: [span(18, 22)] }
  const ofTeam = ({ captain, team }: (typeof teams)['deleted'], more: Wish = {}): Wish => ({
    by: 'captain',
    caller: captain,
    team,
    ...more,
    at: { team: team.guid, ...more.at },
  })

  await post(`/teams/${teams.returned.team.guid}/withdraw`, { reason: 'Ill.', policy: 'walkover' })

  const finishing = operations.find(({ name }) => name === 'live.finish')
  const finished = finishing?.kind === 'command' && finishing.body !== undefined ? exampleOf(finishing.body) : undefined
  const [gaming] = byNumber(2).sides
  const gamer = made.captains[made.teams.findIndex(({ guid }) => guid === gaming.team.guid)] as Caller
  const wishes: Readonly<Record<string, Wish>> = {
    'matches.reopen': { at: { match: matchOf(5) }, body: { reason: 'Protest.', dryRun: false, revision: seen } },
    'matches.call': { at: { match: matchOf(1) }, body: { message: 'On the main stream.' } },
    'matches.start': { at: { match: matchOf(1) } },
    'matches.reportGame': { at: { match: matchOf(2), number: '1' }, body: { sides: [{ score: 2 }, { score: 1 }] } },
    'matches.removeGame': { at: { match: matchOf(3), number: '1' } },
    'matches.reportResult': { at: { match: matchOf(4) }, body: score },
    'corrections.undo': { at: { correction: correctionGuid } },
    'matches.update': { at: { match: matchOf(7) }, body: { notes: 'Late.' } },
    'divisions.create': { body: { name: 'Division Z' } },
    'divisions.update': { at: { division: spare.renamed }, body: { name: 'Another name' } },
    'divisions.delete': { at: { division: spare.emptied } },
    'brackets.create': {
      at: { division: spare.filled },
      body: {
        name: 'Small',
        format: 'single_elimination',
        entrants: { source: 'manual', teamGuids: made.teams.slice(0, 2).map(({ guid }) => guid) },
      },
    },
    'brackets.update': { at: { bracket: toUpdate.guid }, body: { name: 'Another name' } },
    'brackets.generate': {
      at: { bracket: toGenerate.guid },
      body: { entrants: { source: 'manual', teamGuids: made.teams.slice(4, 8).map(({ guid }) => guid) } },
    },
    'brackets.placeEntrants': { at: { bracket: toPlace.guid }, body: { entrants: [{ slot: 1, teamGuid: null }] } },
    'brackets.pairRound': { at: { bracket: swiss.guid } },
    'brackets.delete': { at: { bracket: toDelete.guid } },
    'teams.create': { by: 'player', caller: newcomer, body: { captainId: newcomer.guid } },
    'teams.delete': ofTeam(teams.deleted, { body: { teamGuid: teams.deleted.team.guid } }),
    'teams.update': ofTeam(teams.changed, { body: { color: '#ff8800' } }),
    'teams.invite': ofTeam(teams.inviting, { body: { userIdentifier: invited.guid } }),
    'teams.updateMember': ofTeam(teams.fielded, {
      at: { member: teams.fielded.captain.guid },
      body: { isActive: false },
    }),
    'teams.removeMember': ofTeam(teams.parted, { at: { member: teams.parted.mate.guid } }),
    'teams.withdraw': ofTeam(teams.withdrawn, { body: { reason: 'Ill.', policy: 'walkover' } }),
    'teams.takeWithdrawalBack': { at: { team: teams.returned.team.guid } },
    'teams.import': { body: { rows: [{ teamName: 'Sheet team', captain: 'Breve' }] } },
    'registration.register': ofTeam(teams.registered),
    'registration.unregister': ofTeam(teams.unregistered),
    'registration.qualify': { at: { team: teams.qualified.team.guid }, body: { seed: 99 } },
    'registration.setNote': { at: { team: teams.qualified.team.guid }, body: { note: 'Paid.' } },
    'registration.message': { body: { teams: [teams.qualified.team.guid], text: 'Play at eight.' } },
    'registration.disqualify': { at: { team: teams.disqualified.team.guid } },
    'qualifiers.recordAttempts': { body: { attempts: [{ mapGuid: maps[0], user: player.guid, score: 600 }] } },
    'qualifiers.voidAttempt': { at: { attempt: voided?.guid ?? '' }, body: { reason: 'It crashed.' } },
    'qualifiers.synchronise': { body: { source: { rows: [{ player: player.guid, map: maps[1], score: 700 }] } } },
    'qualifiers.put': { body: { name: 'Another name' } },
    'qualifiers.seed': { in: closed.tournament, body: { size: 1 } },
    'availability.createSheet': { body: sheetBody },
    'availability.replaceSheet': { at: { sheet: replaced.guid }, body: { ...sheetBody, title: 'Another title' } },
    'availability.deleteSheet': { at: { sheet: removed.guid } },
    'availability.respond': { at: { sheet: sheet.guid }, body: { responses: [says('available', 18, 19)] } },
    'availability.respondForTeam': ofTeam(teams.answering, {
      at: { sheet: teamSheet.guid },
      body: { responses: [says('available', 18, 19)] },
    }),
    'estimates.make': { body: { teams: 16, noShows: 0, channels: 4 } },
    'schedules.apply': { at: { proposal: proposal.guid } },
    'schedules.propose': { body: wanted },
    ...(await poolCommands(api, pooled, admin)),
    'flows.create': { body: { name: 'Best of three', basedOn: 'accsaber-bo3' } },
    'flows.replace': { at: { flow: replacedFlow }, body: { name: 'Another flow', steps: plainSteps } },
    'flows.delete': { at: { flow: deletedFlow } },
    ...(await flowCommands(api, cup, admin, flowMatch)),
    ...(await streamCommands(api, cup, matchOf(8))),
    ...(await assistantCommands(api, fake, {
      made,
      admin,
      beside: pooled,
      matches: [byNumber(1), byNumber(2), byNumber(4), byNumber(7)],
    })),
    ...(await proposalCommands(api, made, sung)),
    ...(await rehearsalCommands(api, organiser, rehearsed)),
    ...(await badgeCommands(api, completed)),
    ...(await overlayCommands(api, cup, organiser, matchOf(8))),
    'live.finish': {
      by: 'player',
      caller: gamer,
      at: { match: matchOf(2), user: gamer.guid },
      body: finished,
    },
    'flowPlans.replace': { body: { revision: 0, default: 'accsaber-bo3' } },
    'updates.publish': { body: { guid: randomUUID(), content: 'More news.' } },
    'updates.preview': { body: { content: 'News to come.' } },
    'announcements.test': { body: { kinds: ['match_called'] } },
    'updates.edit': { at: { update: edited }, body: { content: 'Better news.', expectedUpdatedAt: null } },
    'updates.delete': { at: { update: deleted }, body: { expectedUpdatedAt: null } },
    'updates.retryChat': { at: { update: failed } },
    'deliveries.retry': { at: { chatDelivery: failed } },
    'spoilers.reveal': { in: heldBack, body: { all: true } },
    'timeline.replace': { body: timeline },
    'access.grant': { at: { user: granted.guid }, body: { role: 'role:host' } },
    'access.revoke': { at: { user: holder.guid }, body: { role: 'role:caster' } },
    'visibility.choose': { body: { scope: 'selected', platformGuids: [] } },
    'visibility.request': {},
    'visibility.approve': { in: toApprove, by: 'reviewer' },
    'visibility.reject': { in: toReject, by: 'reviewer', body: { reason: 'Not a rhythm game.' } },
    'tournaments.update': { body: { summary: 'Another summary' } },
    'tournaments.delete': { in: unasked, by: 'organiser' },
    'tournaments.changeStatus': { body: { status: 'ongoing' } },
    'tournaments.handOver': { by: 'organiser', body: { userIdentifier: heir.guid } },
  }

  const callers = { organiser, admin, reviewer }
  const requests = Object.entries(wishes).map(([name, wish]): Request => {
    const operation = tournamentCommands.find((command) => command.name === name)
    if (operation === undefined) throw new Error(`there is no command ${name}`)
    const {
      by = 'admin',
      caller = callers[by as keyof typeof callers],
      body,
      headers = {},
      in: tournament = cup,
      team,
    } = wish
    const values: Record<string, string> = { tournament: tournament.guid, ...wish.at }
    const address = parametersOf(operation.path).reduce((text, parameter) => {
      const value = values[parameter]
      if (value === undefined) throw new Error(`${name} has no ${parameter}`)
      return text.replace(`:${parameter}`, value)
    }, operation.path)
    return { name, method: operation.method, path: address, by, caller, body, headers, tournament, team }
  })
  return {
    organiser,
    admin,
    reviewer,
    tournaments,
    completed,
    requests,
    send: ({ method, path: address, caller, body, headers: own }, headers = {}) =>
      api.call(method, address, {
        as: caller,
        headers: { ...own, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
  }
}
