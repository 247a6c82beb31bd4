import { anonymous } from '../../../core/actor.ts'
import { type EventType, kindTag } from '../../../core/events.ts'
import type { Depends } from '../../../core/operation.ts'
import type { Db } from '../../../infra/db/database.ts'
import { findLink } from '../../assistant/assistantLinks/store.ts'
import { listBrackets } from '../../brackets/brackets/store/brackets.ts'
import { listDivisions } from '../../brackets/brackets/store/divisions.ts'
import { findMatch } from '../../brackets/matches/store/matches.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { readMatchView } from '../../brackets/matches/views.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { findTeamByGuid, listMembers } from '../../teams/teams/store/teams.ts'
import { dataTag } from '../control/events.ts'
import { isOnAir } from '../control/policy.ts'
import type { Reading } from '../control/queries.ts'
import { readControl, seenTags } from '../control/queries.ts'
import { readSeen } from '../overlayData/queries/play.ts'
import { asTree, brackets as ofBrackets, tournamentKinds } from '../overlayData/queries/tags.ts'
import { listLastRounds } from '../overlayData/store.ts'
import { labeller } from '../overlayData/views/matches.ts'
import { seesLink } from './policy.ts'
import { compatMatch, type MatchFacts } from './views/match.ts'
import { type CompatOverlay, compatOverlay } from './views/overlay.ts'
import type { TeamFacts } from './views/teams.ts'

const linkKinds = ['assistant.linked', 'assistant.unlinked'] as const satisfies readonly EventType[]

/**
 * Returns an overlay with its match, as an anonymous visitor may see the match. Actors who may see sessions without the
 * delay get them without it. Depends on the same tags as the answers of the tournament's topics.
 */
export async function readCompatOverlay(reading: Reading, depends: Depends): Promise<CompatOverlay> {
  const { db, actor, tournament, overlay } = reading
  const dependsOn = asTree(depends, tournament.guid)
  dependsOn(dataTag(overlay.guid), ...seenTags(overlay))
  const { matchGuid } = await readControl(db, overlay.guid)
  const [record, link] = await Promise.all([
    matchGuid === null ? undefined : findMatch(db, matchGuid),
    seesLink(actor) ? findLink(db, tournament.guid) : undefined,
  ])
  if (seesLink(actor)) dependsOn(...linkKinds.map((type) => kindTag(tournament.guid, type)))
  const match =
    record?.tournamentGuid === tournament.guid ? compatMatch(await readMatch(reading, record, dependsOn)) : null
  return compatOverlay(overlay, { tournament, match, link: link?.enabled === true ? link : null })
}

async function readMatch(
  { db, actor, tournament, overlay, services, now }: Reading,
  record: MatchRecord,
  dependsOn: Depends,
): Promise<MatchFacts> {
  const { publicUrl } = services.config
  const isLate = !isOnAir(actor, overlay)
  const [match, divisions, brackets, lastRounds, seen, teams] = await Promise.all([
    readMatchView(db, record, anonymous),
    listDivisions(db, tournament.guid),
    listBrackets(db, tournament.guid),
    listLastRounds(db, tournament.guid),
    readSeen(db, { tournament, isLate, publicUrl, now }, record, dependsOn),
    readTeams(db, [record.team1Guid, record.team2Guid], dependsOn),
  ])
  dependsOn(...tournamentKinds(tournament.guid), ...ofBrackets(brackets), record.guid)
  const label = labeller(divisions, brackets, lastRounds)(match)
  return { match, label, seen, teams, isSolo: tournament.teamSizeMax === 1 }
}

async function readTeams(db: Db, guids: readonly (string | null)[], dependsOn: Depends): Promise<TeamFacts> {
  const known = guids.filter((guid) => guid !== null)
  const [teams, members] = await Promise.all([
    Promise.all(known.map((guid) => findTeamByGuid(db, guid))),
    listMembers(db, known),
  ])
  const found = teams.filter((team) => team !== undefined)
  const named = [...found.map(({ captainGuid }) => captainGuid), ...[...members.values()].flat().map(userOf)]
  const users = await listUserFacts(db, [...new Set(named)])
  dependsOn(...known, ...users.keys())
  return { teams: new Map(found.map((team) => [team.guid, team])), members, users }
}

function userOf({ userGuid }: { readonly userGuid: string }): string {
  return userGuid
}
