import type { Static } from 'typebox'
import { type Actor, anyone, isSignedIn, strangers } from '../../../../core/actor.ts'
import { command, query, type Resources, tournamentPath } from '../../../../core/operation.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import { isAnyStaff, isOrganiser, isPooler, ranksAndPoolersAudience } from '../../../tournaments/access/policy.ts'
import { rulingView } from '../../brackets/views/ties.ts'
import { QualifierBody } from '../bodies.ts'
import { putQualifier, unknownQualifier } from '../commands/qualifier.ts'
import { organisersAndHeadPooler, visibleMaps } from '../policy.ts'
import { descriptionOf, movesByItself, readSeenBoard } from '../queries.ts'
import type { QualifierInput } from '../rules/settings.ts'
import { statusAt } from '../rules/status.ts'
import { listTeamsOf } from '../store/attempts.ts'
import { listBestsOf, listPlayerRefs } from '../store/board.ts'
import { findQualifier, listMaps } from '../store/qualifiers.ts'
import { listUnmatched, readSync } from '../store/sync.ts'
import { findWithheld } from '../store/withheld.ts'
import type { Qualifier, QualifierMap, Withheld } from '../types.ts'
import { QualifierView, qualifierView } from '../views/qualifier.ts'
import {
  mapViews,
  noRows,
  onMaps,
  ownRows,
  type Rows,
  StandingsView,
  standingRows,
  unmatchedView,
} from '../views/standings.ts'
import { attempts, record, voidAttempt } from './attempts.ts'
import { addressContext, seed, sync } from './board.ts'

type Tournament = Resources['tournament']

interface Loaded {
  readonly qualifier: Qualifier
  readonly maps: readonly QualifierMap[]
  readonly withheld: Withheld
}

/** @throws Problem `qualifier.unknown` */
async function load(db: Db, tournament: Tournament, actor: Actor): Promise<Loaded> {
  const [qualifier, maps, withheld] = await Promise.all([
    findQualifier(db, tournament.guid),
    listMaps(db, tournament.guid),
    isPooler(actor) ? nothing : findWithheld(db, tournament.guid),
  ])
  if (qualifier === undefined) throw unknownQualifier()
  return { qualifier, maps, withheld }
}

/** Nothing is withheld from poolers. */
const nothing: Withheld = { byDraft: false, guids: new Set() }

function shown(tournament: Tournament, { qualifier, maps, withheld }: Loaded, actor: Actor, now: Date) {
  const status = statusAt(qualifier, now)
  const visible = visibleMaps(actor, status, maps, withheld)
  return qualifierView({ tournament, qualifier, status, maps: visible, showsSyncUrl: isOrganiser(actor) })
}

const read = query({
  name: 'qualifiers.read',
  method: 'GET',
  path: `${tournamentPath}/qualifier`,
  scope: 'public',
  allow: anyone,
  summary: 'The qualifier of the tournament: its maps, its method and where it stands.',
  description:
    'Its maps are shown once it is open, and to the staff before that; those that came from a pool, to nobody but poolers before that shows them.',
  reply: { 200: QualifierView },
  problems: { 'qualifier.unknown': 404 },
  audience: ranksAndPoolersAudience,
  live: { sends: ['qualifier.updated', 'qualifier.seeded'] },
  run: async ({ db, actor, tournament, now, depends }) => {
    const loaded = await load(db, tournament, actor)
    depends(tournament.guid)
    movesByItself(depends, loaded.qualifier, now)
    return shown(tournament, loaded, actor, now)
  },
})

/** Picks the known members; other members of the body are ignored. (D9) */
function inputOf({ settings, ...body }: Omit<Static<typeof QualifierBody>, 'maps'>): QualifierInput {
  const { status, opensAt, closesAt, attempts, hideScores, method, modifiers, cutoff, syncUrl } = body
  const { countMaps, topPlayers, points, missing, failCounts } = settings ?? {}
  return {
    ...given({ status, opensAt, closesAt, attempts, hideScores, method, modifiers, cutoff, syncUrl }),
    settings: given({ countMaps, topPlayers, points, missing, failCounts }),
  }
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>
}

const put = command({
  name: 'qualifiers.put',
  method: 'PUT',
  path: `${tournamentPath}/qualifier`,
  scope: 'rest:write',
  allow: organisersAndHeadPooler,
  summary: 'Set up the qualifier, or change it; what is not given stays.',
  description:
    'It goes from draft to open, closed and final, and from closed back to open: by this, or up to closed by its dates. The members of `settings` are merged into those that it has. Maps are replaced as a whole; one that was played can neither be removed nor become another. A head pooler changes maps alone.',
  body: QualifierBody,
  reply: { 200: QualifierView },
  problems: {
    'qualifier.unknown': 404,
    'qualifier.invalid': 400,
    'qualifier.map_unknown': 400,
    'qualifier.map_twice': 400,
    'qualifier.map_played': 409,
    'qualifier.status_illegal': 409,
    'qualifier.final': 409,
  },
  run: async ({ tx, actor, tournament, body: { maps, ...body }, now, services }) => {
    const input = { ...inputOf(body), ...(maps === undefined ? {} : { maps }) }
    const changed = await putQualifier(tx, actor, tournament.guid, input, { context: addressContext(services), now })
    // A caller who may change maps may see all of them.
    return shown(tournament, { ...changed, withheld: nothing }, actor, now)
  },
})

const standings = query({
  name: 'qualifiers.standings',
  method: 'GET',
  path: `${tournamentPath}/qualifier/standings`,
  scope: 'public',
  allow: anyone,
  summary: 'The standings of the qualifier, for teams and for players.',
  description:
    'Made of the ledger and of the teams that are registered or qualified now. While scores are hidden, and the qualifier is not final, they are for the staff; players see their own, without a rank.',
  reply: { 200: StandingsView },
  problems: { 'qualifier.unknown': 404 },
  // While scores are hidden, players see only their own rows. Unmatched rows of a synchronisation change without an
  // event.
  audience: strangers,
  live: { sends: ['qualifier.seeded'] },
  run: async ({ db, actor, tournament, now, depends }) => {
    const { qualifier, maps, withheld } = await load(db, tournament, actor)
    const { status, sight, board } = await readSeenBoard(db, { qualifier, maps }, { actor, now }, depends)
    const visible = visibleMaps(actor, status, maps, withheld)
    const common = {
      maps: mapViews(qualifier, visible),
      description: descriptionOf(qualifier, visible.length, qualifier.hideScores && status !== 'final'),
    }
    if (board === null) {
      const rows = sight === 'own' && isSignedIn(actor) ? await readOwnRows(db, qualifier, visible, actor.guid) : noRows
      return { ...common, ...rows, syncedAt: null, updatedAt: null, lastSyncError: null }
    }
    const sync = await readSync(db, qualifier.guid)
    return {
      ...common,
      ...onMaps(standingRows(board), visible),
      ...rulingView(qualifier.ruling, new Map(board.teams.map((team) => [team.guid, team]))),
      syncedAt: formatInstant(sync.fetchedAt),
      updatedAt: formatInstant(qualifier.boardChangedAt),
      lastSyncError: isAnyStaff(actor) ? sync.lastError : null,
      ...(isAnyStaff(actor) ? { unmatched: (await listUnmatched(db, qualifier.guid)).map(unmatchedView) } : {}),
    }
  },
})

async function readOwnRows(
  db: Db,
  qualifier: Qualifier,
  maps: readonly QualifierMap[],
  userGuid: string,
): Promise<Rows> {
  const [bests, teams, users] = await Promise.all([
    listBestsOf(db, qualifier.guid, userGuid),
    listTeamsOf(db, qualifier.tournamentGuid, [userGuid]),
    listPlayerRefs(db, [userGuid]),
  ])
  const user = users.get(userGuid)
  if (bests.length === 0 || user === undefined) return noRows
  const teamGuid = teams.get(userGuid) ?? null
  const team = (await listTeamSummaries(db, [teamGuid])).get(teamGuid ?? '') ?? null
  return ownRows(user, team, bests, maps)
}

export const qualifiersOperations = [read, put, standings, attempts, record, voidAttempt, sync, seed]
