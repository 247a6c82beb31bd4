import type { Db } from '../../../infra/db/database.ts'
import type { RankingCache } from '../../people/rankings/cache.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { listAnswers } from '../teams/store/answers.ts'
import { findTeamOfUser, listMembers } from '../teams/store/teams.ts'
import type { FieldAnswer, Team, TeamMember } from '../teams/types.ts'
import { type Candidacy, checkEligibility, checkPlace, type Verdict } from './rules/eligibility.ts'
import { accountsToAsk, type Findings, needsRankings } from './rules/players.ts'
import { listPlayers, listRosters } from './store.ts'
import type { Eligibility, Player, Standing } from './types.ts'

/** Reads the records that decide on a registration, both for the eligibility answer and for registering. */

/** A team and its members in the order in which they joined, or a user without a team. */
export interface Party {
  readonly team: Team | null
  readonly userGuids: readonly string[]
}

/** The team that the user captains or belongs to, or the user alone. */
export async function findPartyOf(db: Db, tournament: Tournament, userGuid: string): Promise<Party> {
  const team = await findTeamOfUser(db, tournament.guid, userGuid)
  return team === undefined ? { team: null, userGuids: [userGuid] } : readParty(db, team)
}

export async function readParty(db: Db, team: Team): Promise<Party> {
  const members = (await listMembers(db, [team.guid])).get(team.guid) ?? []
  return { team, userGuids: members.map((member) => member.userGuid) }
}

/**
 * Asks the ranking platforms for the accounts that the requirements need; asks nothing if they need none. Do not call
 * it inside a transaction.
 */
export async function askRankings(
  db: Db,
  rankings: RankingCache,
  { requirements }: Tournament,
  standing: Standing,
  findParty: () => Promise<Party>,
): Promise<Findings> {
  if (standing === 'global' || !needsRankings(requirements)) return new Map()
  const { userGuids } = await findParty()
  return rankings.find(accountsToAsk(requirements, await listPlayers(db, userGuids)))
}

/**
 * Reads everything else that decides and returns the verdict.
 * @param players the party's players in any order, if the caller has read them already
 */
export async function judge(
  db: Db,
  { team, userGuids }: Party,
  facts: Pick<Candidacy, 'tournament' | 'registered' | 'standing' | 'given' | 'findings' | 'waiver' | 'now'>,
  players?: readonly Player[],
): Promise<Verdict> {
  const asksNothing = facts.tournament.additionalFields.length === 0
  const [found, stored] = await Promise.all([
    players ?? listPlayers(db, userGuids),
    team === null || asksNothing ? [] : listAnswers(db, [team.guid]).then((answers) => answers.get(team.guid) ?? []),
  ])
  const byGuid = new Map(found.map((player) => [player.userGuid, player]))
  const inOrder = userGuids.map((guid) => byGuid.get(guid)).filter((player) => player !== undefined)
  return checkEligibility({ ...facts, team, players: inOrder, stored })
}

/** A team in its tournament, to be judged with others. */
export interface Entry {
  readonly team: Team
  readonly tournament: Tournament
  /** The number of teams that hold a place in the tournament. */
  readonly registered: number
}

type Roster = Awaited<ReturnType<typeof listRosters>>

/** A team, its members and answers, and the verdict of them. */
export interface JudgedTeam {
  readonly entry: Entry
  readonly members: readonly (Player & TeamMember)[]
  readonly answers: readonly FieldAnswer[]
  readonly eligibility: Eligibility
}

/**
 * Returns what is known of the accounts that the teams' requirements need. The ranking platforms are asked for some of
 * them: many teams have thousands.
 */
export async function findRankingsOf(
  db: Db,
  rankings: RankingCache,
  entries: readonly Pick<Entry, 'team' | 'tournament'>[],
  maxAsked: number,
): Promise<Findings> {
  const asking = entries.filter(({ tournament }) => needsRankings(tournament.requirements))
  if (asking.length === 0) return new Map()
  const rosters = await listRosters(
    db,
    asking.map(({ team }) => team.guid),
  )
  const accounts = asking.flatMap(({ team, tournament }) =>
    accountsToAsk(tournament.requirements, rosters.get(team.guid) ?? []),
  )
  return rankings.find(accounts, maxAsked)
}

/** Judges many teams by a fixed number of statements, in the given order. */
export async function judgeTeams(
  db: Db,
  entries: readonly Entry[],
  findings: Findings,
  now: Date,
): Promise<JudgedTeam[]> {
  const guids = entries.map(({ team }) => team.guid)
  const asked = entries.filter(({ tournament }) => tournament.additionalFields.length > 0)
  const [rosters, answers]: [Roster, ReadonlyMap<string, readonly FieldAnswer[]>] = await Promise.all([
    listRosters(db, guids),
    listAnswers(
      db,
      asked.map(({ team }) => team.guid),
    ),
  ])
  return entries.map((entry) => {
    const { team, tournament, registered } = entry
    const members = rosters.get(team.guid) ?? []
    const stored = answers.get(team.guid) ?? []
    const candidacy = { tournament, registered, team, players: members, findings, stored, now }
    return { entry, members, answers: stored, eligibility: checkPlace(candidacy) }
  })
}
