import type { Db } from '../../../infra/db/database.ts'
import type { RankingCache } from '../../people/rankings/cache.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { listAnswers } from '../teams/store/answers.ts'
import { findTeamOfUser, listMembers } from '../teams/store/teams.ts'
import type { Team } from '../teams/types.ts'
import { type Candidacy, checkEligibility, type Verdict } from './rules/eligibility.ts'
import { accountsToAsk, type Findings, needsRankings } from './rules/players.ts'
import { listPlayers } from './store.ts'
import type { Player, Standing } from './types.ts'

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
  facts: Pick<Candidacy, 'tournament' | 'registered' | 'standing' | 'given' | 'findings' | 'now'>,
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
