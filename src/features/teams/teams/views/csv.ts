import type { Cell } from '../../../../core/csv.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { AdditionalField } from '../../../tournaments/tournaments/types.ts'
import type { FieldResponse, Team, TeamMember } from '../types.ts'
import type { TeamFacts } from './teams.ts'

/** The teams of a tournament as a spreadsheet for its staff: one row for each member. (additions: Teams) */

type Fields = readonly AdditionalField[]

export function csvHeader(fields: Fields): string[] {
  return [
    'team guid',
    'team id',
    'team name',
    'status',
    'seed',
    'registered at',
    'captain name',
    'captain chat ID',
    'member name',
    'member chat ID',
    'ranking ID A',
    'ranking ID B',
    'captain',
    'active',
    'joined at',
    ...fields.map((field) => field.label),
  ]
}

export function csvRows(fields: Fields, facts: TeamFacts): Cell[][] {
  const { team, members, users } = facts
  const captain = users.get(team.captainGuid)
  const first = [...teamCells(team), captain?.preferredName ?? null, captain?.chatPlatformId ?? null]
  return members.map((member) => [
    ...first,
    ...memberCells(facts, member),
    ...fields.map((field) => answerOf(facts, field, member)),
  ])
}

function teamCells(team: Team): Cell[] {
  const { guid, id, name, status, seed, registeredAt } = team
  return [guid, id, name, status, seed, formatInstant(registeredAt)]
}

function memberCells({ team, users }: TeamFacts, { userGuid, isActive, joinedAt }: TeamMember): Cell[] {
  const user = users.get(userGuid)
  return [
    user?.preferredName ?? null,
    user?.chatPlatformId ?? null,
    user?.rankingIdA ?? null,
    user?.rankingIdB ?? null,
    yesOrNo(userGuid === team.captainGuid),
    yesOrNo(isActive),
    formatInstant(joinedAt),
  ]
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}

/** A team's answer is in each of its rows, a player's answer only in their own row. */
function answerOf({ answers }: TeamFacts, field: AdditionalField, { userGuid }: TeamMember): Cell {
  const whose = field.subject === 'team' ? null : userGuid
  const answer = answers.find((each) => each.fieldGuid === field.guid && each.userGuid === whose)
  return answer === undefined ? null : cellOf(answer.response)
}

function cellOf(response: FieldResponse): Cell {
  if (typeof response !== 'object') return response
  return `${response.hash} ${response.characteristic} ${response.difficulty}`
}
