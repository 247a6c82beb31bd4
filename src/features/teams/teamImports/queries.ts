import { invalid } from '../../../core/problem.ts'
import type { UploadedFile } from '../../../core/uploads.ts'
import type { Tx } from '../../../infra/db/database.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { standingOf } from '../registration/policy.ts'
import { listPlayers } from '../registration/store.ts'
import type { Locked } from '../teams/commands/lock.ts'
import { listAnswers } from '../teams/store/answers.ts'
import { listTeamsOfMany } from '../teams/store/many.ts'
import { type GivenRow, readFile, readRows } from './rules/sheet.ts'
import { listMentions, mapKnownPeople, mapSheetTeams } from './store.ts'
import type { Existing, ReadSheet, SheetRow } from './types.ts'

/**
 * Reads the sheet: either the file or the rows.
 * @throws Problem `team_import.source_invalid`, `team_import.unreadable`, `team_import.too_large`
 */
export function readSheet(
  rows: readonly GivenRow[] | undefined,
  file: UploadedFile | null,
  { additionalFields }: Tournament,
): ReadSheet {
  if (file !== null && rows === undefined) return readFile(file.bytes, additionalFields)
  if (file === null && rows !== undefined) return readRows(rows, additionalFields)
  throw invalid('team_import.source_invalid', 'Send the sheet as the part "file" of a form, or as "rows" of JSON.')
}

/** Reads everything that decides what the rows change. The tournament is locked. */
export async function readExisting(tx: Tx, locked: Locked, rows: readonly SheetRow[], now: Date): Promise<Existing> {
  const { actor, tournament, counts } = locked
  const people = rows.flatMap(({ captain, members }) => [captain, ...members])
  const idsOf = (member: 'chatPlatformId' | 'rankingIdA' | 'rankingIdB') => [
    ...new Set(people.flatMap((person) => person[member] ?? [])),
  ]
  const [teams, sheetTeams, mentions, known] = await Promise.all([
    listTeamsOfMany(tx, tournament.guid),
    mapSheetTeams(tx, tournament.guid),
    listMentions(tx, tournament.guid),
    mapKnownPeople(tx, tournament.guid, {
      chat: idsOf('chatPlatformId'),
      a: idsOf('rankingIdA'),
      b: idsOf('rankingIdB'),
    }),
  ])
  const members = teams.flatMap((team) => team.members.map(({ userGuid }) => userGuid))
  const [players, answers] = await Promise.all([
    listPlayers(tx, [...new Set([...members, ...[...known.values()].map(({ guid }) => guid)])]),
    listAnswers(tx, tournament.additionalFields.length === 0 ? [] : teams.map(({ guid }) => guid)),
  ])
  return {
    tournament,
    standing: standingOf(actor),
    actorGuid: actor.guid,
    now,
    registered: counts.registered,
    teams: teams.map(({ invitedGuids, ...team }) => ({
      ...team,
      externalId: sheetTeams.get(team.guid)?.externalId ?? null,
      sheetName: sheetTeams.get(team.guid)?.sheetName ?? null,
      invited: new Set(invitedGuids),
    })),
    answers,
    players: new Map(players.map((player) => [player.userGuid, player])),
    people: known,
    mentions,
  }
}
