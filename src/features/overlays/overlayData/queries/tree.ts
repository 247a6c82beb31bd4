import { anonymous } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { DataTree } from '../../../../engine/scenes/tree.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listBrackets } from '../../../brackets/brackets/store/brackets.ts'
import { listDivisions } from '../../../brackets/brackets/store/divisions.ts'
import type { Bracket } from '../../../brackets/brackets/types.ts'
import { listMatchesByGuid } from '../../../brackets/matches/store/matches.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { listMatchViews } from '../../../brackets/matches/views.ts'
import { listLastRounds, listRecent, listUpcoming } from '../store.ts'
import type { Asked } from '../types.ts'
import { labeller, treeMatch } from '../views/matches.ts'
import { treeSide } from '../views/sides.ts'
import { readPlay } from './play.ts'
import { readSides } from './sides.ts'
import { readQualifier, readStatistics, readTable, readWinners } from './tables.ts'
import { asTree, brackets as ofBrackets, tournamentKinds } from './tags.ts'

/** Maximum number of upcoming matches, and of recent ones. */
const maxBeside = 5

/**
 * Returns the data tree of a tournament, the same for every caller: the data that an anonymous visitor would see if the
 * tournament were public. Each part uses the read for anonymous visitors. Callers without the delay get sessions
 * without it. On a delayed connection, results are read only from tables that show their delayed state.
 * (overlays: Data tree)
 * @param depends receives the tags whose events may change the tree; time alone does not change it
 */
export async function readTree(db: Db, asked: Asked, depends: Depends): Promise<DataTree> {
  const { tournament, matchGuid, highlighted, swapSides } = asked
  const listed = { tournamentGuid: tournament.guid, except: matchGuid, limit: maxBeside }
  const dependsOn = asTree(depends, tournament.guid)
  const [named, divisions, brackets, lastRounds, upcoming, recent, qualifier, { winners, road }, statistics] =
    await Promise.all([
      listMatchesByGuid(db, [...new Set([...(matchGuid === null ? [] : [matchGuid]), ...highlighted])]),
      listDivisions(db, tournament.guid),
      listBrackets(db, tournament.guid),
      listLastRounds(db, tournament.guid),
      listUpcoming(db, listed),
      listRecent(db, listed),
      readQualifier(db, asked, dependsOn),
      readWinners(db, asked, dependsOn),
      readStatistics(db, asked, dependsOn),
    ])
  const own = named.filter((match) => match.tournamentGuid === tournament.guid)
  const record = own.find(({ guid }) => guid === matchGuid) ?? null
  dependsOn(...tournamentKinds(tournament.guid), ...ofBrackets(brackets), ...own.map(({ guid }) => guid))
  const [{ standings, matches, seeds }, play] = await Promise.all([
    readTable(db, bracketOf(brackets, record), record?.groupIndex ?? null, dependsOn),
    readPlay(db, asked, record, dependsOn),
  ])
  const { before, after } = around(record, matches)
  const shown = new Map([...own, ...upcoming, ...recent, ...before, ...after, ...road].map((each) => [each.guid, each]))
  const [views, sideFacts] = await Promise.all([
    listMatchViews(db, [...shown.values()], anonymous),
    readSides(db, asked, { record, seeds, lineups: play.lineups }, dependsOn),
  ])
  const viewOf = new Map(views.map((view) => [view.guid, view]))
  dependsOn(...views.flatMap(({ sides }) => sides.flatMap(({ team }) => team?.guid ?? [])))
  const label = labeller(divisions, brackets, lastRounds)
  const listOf = (guids: readonly string[]) =>
    guids.flatMap((guid) => {
      const view = viewOf.get(guid)
      return view === undefined ? [] : [treeMatch(view, label(view))]
    })
  const guidsOf = (all: readonly MatchRecord[]) => all.map(({ guid }) => guid)
  const match = viewOf.get(record?.guid ?? '') ?? null
  const order = swapSides ? ([2, 1] as const) : ([1, 2] as const)
  const { guid, id, name, imageUrl, bannerUrl, timezone } = tournament
  return {
    tournament: { guid, id, name, imageUrl, bannerUrl, timezone },
    match:
      match === null
        ? null
        : {
            guid: match.guid,
            number: match.number,
            label: label(match),
            status: match.status,
            bestOf: match.bestOf,
            winsNeeded: match.winsNeeded,
            scheduledAt: match.scheduledAt,
            startedAt: match.startedAt,
            outcome: match.outcome,
          },
    sides: order.map((number) => treeSide(number, match, sideFacts)),
    ...play.tree(match, order),
    bracket: {
      before: listOf(guidsOf(before)),
      after: listOf(guidsOf(after)),
      upcoming: listOf(guidsOf(upcoming)),
      recent: listOf(guidsOf(recent)),
      highlighted: listOf(highlighted),
    },
    standings,
    qualifier,
    winners,
    road: listOf(guidsOf(road)),
    statistics,
  }
}

/**
 * Returns the bracket of the match. Without a match, the running bracket, otherwise the last completed one in the list.
 */
function bracketOf(brackets: readonly Bracket[], record: MatchRecord | null): Bracket | undefined {
  if (record !== null) return brackets.find(({ guid }) => guid === record.bracketGuid)
  return (
    brackets.find(({ status }) => status === 'running') ?? brackets.findLast(({ status }) => status === 'completed')
  )
}

/** Returns the matches that the teams come from, and the matches that they continue to. */
function around(record: MatchRecord | null, matches: readonly MatchRecord[]) {
  const find = (guids: readonly (string | null | undefined)[]) =>
    [...new Set(guids)].flatMap((guid) => matches.find((match) => match.guid === guid) ?? [])
  return {
    before: find(record?.sides.map(({ from }) => from?.guid) ?? []),
    after: find([record?.nextMatchGuid, record?.loserMatchGuid]),
  }
}
